import type { FastifyReply, FastifyRequest } from 'fastify'
import { unauthenticated } from '../../kernel/errors.ts'
import { internalPath } from '../../kernel/internal-path.ts'
import type { Caller } from '../../model/caller.ts'
import { type RouteConfig, routeConfig } from '../routes.ts'
import { signInPath } from './sign-in-path.ts'
import { hrefOn } from './view.ts'

/** Where people go after signing in. */
const AFTER_SIGN_IN = '/dashboard'

type Described = Pick<RouteConfig, 'operationId' | 'summary'> & Partial<RouteConfig>

/** The tag of pages for people. */
export const PAGES_TAG = 'pages'

/** Returns the configuration of a page. Signed-out visitors are sent to the sign-in page by its handler. */
export const pageConfig = (route: Described) =>
  routeConfig({ auth: 'none', tag: PAGES_TAG, produces: ['text/html'], ...route })

/** Sends the browser to a path of this service. */
export const goTo = ({ eep }: FastifyRequest, reply: FastifyReply, path: string) =>
  reply.header('cache-control', 'private, no-store').redirect(hrefOn(eep.site, path), 303)

/**
 * Returns the caller of a page; undefined for signed-out visitors.
 *
 * @throws `storage_unavailable` when the caller cannot be identified
 */
export function visitorOf({ eep: { caller, unidentified } }: FastifyRequest): Caller | undefined {
  if (unidentified) throw unidentified
  return caller
}

/**
 * Sends a signed-out visitor to the sign-in page, which leads back to this page.
 *
 * @throws `unauthenticated` where users sign in at the host
 */
export function goToSignIn(request: FastifyRequest, reply: FastifyReply, next = request.url) {
  const path = signInPath(request, next)
  if (path === undefined) throw unauthenticated()
  return goTo(request, reply, path)
}

/** Returns where to go after signing in. Only paths of this service count. */
export const nextOf = (next: string | undefined): string => internalPath(next) ?? AFTER_SIGN_IN
