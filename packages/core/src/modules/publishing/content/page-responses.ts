import type { FastifyReply } from 'fastify'
import { type RouteConfig, routeConfig } from '../../../http/routes.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { PlacedPage } from './pages.ts'
import { serializePage } from './serialize.ts'
import { versionTag } from './version-tag.ts'

/** The configuration of a route by which a team works on content. */
export const manage = (route: Pick<RouteConfig, 'operationId' | 'summary' | 'errors'>) =>
  routeConfig({ ...route, auth: 'bearer', tag: 'content' })

/** Answers with a page as its team edits it, and with the tag of its version for `If-Match`. */
export const createManagedPageSender = (profiles: ProfileService) => {
  const record = serializePage(profiles)
  return (reply: FastifyReply, placed: PlacedPage) => {
    reply.header('etag', versionTag(placed.page.version)).header('cache-control', 'private, no-cache')
    return record(placed)
  }
}
