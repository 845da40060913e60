import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { paginationOf } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import {
  activeProfileHeader,
  notProfileOwner,
  type ProfileService,
  profileNotFound,
} from '../../profiles/profiles/index.ts'
import { notActiveProfile, notificationWithoutEmail, unknownNotificationKind } from './errors.ts'
import {
  notificationList,
  notificationQuery,
  preferencesBody,
  preferencesSchema,
  readBody,
  readSchema,
} from './schemas.ts'
import type { Acting, NotificationService, WrittenNotification } from './service.ts'
import { plainText } from './texts.ts'

export interface NotificationRouteServices {
  readonly notifications: NotificationService
  readonly profiles: Pick<ProfileService, 'didOf' | 'urlOf'>
}

type Described = Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'tool' | 'page'>

const reading = (route: Described) =>
  routeConfig({ auth: 'key', scope: 'read:notifications', tag: 'notifications', ...route })
const changing = (route: Described) =>
  routeConfig({ auth: 'key', scope: 'write:notifications', tag: 'notifications', ...route })

const actingIn = (request: FastifyRequest, headers: z.output<typeof activeProfileHeader>): Acting => ({
  caller: callerOf(request),
  activeProfileId: headers['x-active-profile-id'],
})

/** Routes for the notifications of the signed-in account. */
export function notificationRoutes(
  app: EepRoutes,
  { notifications, profiles }: NotificationRouteServices,
  { publicUrl }: { readonly publicUrl: string },
): void {
  const record = ({ text: written, ...item }: WrittenNotification) => {
    const text = plainText(written)
    return {
      id: item.id,
      kind: item.kind,
      profile_id: item.profileId,
      title: text.title,
      body: [...(text.body ?? [])],
      url: text.link === undefined ? null : new URL(text.link, `${publicUrl}/`).href,
      count: item.count,
      actors: item.actors.map((profile) => ({
        id: profile.id,
        did: profiles.didOf(profile),
        profile_type: profile.type,
        username: profile.username,
        url: profiles.urlOf(profile),
      })),
      via: item.through,
      created_at: item.createdAt.toISOString(),
      updated_at: item.updatedAt.toISOString(),
      read_at: item.readAt?.toISOString() ?? null,
    }
  }
  const preferences = async (request: FastifyRequest) => ({
    preferences: (await notifications.preferences(callerOf(request))).map(({ inApp, ...choice }) => ({
      ...choice,
      in_app: inApp,
    })),
  })

  app.get(
    '/notifications',
    {
      config: reading({
        operationId: 'listNotifications',
        tool: {
          title: 'List notifications',
          description: 'List what happened on the profiles of the account, newest first.',
          openWorld: true,
        },
        summary: 'List the notifications of the active profile, newest first',
        errors: [notActiveProfile, notProfileOwner, profileNotFound, invalidCursor],
        page: '/account/notifications',
      }),
      schema: { headers: activeProfileHeader, querystring: notificationQuery, response: { 200: notificationList } },
    },
    async (request, reply) => {
      const { profile_id: profileId, ...query } = request.query
      const { items, unread, ...page } = await notifications.list(
        { profileId, ...query },
        actingIn(request, request.headers),
        request.eep.site,
      )
      reply.header('cache-control', 'private, no-cache')
      const vary = reply.getHeader('vary')
      reply.header('vary', vary === undefined ? 'Accept-Language' : `${String(vary)}, Accept-Language`)
      return { data: items.map(record), pagination: paginationOf(page), unread_count: unread }
    },
  )

  app.post(
    '/notifications/read',
    {
      config: changing({
        operationId: 'markNotificationsRead',
        tool: { title: 'Mark notifications as read', description: 'Mark all or some notifications as read.' },
        summary: 'Mark all or some notifications of the active profile as read',
        errors: [notProfileOwner, profileNotFound],
      }),
      schema: { headers: activeProfileHeader, body: readBody, response: { 200: readSchema } },
    },
    async (request) => {
      const ids = 'ids' in request.body ? request.body.ids : undefined
      const { marked, unread } = await notifications.markRead(ids, actingIn(request, request.headers))
      return { marked, unread_count: unread }
    },
  )

  app.get(
    '/notifications/preferences',
    {
      config: reading({
        operationId: 'getNotificationPreferences',
        summary: 'Get the notification preferences of the account',
      }),
      schema: { response: { 200: preferencesSchema } },
    },
    preferences,
  )

  app.put(
    '/notifications/preferences',
    {
      config: changing({
        operationId: 'setNotificationPreferences',
        summary: 'Change notification preferences of the account',
        errors: [unknownNotificationKind, notificationWithoutEmail],
      }),
      schema: { body: preferencesBody, response: { 200: preferencesSchema } },
    },
    async (request) => {
      const choices = request.body.preferences.map(({ in_app: inApp, email = null, kind }) => ({
        kind,
        email,
        inApp,
      }))
      await notifications.setPreferences(choices, callerOf(request))
      return preferences(request)
    },
  )
}
