import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest, FastifySchema, RouteHandlerMethod } from 'fastify'
import type { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { Visit } from '../../model/visit.ts'
import type { ReadCache } from '../../runtime/storage/read-cache.ts'
import { countVisit } from '../pipeline/count-visits.ts'
import { validatorOf } from '../pipeline/validation.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { DOCUMENT_TYPES } from './negotiation.ts'

/** What a cached response depends on. An event of the profile or the account invalidates it. */
interface Dependencies {
  readonly profileId: number
  readonly accountId?: string | undefined
}

/** A response that is the same for every anonymous request with the same URL, `Accept` and language. */
export interface CachedResponse {
  readonly dependsOn: Dependencies
  /** The visit to count each time it is sent. */
  readonly visit?: Visit | undefined
  /** When it expires. */
  readonly until?: Date | undefined
  /** Sends the response. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/**
 * How anonymous readers of one URL are told apart, because its response depends on more than the key. Responses are cached for
 * each result, and none is sent to a reader with another one.
 */
export interface ReaderVariants {
  /** Returns what the response for a reader depends on. Undefined for a reader whose response is not cached. */
  readonly of: (request: FastifyRequest) => Promise<string | undefined>
  /** Prepares a reply, before a cached response is sent. */
  readonly prepare: (request: FastifyRequest, reply: FastifyReply) => void
}

/** The readers that the response of a request is for. */
export interface ReaderVariant extends ReaderVariants {
  /** The result of {@link ReaderVariants.of} for the request. */
  readonly key: string
}

/** The entry of a URL: a response for all anonymous readers, or how they are told apart. */
type CacheEntry = CachedResponse | { readonly dependsOn: Dependencies; readonly variants: ReaderVariants }

/**
 * Caches responses of public documents in memory. Events invalidate them like the values in a {@link ReadCache}.
 */
export interface ResponseCache {
  /** Creates the cache of a listener. Listeners differ in prefix and routes, and so do their responses. */
  ofListener(): ListenerCache
}

/** The cache of a listener. */
export interface ListenerCache {
  /** Returns what is cached under a key, unless it is stale. */
  find(key: string): CacheEntry | undefined
  /**
   * Starts a response; the returned function stores it, for all readers or for those of a variant, unless its profile or account
   * was invalidated since.
   */
  begin(key: string): (response: CachedResponse, variant?: ReaderVariant) => void
}

const variantKey = (key: string, variant: string): string => `${key} ${variant}`

export function createResponseCache(cache: Pick<ReadCache, 'find' | 'begin'>, clock: Clock): ResponseCache {
  let listeners = 0
  return {
    ofListener() {
      const listener = `${listeners++} `
      return {
        find(key) {
          const known = cache.find<CacheEntry>(listener + key)
          if (!known || 'variants' in known) return known
          return known.until === undefined || known.until > clock() ? known : undefined
        },
        begin(key) {
          const store = cache.begin()
          return (response, variant) => {
            const { dependsOn } = response
            const put = (name: string, value: CacheEntry) => store(listener + name, { value, ...dependsOn })
            if (variant) put(key, { dependsOn, variants: variant })
            put(variant ? variantKey(key, variant.key) : key, response)
          }
        },
      }
    },
  }
}

/**
 * Whether a request has no header that could change the response, apart from those in the cache key and those that are read
 * when it is sent. The headers are spelled out because a loop over a list of names takes ten times as long.
 */
const identifiesNoVisitor = (headers: IncomingHttpHeaders): boolean =>
  headers.authorization === undefined &&
  headers.cookie === undefined &&
  headers['x-api-key'] === undefined &&
  headers['eep-agent-did'] === undefined &&
  headers['eep-signature'] === undefined &&
  headers['eep-nonce'] === undefined &&
  headers['x-eep-agent-did'] === undefined &&
  headers['x-eep-agent-capabilities'] === undefined &&
  headers['x-eep-agent-type'] === undefined &&
  headers['x-eep-payer-wallet'] === undefined &&
  headers['x-eep-payer-network'] === undefined &&
  headers['x-eep-proofs'] === undefined &&
  headers['x-eep-gate-proofs'] === undefined &&
  headers['sign-in-with-x'] === undefined &&
  headers['payment-signature'] === undefined &&
  headers['x-payment'] === undefined &&
  headers['payment-authorization'] === undefined &&
  headers['accept-payment'] === undefined &&
  headers['crawler-max-price'] === undefined &&
  headers['crawler-exact-price'] === undefined

/** Clients choose the length of URLs. Responses with longer keys are not cached. */
const MAX_KEY_LENGTH = 512

const isAnonymous = ({ method, headers, eep }: FastifyRequest): boolean =>
  method === 'GET' &&
  eep.caller === undefined &&
  eep.unidentified === undefined &&
  !eep.identified.isOfModule &&
  identifiesNoVisitor(headers)

/**
 * Returns a function that validates the path and the query of a request and throws. A response is cached after its URL was validated,
 * so a request that it answers needs no validation, which takes longer than finding the response.
 */
function validatorFor({ params, querystring }: FastifySchema): (request: FastifyRequest) => void {
  const validators = [
    ...(params ? [{ part: 'params' as const, validate: validatorOf(params as z.ZodType, 'params') }] : []),
    ...(querystring
      ? [{ part: 'query' as const, validate: validatorOf(querystring as z.ZodType, 'querystring') }]
      : []),
  ]
  return (request) => {
    for (const { part, validate } of validators) {
      const { value, error } = validate(request[part] as Record<string, string>)
      if (error) throw error
      request[part] = value
    }
  }
}

/**
 * Returns a route that answers requests for a public document from the cache, if its handler stored the response with
 * `request.eep.cacheResponse`. The handler then does not run: no validation, lookup, gate or challenge. Requests that identify their
 * visitor in any way always reach the handler. All hooks run first. Other routes are returned as they are.
 */
export function answerFromCache(definition: RouteDefinition, cache: ListenerCache): RouteDefinition {
  const { method, config, schema = {}, handler } = definition
  const { auth, produces } = config.eep
  if (method !== 'GET' || auth !== 'none' || produces !== DOCUMENT_TYPES) return definition
  const { params: _params, querystring: _querystring, ...validatedBefore } = schema
  const validate = validatorFor(schema)
  const handle: RouteHandlerMethod = function (request, reply) {
    validate(request)
    return handler.call(this, request, reply)
  }
  return {
    ...definition,
    schema: validatedBefore,
    handler(request, reply) {
      const key = `${request.headers.accept ?? ''} ${request.eep.site.language} ${request.url}`
      if (key.length > MAX_KEY_LENGTH || !isAnonymous(request)) return handle.call(this, request, reply)
      const run = () => {
        const store = cache.begin(key)
        request.eep.cacheResponse = (response) => store(response, request.eep.readerVariant)
        return handle.call(this, request, reply)
      }
      const cached = cache.find(key)
      if (!cached) return run()
      if ('variants' in cached) {
        return sendVariant(
          cached.variants,
          { request, reply, find: (variant) => cache.find(variantKey(key, variant)) },
          run,
        )
      }
      sendCached(cached, request, reply)
    },
  }
}

function sendCached(cached: CachedResponse, request: FastifyRequest, reply: FastifyReply): void {
  if (cached.visit) countVisit(request, cached.visit)
  cached.send(request, reply)
}

/** Sends the response for the readers that this one belongs to, or runs the route. */
async function sendVariant(
  variants: ReaderVariants,
  { request, reply, find }: { request: FastifyRequest; reply: FastifyReply; find: ListenerCache['find'] },
  run: () => unknown,
): Promise<unknown> {
  const variant = await variants.of(request)
  const cached = variant === undefined ? undefined : find(variant)
  if (!cached || 'variants' in cached) return run()
  variants.prepare(request, reply)
  sendCached(cached, request, reply)
  return reply
}
