import type { FastifyRequest } from 'fastify'
import { unauthenticated } from '../kernel/errors.ts'
import type { Caller } from '../modules/accounts/caller.ts'
import type { CookiePolicy } from './cookies.ts'

/** What the service knows of a request. */
export interface RequestContext {
  /** The prefix this listener puts before every path: empty, or `/api`. */
  readonly basePath: string
  /** How cookies are written on this service. */
  readonly cookies: CookiePolicy
  /** Who asks; set before the handler runs. Undefined for strangers. */
  caller: Caller | undefined
}

/** The caller of a route that only signed-in callers reach. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = request.eep
  if (!caller) throw unauthenticated()
  return caller
}
