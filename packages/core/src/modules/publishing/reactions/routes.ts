import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { ReactionState } from '../../../ports/storage/reactions.ts'
import { linkQuery, type ProfileService } from '../../profiles/profiles/index.ts'
import { addressOf, pageNotFound } from '../content/index.ts'
import { ownReactionList, ownReactionsQuery, pageParams, reactionBody, reactionState } from './schemas.ts'
import type { PlacedReaction, ReactionService } from './service.ts'

export interface ReactionServices {
  readonly reactions: ReactionService
  readonly profiles: ProfileService
}

const serializeState = ({ counts, mine }: ReactionState) => ({ counts: { ...counts }, me: { ...mine } })

/** Likes and bookmarks of pages. */
export function reactionRoutes(app: EepRoutes, { reactions, profiles }: ReactionServices): void {
  const record = ({ kind, createdAt, page, profile, slugs }: PlacedReaction) => ({
    id: page.id,
    title: page.title,
    slug: page.slug,
    ...addressOf(profiles, profile, slugs),
    excerpt: page.excerpt,
    updated_at: page.updatedAt.toISOString(),
    profile: {
      id: profile.id,
      did: profiles.didOf(profile),
      username: profile.username,
      profile_type: profile.type,
      url: profiles.urlOf(profile),
    },
    kind,
    reacted_at: createdAt.toISOString(),
  })

  app.get(
    '/content/pages/:pageId/reactions',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:content',
        tag: 'content',
        operationId: 'getPageReactions',
        summary: 'Get the like and bookmark counts of a page, and those of the caller',
        errors: [pageNotFound],
      }),
      schema: { params: pageParams, querystring: linkQuery, response: { 200: reactionState } },
    },
    async (request, reply) => {
      // The response contains the reactions of the caller, and changes without the page.
      reply.header('cache-control', 'private, no-cache')
      return serializeState(await reactions.state(request.params.pageId, request.eep.caller, request.query.key))
    },
  )

  app.post(
    '/content/pages/:pageId/reactions',
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'write:content',
        tag: 'content',
        operationId: 'togglePageReaction',
        summary: 'Toggle a like or bookmark of a page',
        errors: [pageNotFound],
      }),
      schema: {
        params: pageParams,
        querystring: linkQuery,
        body: reactionBody,
        response: { 200: reactionState, 201: reactionState },
      },
    },
    async (request, reply) => {
      const state = await reactions.toggle(
        request.params.pageId,
        request.body.kind,
        callerOf(request),
        request.query.key,
      )
      reply.code(state.present ? 201 : 200)
      return serializeState(state)
    },
  )

  app.get(
    '/content/reactions/me',
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'read:content',
        tag: 'content',
        operationId: 'listOwnReactions',
        summary: 'List the pages that the caller liked or bookmarked, newest first, by page number',
      }),
      schema: { querystring: ownReactionsQuery, response: { 200: ownReactionList } },
    },
    async (request) => {
      const { kind, page, limit } = request.query
      const { items, total } = await reactions.listOfCaller(kind, { page, limit }, callerOf(request))
      const pagination = { total, has_more: page * limit < total, page, limit }
      return { data: items.map(record), pagination }
    },
  )
}
