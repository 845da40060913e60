import type { FastifyReply } from 'fastify'
import { type RouteConfig, routeConfig } from '../../../http/routes.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { PlacedPage } from './pages.ts'
import { serializePage } from './serialize.ts'
import { versionTag } from './version-tag.ts'

type Described = Pick<RouteConfig, 'operationId' | 'summary' | 'errors'>

/** The configuration of a route by which a team works on content in person. */
export const manage = (route: Described) => routeConfig({ ...route, auth: 'bearer', tag: 'content' })

/** The configuration of a route by which a team, or an app of a member, reads content in any status. */
export const manageReading = (route: Described) =>
  routeConfig({ ...route, auth: 'bearer', appScope: 'read:content', tag: 'content' })

/** The configuration of a route by which a team, or an app of a member, changes content. */
export const manageWriting = (route: Described) =>
  routeConfig({ ...route, auth: 'bearer', appScope: 'write:content', tag: 'content' })

/** Answers with a page as its team edits it, and with the tag of its version for `If-Match`. */
export const createManagedPageSender = (profiles: ProfileService) => {
  const record = serializePage(profiles)
  return (reply: FastifyReply, placed: PlacedPage) => {
    reply.header('etag', versionTag(placed.page.version)).header('cache-control', 'private, no-cache')
    return record(placed)
  }
}
