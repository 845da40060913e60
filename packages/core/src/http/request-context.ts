import type { FastifyRequest } from 'fastify'
import { unauthenticated } from '../kernel/errors.ts'
import type { Caller } from '../modules/accounts/caller.ts'
import type { Agent } from '../modules/agents/index.ts'
import type { CookiePolicy } from './cookies.ts'

/** What the service knows of a request. */
export interface RequestContext {
  /** The prefix this listener puts before every path: empty, or `/api`. */
  readonly basePath: string
  /** How cookies are written on this service. */
  readonly cookies: CookiePolicy
  /** Who asks; set before the handler runs. Undefined for strangers. */
  caller: Caller | undefined
  /** The agent it names; `verified` once it proved to have signed this request. */
  agent: Agent | undefined
  /** The body as it was sent, where somebody signed it. */
  sentBody?: string | undefined
}

/** The caller of a route that only signed-in callers reach. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = request.eep
  if (!caller) throw unauthenticated()
  return caller
}
