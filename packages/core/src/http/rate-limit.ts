import type { FastifyReply } from 'fastify'
import { defineError } from '../kernel/errors.ts'
import type { RateLimitHit } from '../ports/rate-limit-store.ts'
import type { Plan } from '../ports/storage/accounts.ts'
import type { LocalRateLimits } from '../rate-limits/local-rate-limits.ts'
import { memoryRateLimits } from '../rate-limits/memory-rate-limits.ts'
import { clientOf } from './client-address.ts'
import type { CountRequest } from './listener-state.ts'
import type { RateGroup } from './routes.ts'

export const rateLimited = defineError('rate_limited', 429, 'Too many requests; wait and try again')

export const RATE_WINDOW_MS = 60_000

export interface RateLimits {
  readonly counters: Pick<LocalRateLimits, 'count'>
  /** Requests per minute of each group. */
  readonly limits: Readonly<Record<RateGroup, number>>
  /** Requests per minute of an API key by tier. */
  readonly keyLimit: (tier: Plan) => number
}

/**
 * Counts requests and sets the rate limit headers of each answer; a request over the limit throws `rate_limited`. The same
 * counter feeds `X-RateLimit-*` and the `RateLimit` fields of draft-ietf-httpapi-ratelimit-headers.
 */
export function createRateLimiter({ counters, limits, keyLimit }: RateLimits): CountRequest {
  const here = memoryRateLimits()

  // Returns a promise only where the store is asked: cached reads then wait for nothing.
  return (request, reply, group) => {
    // A URL that no route matches has no context.
    const caller = request.eep?.caller
    const byKey = caller?.via === 'key' && group === 'default'
    const limit = byKey ? keyLimit(caller.account.tier) : limits[group]
    const name = byKey ? 'key' : group
    // Requests that sign in or register are counted by address: with each account they use they would get more tries.
    const isSigningIn = group === 'auth' && request.routeOptions.config?.eep?.auth === 'none'
    const key = `${name}:${caller && !isSigningIn ? caller.account.id : clientOf(request)}`
    const counted =
      // A probe asks about this process, and gets its answer also while the database is away.
      group === 'exempt'
        ? here.hit(key, RATE_WINDOW_MS)
        : counters.count(key, RATE_WINDOW_MS, { limit, exact: group === 'auth' })
    if (counted instanceof Promise) return counted.then((hit) => announce(reply, name, limit, hit))
    return announce(reply, name, limit, counted)
  }
}

function announce(reply: FastifyReply, name: string, limit: number, { count, resetAtMs }: RateLimitHit): void {
  const remaining = Math.max(0, limit - count)
  const seconds = Math.max(0, Math.ceil((resetAtMs - Date.now()) / 1000))
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', remaining)
    .header('x-ratelimit-reset', Math.ceil(resetAtMs / 1000))
    .header('ratelimit', `"${name}";r=${remaining};t=${seconds}`)
    .header('ratelimit-policy', `"${name}";q=${limit};w=${RATE_WINDOW_MS / 1000}`)
  if (count > limit && name !== 'exempt') {
    throw rateLimited({ headers: { 'retry-after': String(Math.max(1, seconds)) }, details: { limit, group: name } })
  }
}
