import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

/** Emitted to the account that receives the notification. Subscribers read its text under `/notifications`. */
export const notificationCreated = defineEvent('notifications.notification_created', {
  audience: 'account',
  subject: 'account',
  data: z.object({
    notificationId: z.string(),
    kind: z.string(),
    forProfileId: z.int().nullable(),
    count: z.int(),
  }),
  signal: {
    types: {
      'notification.created': z.object({
        notification_id: z.string(),
        kind: z.string(),
        profile_id: z.int().nullable().describe('The profile that receives it; null when it is for the account'),
        count: z
          .int()
          .describe('Number of events that it combines; above 1 when an event was added to an unread notification'),
      }),
    },
    of: ({ notificationId, kind, forProfileId, count }) => ({
      type: 'notification.created',
      data: { notification_id: notificationId, kind, profile_id: forProfileId, count },
      subject: '/notifications',
    }),
  },
  summary: 'An account received a notification, or an event was added to an unread one',
})

export const notificationEvents = [notificationCreated] as const
