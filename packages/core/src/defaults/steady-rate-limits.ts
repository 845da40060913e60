import type { RateLimitStore } from '../ports/rate-limit-store.ts'
import { memoryRateLimits } from './memory-rate-limits.ts'

/** Counts in a store that instances share; while that is away, each instance counts for itself. */
export function steadyRateLimits(shared: RateLimitStore, onError: (error: unknown) => void): RateLimitStore {
  const here = memoryRateLimits()
  return {
    async hit(key, windowMs) {
      try {
        return await shared.hit(key, windowMs)
      } catch (error) {
        onError(error)
        return here.hit(key, windowMs)
      }
    },
    close: async () => shared.close?.(),
  }
}
