import type { RateLimitStore } from '../ports/rate-limit-store.ts'
import { memoryRateLimits } from './memory-rate-limits.ts'

/** After a failure the shared store is left alone this long, so that requests do not wait for it one by one. */
const PAUSE_MS = 1_000

/**
 * Counts in a store that instances share; while that is unavailable, each instance counts for itself.
 *
 * @param onError - called once when an outage begins
 */
export function steadyRateLimits(shared: RateLimitStore, onError: (error: unknown) => void): RateLimitStore {
  const here = memoryRateLimits()
  let isFailing = false
  let askAgainAt = Number.NEGATIVE_INFINITY

  return {
    async hit(key, windowMs) {
      if (performance.now() < askAgainAt) return here.hit(key, windowMs)
      try {
        const counted = await shared.hit(key, windowMs)
        isFailing = false
        return counted
      } catch (error) {
        if (!isFailing) onError(error)
        isFailing = true
        askAgainAt = performance.now() + PAUSE_MS
        return here.hit(key, windowMs)
      }
    },
    close: async () => shared.close?.(),
  }
}
