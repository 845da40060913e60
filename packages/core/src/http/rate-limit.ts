import type { FastifyReply } from 'fastify'
import { memoryRateLimits } from '../defaults/memory-rate-limits.ts'
import { defineError } from '../kernel/errors.ts'
import type { Tier } from '../modules/accounts/store.ts'
import type { RateLimitHit, RateLimitStore } from '../ports/rate-limit-store.ts'
import { clientOf } from './client-address.ts'
import type { CountRequest } from './listener-state.ts'
import type { RateGroup } from './routes.ts'

export const rateLimited = defineError('rate_limited', 429, 'Too many requests; wait and try again')

export const RATE_WINDOW_MS = 60_000

export interface RateLimits {
  readonly store: RateLimitStore
  /** Requests per minute of each group. */
  readonly limits: Readonly<Record<RateGroup, number>>
  /** Requests per minute of an API key by tier. */
  readonly keyLimit: (tier: Tier) => number
}

/**
 * Counts requests and says on each answer how many are left; a request too many throws `rate_limited`. The same counter
 * feeds `X-RateLimit-*` and the `RateLimit` fields of draft-ietf-httpapi-ratelimit-headers.
 */
export function createRateLimiter({ store, limits, keyLimit }: RateLimits): CountRequest {
  const here = memoryRateLimits()

  return async (request, reply, group) => {
    // A URL that no route matches has no context.
    const caller = request.eep?.caller
    const byKey = caller?.via === 'key' && group === 'default'
    const limit = byKey ? keyLimit(caller.account.tier) : limits[group]
    const name = byKey ? 'key' : group
    // Whoever signs in or registers is counted by address: with each account they hold they would get more tries.
    const isSigningIn = group === 'auth' && request.routeOptions.config?.eep?.auth === 'none'
    const key = `${name}:${caller && !isSigningIn ? caller.account.id : clientOf(request)}`
    // A probe asks about this process, and gets its answer also while the database is away.
    announce(reply, name, limit, await (group === 'exempt' ? here : store).hit(key, RATE_WINDOW_MS))
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
