import { z } from 'zod'
import { actingAppRecord } from '../../../http/documents/acting-app.ts'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'

const MAX_IDS = 100
const MAX_KINDS = 100

export const notificationQuery = listQuery.extend({
  profile_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('The active profile'),
  unread: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .describe('Whether to list only unread notifications'),
})

const notification = z
  .object({
    id: z.string(),
    kind: z.string(),
    profile_id: z.int().nullable().describe('The profile that receives it; null when it is for the account'),
    title: z.string(),
    body: z.array(z.string()).describe('Further paragraphs'),
    url: z.string().nullable().describe('The profile that it is about'),
    count: z.int().describe('Number of events that it combines'),
    actors: z
      .array(
        z.object({
          id: z.int(),
          did: z.string(),
          profile_type: z.enum(PROFILE_TYPES),
          username: z.string(),
          url: z.string(),
        }),
      )
      .describe('The latest acting profiles, at most three'),
    via: actingAppRecord,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().describe('Time of the latest event'),
    read_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Notification' })

const unreadCount = z.int().describe('Unread notifications of the active profile')

export const notificationList = listOf(notification)
  .extend({ unread_count: unreadCount })
  .meta({ id: 'NotificationList' })

export const readBody = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1).max(MAX_IDS) }),
  z.strictObject({ all: z.literal(true) }),
])

export const readSchema = z.object({ marked: z.int(), unread_count: unreadCount }).meta({ id: 'ReadNotifications' })

const email = z.enum(['off', 'immediately', 'daily'])
const choice = { in_app: z.boolean().describe('Whether it is listed and sent on streams') }

export const preferencesSchema = z
  .object({
    preferences: z.array(
      z.object({
        kind: z.string(),
        summary: z.string(),
        ...choice,
        email: email.nullable().describe('Null when notifications of this kind are never sent by email'),
      }),
    ),
  })
  .meta({ id: 'NotificationPreferences' })

export const preferencesBody = z.strictObject({
  preferences: z
    .array(
      z.strictObject({
        kind: z.string().min(1).max(40),
        ...choice,
        email: email.nullish().describe('Absent or null: the default of the kind'),
      }),
    )
    .max(MAX_KINDS)
    .describe('Other kinds keep their preferences'),
})
