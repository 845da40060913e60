import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { FEED_TYPES, formatQuery, invalidFormat } from '../../../http/documents/negotiation.ts'
import { sendDocument } from '../../../http/documents/public-document.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, type RouteConfig, routeConfig } from '../../../http/routes.ts'
import { invalidCursor, type Page } from '../../../kernel/page.ts'
import { postPath } from '../../../model/resource-addresses.ts'
import { robotsOf } from '../../../model/visibility.ts'
import type { FeedPost } from '../../../ports/storage/feed.ts'
import {
  activeProfileHeader,
  notProfileOwner,
  type ProfileService,
  profileMoved,
  profileNotFound,
  typeOf,
} from '../../profiles/profiles/index.ts'
import { activeProfileRequired, postNotFound } from './errors.ts'
import { type FeedTitle, feedDocument, postDocument } from './feed-document.ts'
import { hashtagPath } from './feed-markup.ts'
import { profileFeedPath } from './profile-part.ts'
import { feedList, feedQuery, hashtagParams, postParams, postSchema, profileFeedParams } from './schemas.ts'
import { serializePost } from './serialize.ts'
import type { FeedService } from './service.ts'

interface FeedReadServices {
  readonly feed: FeedService
  readonly profiles: ProfileService
}

/** A list of posts, and whether access to it is restricted. */
interface Answer {
  readonly title: FeedTitle
  readonly path: string
  readonly page: Page<FeedPost>
  readonly profileId?: number | undefined
  readonly restricted?: boolean | undefined
}

/** Routes that read posts, as documents and feeds. */
export function feedReadRoutes(app: EepRoutes, { feed, profiles }: FeedReadServices, serviceName: string): void {
  const { publicUrl } = profiles
  const reading = (
    route: Pick<RouteConfig, 'operationId' | 'summary' | 'errors' | 'tool'>,
    auth: 'none' | 'key' = 'none',
  ) =>
    routeConfig({
      ...route,
      auth,
      scope: 'read:feed',
      tag: 'feed',
      produces: FEED_TYPES,
      errors: [invalidFormat, ...(route.errors ?? [])],
    })
  const listing = { 200: feedList, 304: z.undefined() }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { limit }: z.output<typeof feedQuery>,
    { title, path, page, profileId, restricted = false }: Answer,
  ) {
    const posts = page.items.map((post) => serializePost(post, profiles))
    const headers = restricted ? robotsOf('private') : {}
    const document = feedDocument({ title, path, profileId, limit, page, posts }, { publicUrl, headers })
    return sendDocument(request, reply, document, { restricted })
  }

  app.get(
    '/feed',
    {
      config: reading({
        operationId: 'listPosts',
        summary: 'List the posts of all public profiles, newest first',
        errors: [invalidCursor],
      }),
      schema: { querystring: feedQuery, response: listing },
    },
    async (request, reply) => {
      const page = await feed.listAll(request.query)
      return send(request, reply, request.query, { title: { key: 'feedOf', name: serviceName }, path: '/feed', page })
    },
  )

  app.get(
    '/feed/following',
    {
      config: reading(
        {
          operationId: 'listFollowingPosts',
          tool: {
            name: 'get_following_feed',
            title: 'Read the own feed',
            description: 'List the posts of the profiles that the acting profile follows, newest first.',
            openWorld: true,
          },
          summary: 'List the posts of the profiles that the acting profile follows, newest first',
          errors: [activeProfileRequired, invalidCursor, notProfileOwner, profileNotFound],
        },
        'key',
      ),
      schema: { headers: activeProfileHeader, querystring: feedQuery, response: listing },
    },
    async (request, reply) => {
      const activeProfileId = request.headers['x-active-profile-id']
      if (activeProfileId === undefined) throw activeProfileRequired()
      const page = await feed.listFollowing(request.query, { caller: callerOf(request), activeProfileId })
      const answer: Answer = { title: { key: 'following' }, path: '/feed/following', page, restricted: true }
      return send(request, reply, request.query, answer)
    },
  )

  app.get(
    '/feed/:prefix/:slug',
    {
      config: reading({
        operationId: 'listProfilePosts',
        summary: 'List the posts of a profile, newest first',
        errors: [invalidCursor, profileNotFound, profileMoved],
      }),
      schema: { params: profileFeedParams, querystring: feedQuery, response: listing },
    },
    async (request, reply) => {
      const { prefix, slug } = request.params
      const name = { type: typeOf(prefix), username: slug }
      const { profile, page, isShown } = await feed.listOfProfile(name, request.query, request.eep.caller)
      const restricted = profile.visibility !== 'public'
      const title: FeedTitle = isShown
        ? { key: 'postsOf', name: profile.fullName ?? profile.username }
        : { key: 'posts' }
      const answer: Answer = { title, path: profileFeedPath(profile), page, profileId: profile.id, restricted }
      return send(request, reply, request.query, answer)
    },
  )

  app.get(
    '/feed/hashtags/:tag',
    {
      config: reading({
        operationId: 'listHashtagPosts',
        summary: 'List the posts with a hashtag, newest first',
        errors: [invalidCursor],
      }),
      schema: { params: hashtagParams, querystring: feedQuery, response: listing },
    },
    async (request, reply) => {
      const { hashtag, page } = await feed.listOfHashtag(request.params.tag, request.query)
      return send(request, reply, request.query, { title: { hashtag }, path: hashtagPath(hashtag), page })
    },
  )

  app.get(
    '/feed/posts/:id',
    {
      config: reading({ operationId: 'getPost', summary: 'Get a post', errors: [postNotFound] }),
      schema: { params: postParams, querystring: formatQuery, response: { 200: postSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      const { id } = request.params
      const post = await feed.get(id, request.eep.caller)
      const restricted = !post.isListed
      const headers = restricted ? robotsOf('private') : {}
      const document = postDocument(serializePost(post, profiles), postPath(id), { publicUrl, headers })
      return sendDocument(request, reply, document, { restricted })
    },
  )

  app.get(
    '/feed/posts/:id/replies',
    {
      config: reading({
        operationId: 'listReplies',
        summary: 'List the replies to a post, newest first',
        errors: [invalidCursor, postNotFound],
      }),
      schema: { params: postParams, querystring: feedQuery, response: listing },
    },
    async (request, reply) => {
      const { id } = request.params
      const { post, page } = await feed.listReplies(id, request.query, request.eep.caller)
      const answer: Answer = {
        title: { key: 'replies' },
        path: `${postPath(id)}/replies`,
        page,
        restricted: !post.isListed,
      }
      return send(request, reply, request.query, answer)
    },
  )
}
