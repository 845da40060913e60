import type { FastifyReply, FastifyRequest } from 'fastify'
import { defineError } from '../../kernel/errors.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { countsAsKey } from '../../model/caller.ts'
import type { RateLimitHit } from '../../ports/rate-limit-store.ts'
import type { Plan } from '../../ports/storage/accounts.ts'
import type { LocalRateLimits } from '../../runtime/rate-limits/local-rate-limits.ts'
import { memoryRateLimits } from '../../runtime/rate-limits/memory-rate-limits.ts'
import { msUntilReset } from '../../runtime/rate-limits/ms-until-reset.ts'
import type { Metrics } from '../../runtime/telemetry/metrics.ts'
import { showsErrorsAsHtml } from '../documents/negotiation.ts'
import { requestsRefused } from '../metrics.ts'
import type { RateGroup } from '../routes.ts'
import { clientOf } from './client-address.ts'
import { wantsProblem } from './error-handler.ts'
import type { RateLimiter } from './listener-state.ts'
import { rateLimitTerms } from './rate-limit-terms.ts'

export const rateLimited = defineError('rate_limited', 429, 'Too many requests; try again later', {
  form: 'rate_limited',
})

export const RATE_WINDOW_MS = 60_000

export interface RateLimits {
  readonly counters: Pick<LocalRateLimits, 'count' | 'giveBack'>
  /** Requests per minute of each group. */
  readonly limits: Readonly<Record<RateGroup, number>>
  /** Requests per minute of all API keys and connected apps of an account, by plan. */
  readonly keyLimit: (tier: Plan) => number
  /** How many forms per minute do not count when they are refused for the shape of a field. */
  readonly refusedForms: number
  readonly metrics: Pick<Metrics, 'counter'>
  /** Signs the challenges of refused agents. */
  readonly keyring: Pick<Keyring, 'signText'>
}

/**
 * Counts requests, sets rate limit headers on each response, and throws `rate_limited` over the limit. `X-RateLimit-*` and
 * the `RateLimit` fields of draft-ietf-httpapi-ratelimit-headers have the same values.
 */
export function createRateLimiter({
  counters,
  limits,
  keyLimit,
  refusedForms,
  metrics,
  keyring,
}: RateLimits): RateLimiter {
  const countRefusal = metrics.counter(requestsRefused)
  const onRefused = (group: string) => countRefusal({ group })
  const here = memoryRateLimits()

  /** Takes a hit back, and returns whether it did. */
  async function takeBack(key: string): Promise<boolean> {
    const { count } = await counters.count(`refused:${key}`, RATE_WINDOW_MS, { limit: refusedForms, exact: true })
    return count <= refusedForms && counters.giveBack(key, RATE_WINDOW_MS)
  }

  // Returns a promise only when the store is queried, so that cached reads stay synchronous.
  const countRequest: RateLimiter['countRequest'] = (request, reply, group) => {
    // Requests without a route have no context.
    const caller = request.eep?.caller
    const byKey = caller !== undefined && countsAsKey(caller) && group === 'default'
    const limit = byKey ? keyLimit(caller.account.tier) : limits[group]
    const name = byKey ? 'key' : group
    // Sign-in and registration count by address: counted by account, each new account would add more attempts.
    const isSigningIn = group === 'auth' && request.routeOptions.config?.eep?.auth === 'none'
    const key = `${name}:${caller && !isSigningIn ? caller.account.id : clientOf(request)}`
    const counted =
      // Health probes are about this process, so they must work while the database is unavailable.
      group === 'exempt'
        ? here.hit(key, RATE_WINDOW_MS)
        : counters.count(key, RATE_WINDOW_MS, { limit, exact: group === 'auth' })
    const applied = { name, limit, onRefused, keyring, takeBack: () => takeBack(key) }
    if (counted instanceof Promise) return counted.then((hit) => announce(request, reply, applied, hit))
    return announce(request, reply, applied, counted)
  }

  const countConnection: RateLimiter['countConnection'] = async (socket) => {
    const limit = limits.default
    const key = `default:${clientOf({ ip: socket.remoteAddress ?? '', socket })}`
    return rateHeaders('default', limit, await counters.count(key, RATE_WINDOW_MS, { limit, exact: false }))
  }

  return { countRequest, countConnection }
}

interface AppliedLimit extends Pick<RateLimits, 'keyring'> {
  readonly name: string
  readonly limit: number
  readonly onRefused: (name: string) => void
  readonly takeBack: () => Promise<boolean>
}

const secondsUntilReset = (hit: RateLimitHit) => Math.ceil(msUntilReset(hit) / 1000)

function rateHeaders(name: string, limit: number, hit: RateLimitHit): Record<string, string> {
  const { count, resetAtMs } = hit
  const remaining = Math.max(0, limit - count)
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAtMs / 1000)),
    ratelimit: `"${name}";r=${remaining};t=${secondsUntilReset(hit)}`,
    'ratelimit-policy': `"${name}";q=${limit};w=${RATE_WINDOW_MS / 1000}`,
  }
}

function announce(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, limit, onRefused, keyring, takeBack }: AppliedLimit,
  hit: RateLimitHit,
): void {
  const { count, resetAtMs } = hit
  reply.headers(rateHeaders(name, limit, hit))
  const keepsForm = request.routeOptions.config?.eep?.keepsForm
  if (keepsForm) {
    request.eep.giveBack = async (reply) => {
      if (await takeBack()) reply.headers(rateHeaders(name, limit, { count: count - 1, resetAtMs }))
    }
  }
  if (count > limit && name !== 'exempt') {
    onRefused(name)
    const retryAfterSeconds = secondsUntilReset(hit)
    const reached = { limit, count, resetAtMs, retryAfterSeconds }
    const refusal = rateLimited({
      retryAfterMs: retryAfterSeconds * 1_000,
      details: { limit, group: name },
      terms: wantsProblem(request) ? rateLimitTerms(request, reached, keyring) : undefined,
    })
    if (!keepsForm || !showsErrorsAsHtml(request)) throw refusal
    request.eep.limited = refusal
  }
}
