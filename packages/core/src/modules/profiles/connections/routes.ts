import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import type { ConnectedProfile } from '../../../ports/storage/connections.ts'
import {
  activeProfileHeader,
  notProfileOwner,
  type ProfileService,
  profileMoved,
  profileNotFound,
  profileParams,
  serializeProfileSummary,
  typeOf,
  withoutFields,
} from '../profiles/index.ts'
import { cannotFollowItself, followLimitReached } from './errors.ts'
import { connectionList, connectionSchema, connectionState, doneSchema } from './schemas.ts'
import type { ConnectionService, ScoredConnection } from './service.ts'

export interface ConnectionRouteServices {
  readonly connections: ConnectionService
  readonly profiles: Pick<ProfileService, 'didOf' | 'urlOf' | 'find' | 'findRedacted'>
}

/** Routes for followers. */
export function connectionRoutes(app: EepRoutes, { connections, profiles }: ConnectionRouteServices): void {
  const changing = { auth: 'key', scope: 'write:connections', tag: 'connections' } as const
  const errors = [cannotFollowItself, followLimitReached, notProfileOwner, profileNotFound, profileMoved]

  const summary = (profile: ConnectedProfile, trustScore: number) => ({
    ...serializeProfileSummary(profile, profiles),
    trust_score: trustScore,
  })
  const record = ({ createdAt, profile, trustScore }: ScoredConnection) => ({
    ...summary(withoutFields(profile, gatedFields(profile.gates)), trustScore),
    followed_at: createdAt.toISOString(),
  })

  app.post(
    '/connections/:prefix/:username',
    {
      config: routeConfig({
        ...changing,
        operationId: 'followProfile',
        summary: 'Follow a profile with the acting profile',
        errors,
      }),
      schema: {
        params: profileParams,
        headers: activeProfileHeader,
        response: { 200: connectionSchema, 201: connectionSchema },
      },
    },
    async (request, reply) => {
      const { prefix, username } = request.params
      const { follower, followee, isNew } = await connections.follow(
        { type: typeOf(prefix), username },
        { caller: callerOf(request), activeProfileId: request.headers['x-active-profile-id'] },
      )
      const shown = await profiles.findRedacted(followee.type, followee.username, request.eep.caller)
      const [ofFollower = 0, ofFollowee = 0] = await connections.scoresOf([follower, followee])
      reply.code(isNew ? 201 : 200)
      return {
        follower: summary(follower, ofFollower),
        followee: summary(shown, ofFollowee),
      }
    },
  )

  app.get(
    '/connections/:prefix/:username',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'read:connections',
        tag: 'connections',
        operationId: 'getConnection',
        summary: 'Get whether the acting profile follows a profile',
        errors: [notProfileOwner, profileNotFound, profileMoved],
      }),
      schema: { params: profileParams, headers: activeProfileHeader, response: { 200: connectionState } },
    },
    async (request, reply) => {
      const { prefix, username } = request.params
      const caller = callerOf(request)
      const profile = await profiles.find(typeOf(prefix), username, caller)
      const actor = { caller, activeProfileId: request.headers['x-active-profile-id'] }
      reply.header('cache-control', 'private, no-store')
      const { following } = await connections.stateOf(profile, actor)
      return { following }
    },
  )

  app.delete(
    '/connections/:prefix/:username',
    {
      config: routeConfig({ ...changing, operationId: 'unfollowProfile', summary: 'Unfollow a profile', errors }),
      schema: { params: profileParams, headers: activeProfileHeader, response: { 200: doneSchema } },
    },
    async (request) => {
      const { prefix, username } = request.params
      await connections.unfollow(
        { type: typeOf(prefix), username },
        { caller: callerOf(request), activeProfileId: request.headers['x-active-profile-id'] },
      )
      return { success: true as const }
    },
  )

  const lists = [
    ['followers', 'listFollowers', 'List the followers of the acting profile'],
    ['following', 'listFollowing', 'List the profiles that the acting profile follows'],
  ] as const
  for (const [side, operationId, summary] of lists) {
    app.get(
      `/connections/${side}`,
      {
        config: routeConfig({
          auth: 'key',
          scope: 'read:connections',
          tag: 'connections',
          operationId,
          summary: `${summary}, newest first`,
          errors: [invalidCursor, notProfileOwner, profileNotFound, profileMoved],
        }),
        schema: { headers: activeProfileHeader, querystring: listQuery, response: { 200: connectionList } },
      },
      async (request) => {
        const who = { caller: callerOf(request), activeProfileId: request.headers['x-active-profile-id'] }
        return listResponse(await connections.list(side, request.query, who), record)
      },
    )
  }
}
