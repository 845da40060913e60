import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { FeedCounts } from '../../../ports/storage/feed.ts'
import {
  activeProfileHeader,
  notProfileOwner,
  type ProfileService,
  profileNotFound,
} from '../../profiles/profiles/index.ts'
import {
  invalidAttachment,
  postingClosed,
  postNotFound,
  replyTargetGone,
  tooManyLinks,
  tooManyPosts,
} from './errors.ts'
import { feedReadRoutes } from './feed.routes.ts'
import { moderationRoutes } from './moderation.routes.ts'
import type { ModerationService } from './moderation.ts'
import { doneSchema, likeState, postBody, postParams, postSchema, reactionBody } from './schemas.ts'
import { serializePost } from './serialize.ts'
import type { FeedService } from './service.ts'

export interface FeedRouteServices {
  readonly feed: FeedService
  /** Undefined when the storage has no audit log. */
  readonly feedModeration: ModerationService | undefined
  readonly profiles: ProfileService
}

const serializeLikes = ({ likes, replies }: FeedCounts, like: boolean) => ({ counts: { likes, replies }, me: { like } })

/** Routes for posts and likes. */
export function feedRoutes(app: EepRoutes, services: FeedRouteServices, { name }: { readonly name: string }): void {
  const { feed, profiles } = services
  const changing = { auth: 'key', scope: 'write:feed', tag: 'feed' } as const

  app.post(
    '/feed',
    {
      config: routeConfig({
        ...changing,
        operationId: 'createPost',
        tool: {
          title: 'Create a post',
          description: 'Publish a post in the feed, or reply to one, as the acting profile. It is public immediately.',
        },
        summary: 'Create a post as the acting profile',
        errors: [
          ...[profileNotFound, notProfileOwner, postNotFound, replyTargetGone],
          ...[invalidAttachment, tooManyLinks, tooManyPosts, postingClosed],
        ],
      }),
      schema: { headers: activeProfileHeader, body: postBody, response: { 201: postSchema } },
    },
    async (request, reply) => {
      const { body, reply_to: replyTo, attachments } = request.body
      const activeProfileId = request.headers['x-active-profile-id']
      const post = await feed.post({ body, replyTo, attachments }, { caller: callerOf(request), activeProfileId })
      const record = serializePost(post, profiles)
      reply.code(201).header('location', record.url)
      return record
    },
  )

  app.delete(
    '/feed/:id',
    {
      config: routeConfig({
        ...changing,
        operationId: 'deletePost',
        tool: { title: 'Delete a post', description: 'Delete a post of the acting profile.' },
        summary: 'Delete a post as a member of the team that posted it, or as an administrator',
        errors: [postNotFound, notProfileOwner],
      }),
      schema: { params: postParams, response: { 200: doneSchema } },
    },
    async (request) => {
      await feed.remove(request.params.id, callerOf(request))
      return { success: true as const }
    },
  )

  app.post(
    '/feed/:id/reactions',
    {
      config: routeConfig({
        ...changing,
        operationId: 'likePost',
        summary: 'Like a post; 200 if the caller already likes it',
        errors: [postNotFound],
      }),
      schema: { params: postParams, body: reactionBody, response: { 200: likeState, 201: likeState } },
    },
    async (request, reply) => {
      const { isNew, ...counts } = await feed.like(request.params.id, callerOf(request))
      reply.code(isNew ? 201 : 200)
      return serializeLikes(counts, true)
    },
  )

  app.delete(
    '/feed/:id/reactions',
    {
      config: routeConfig({
        ...changing,
        operationId: 'unlikePost',
        summary: 'Remove the like of the caller from a post',
        errors: [postNotFound],
      }),
      schema: { params: postParams, response: { 200: likeState } },
    },
    async (request) => serializeLikes(await feed.unlike(request.params.id, callerOf(request)), false),
  )

  feedReadRoutes(app, services, name)
  if (services.feedModeration) moderationRoutes(app, services.feedModeration)
}
