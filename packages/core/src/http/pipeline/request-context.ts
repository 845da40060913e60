import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EepError } from '../../kernel/errors.ts'
import { unauthenticated } from '../../kernel/errors.ts'
import type { Agent } from '../../model/agent.ts'
import type { Bot, BotCheck } from '../../model/bot.ts'
import type { Caller } from '../../model/caller.ts'
import type { OnVisit } from '../../model/visit.ts'
import type { CookiePolicy } from '../cookies.ts'
import type { SuffixFormat } from '../documents/negotiation.ts'
import type { Representations } from '../documents/representation-cache.ts'
import type { CachedResponse, ReaderVariant } from '../documents/response-cache.ts'
import type { Html } from '../html/html.ts'
import type { HtmlView, Site } from '../html/view.ts'
import type { PortraitOf } from '../html/viewer.ts'
import type { Attempt } from '../idempotency/service.ts'
import type { RateGroup, RouteConfig } from '../routes.ts'
import type { OnAgentAccess } from './count-visits.ts'
import type { Dispatched } from './dispatched.ts'
import type { IdentifiedCaller } from './identify.ts'

/** The service's context of a request. */
export interface RequestContext {
  /** The configuration of the route, or of the upgrade that the request asks for. */
  readonly route: RouteConfig
  /** When the service received it, on the clock of `performance.now()`. */
  readonly receivedAt: number
  /** What it inherits from the request for which the service sent it to itself; undefined for requests from outside. */
  readonly dispatched?: Dispatched | undefined
  /** Whether its time was measured. */
  isMeasured?: true | undefined
  /** The prefix of the listener: empty, or `/api`. */
  readonly basePath: string
  /** The service and the listener, for HTML pages. Once the caller is known, also the person that they are made for. */
  site: Site
  /** The language that the address names. The service may not have it. */
  readonly named?: string | undefined
  /** The representations of documents on this listener. */
  readonly representations: Representations
  /** The format that the suffix of the URL selects. */
  readonly suffix: SuffixFormat | undefined
  /** The refusal that the handler of a form shows in its page: by the rate limit, or because the form was sent already. */
  limited?: EepError | undefined
  /** Takes the count of this form back, a limited number of times per minute. Set on routes with `keepsForm`. */
  giveBack?: ((reply: FastifyReply) => Promise<void>) | undefined
  /** Counts the request in another rate group too, as a form with a password or a file. Set on routes with `keepsForm`. */
  countIn?: ((reply: FastifyReply, group: RateGroup) => void | Promise<void>) | undefined
  /** Creates the HTML page of an error. Set by routes that show more than its message. */
  errorView?: ((error: EepError) => HtmlView | undefined) | undefined
  /** Whether the response depends on the audiences of the reader. */
  variesByReader?: true | undefined
  /** Shown above the document, on an HTML page for this visitor only, which no cache may store. */
  notice?: Html | undefined
  /** Whether this listener compresses responses itself. */
  readonly compresses: boolean
  /** The cookie attributes of this service. */
  readonly cookies: CookiePolicy
  /** The caller of the credentials, or why they were refused. */
  identified: IdentifiedCaller
  /** Why the caller could not be identified; the request fails with it once it was counted. */
  failure?: Error | undefined
  /** The methods that a CORS preflight allows; undefined for other requests. */
  readonly preflight?: readonly string[] | undefined
  /** The address to which the request is redirected. */
  readonly canonical?: string | undefined
  /** Whether the request has not exactly one `Host`. */
  readonly isMalformed?: boolean | undefined
  /** The caller; set before the handler runs. Undefined for anonymous requests. */
  caller: Caller | undefined
  /**
   * Why the caller could not be identified while the storage was unavailable. Such a request can read public resources.
   * Where an anonymous request would be denied or asked to pay, it gets a temporary error.
   */
  unidentified?: EepError | undefined
  /** The scope that a connected app lacks, so that a public resource is read as by an anonymous visitor. */
  missingScope?: string | undefined
  /**
   * Identifies the caller again, by the same credentials or by another token, and throws when they are no longer valid.
   * Undefined for requests that do not stay open.
   */
  authenticateAgain?: ((token?: string) => Promise<Caller>) | undefined
  /** The agent that the request names; `verified` once its signature was verified. */
  agent: Agent | undefined
  /**
   * What the signature of a program (Web Bot Auth) proves. While the keys of the signer are fetched, `unverified` with
   * `directory_pending`; what depends on the signer waits for `botCheck`.
   */
  bot: Bot
  /** The check of the signature of a program. Undefined when `bot` is `absent`. */
  botCheck?: BotCheck | undefined
  /** The search engine that the signature, or the address of the request, proves. Its user agent alone never does. */
  searchEngine?: string | undefined
  /** Receives reads by agents; undefined when nothing records them. */
  readonly onAgentAccess: OnAgentAccess | undefined
  /** Counts reads; undefined when nothing is counted. */
  readonly onVisit: OnVisit | undefined
  /** Returns the URL of the picture of an account for its own pages. Default: a letter is shown. */
  readonly portraitOf?: PortraitOf | undefined
  /** Caches the response for identical requests. Undefined when the response may differ between clients. */
  cacheResponse?: ((response: CachedResponse) => void) | undefined
  /** The readers that the response is for, when it may be cached for them. Default: it depends on no more than its URL and format. */
  readerVariant?: ReaderVariant | undefined
  /** The raw body of requests with a signature or an `Idempotency-Key`. */
  sentBody?: string | undefined
  /** The payment of a paid request, for the host's own records: a repeated request with the same payment has the same id. */
  payment?: { readonly id: string } | undefined
  /** The attempt of a request with an `Idempotency-Key`, until its response. */
  attempt?: Attempt | undefined
}

/** Returns the caller, on routes that require one. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = request.eep
  if (!caller) throw unauthenticated()
  return caller
}

/**
 * Identifies the caller of a request that stays open again, by its credentials or by another token.
 *
 * @throws when the credentials are no longer valid
 */
export async function authenticateAgain({ eep }: FastifyRequest, token?: string): Promise<Caller> {
  if (!eep.authenticateAgain) throw unauthenticated()
  return eep.authenticateAgain(token)
}
