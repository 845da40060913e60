import type { RateLimitHit, RateLimitStore } from '@eep/core/ports'

const REQUEST_WINDOW_MS = 60_000

/** A rate limit store that adds hits with one function. A batch calls it for each key concurrently. */
export function rateLimitsOf(add: (key: string, windowMs: number, hits: number) => RateLimitHit): RateLimitStore {
  return {
    hit: (key, windowMs) => add(key, windowMs, 1),
    hitMany: (batch) => batch.map(({ key, windowMs, hits }) => add(key, windowMs, hits)),
  }
}

/** A rate limit store that counts every hit in a map. Tests raise its counts to come close to a limit. */
export const countingIn = (counts: Map<string, number>): RateLimitStore =>
  rateLimitsOf((key, windowMs, hits) => {
    const count = (counts.get(key) ?? 0) + hits
    counts.set(key, count)
    return { count, resetAtMs: Date.now() + windowMs }
  })

/** Counts what is limited by the hour or the quarter, and lets every request through. */
export function countingAllButRequests(): RateLimitStore {
  const counts = new Map<string, number>()
  return rateLimitsOf((key, windowMs, hits) => {
    const count = windowMs === REQUEST_WINDOW_MS ? 1 : (counts.get(key) ?? 0) + hits
    counts.set(key, count)
    return { count, resetAtMs: Date.now() + windowMs }
  })
}
