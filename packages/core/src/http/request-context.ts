import type { FastifyRequest } from 'fastify'
import type { EepError } from '../kernel/errors.ts'
import { unauthenticated } from '../kernel/errors.ts'
import type { Agent } from '../model/agent.ts'
import type { Caller } from '../model/caller.ts'
import type { CookiePolicy } from './cookies.ts'
import type { HtmlView, Site } from './html/view.ts'
import type { Attempt } from './idempotency/service.ts'
import type { KeptAnswer } from './kept-answers.ts'
import type { SuffixFormat } from './negotiation.ts'

/** What the service knows of a request. */
export interface RequestContext {
  /** The prefix this listener puts before every path: empty, or `/api`. */
  readonly basePath: string
  /** What pages for people know of the service and of this listener. */
  readonly site: Site
  /** The representation that the suffix of the address asks for. */
  readonly suffix: SuffixFormat | undefined
  /** Shows an error to a person, where a route has more to say than its sentence. */
  errorView?: ((error: EepError) => HtmlView) | undefined
  /** Whether this listener compresses answers itself. */
  readonly compresses: boolean
  /** How cookies are written on this service. */
  readonly cookies: CookiePolicy
  /** The caller; set before the handler runs. Undefined for anonymous requests. */
  caller: Caller | undefined
  /**
   * Why the caller could not be identified while the storage was unavailable. Such a request reads what is open to
   * everyone; it is never refused, or asked to pay, like an anonymous request.
   */
  unidentified?: EepError | undefined
  /**
   * Recognises the caller again, by the same credentials or by another token, and throws when they do not count any more.
   * Undefined for requests that do not stay open.
   */
  authenticateAgain?: ((token?: string) => Promise<Caller>) | undefined
  /** The agent it names; `verified` once it proved to have signed this request. */
  agent: Agent | undefined
  /** Keeps the answer for others who ask in the same way; undefined when they may get another one. */
  keep?: ((answer: KeptAnswer) => void) | undefined
  /** The body as sent, where it was signed or has an `Idempotency-Key`. */
  sentBody?: string | undefined
  /** A request with an `Idempotency-Key`, from its start until its response. */
  attempt?: Attempt | undefined
}

/** The caller of a route that only signed-in callers reach. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = request.eep
  if (!caller) throw unauthenticated()
  return caller
}

/**
 * Recognises the caller of a request that stays open again, by its credentials or by another token.
 *
 * @throws the refusal of the credentials
 */
export async function authenticateAgain({ eep }: FastifyRequest, token?: string): Promise<Caller> {
  if (!eep.authenticateAgain) throw unauthenticated()
  return eep.authenticateAgain(token)
}
