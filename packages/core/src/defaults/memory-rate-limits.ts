import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { RateLimitStore } from '../ports/rate-limit-store.ts'

/** Counts in this process: enough for one instance. */
export function memoryRateLimits(): RateLimitStore {
  const limiters = new Map<number, RateLimiterMemory>()

  const limiterOf = (windowMs: number) => {
    const known = limiters.get(windowMs)
    if (known) return known
    // It only counts; what is too many is decided by the caller.
    const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowMs / 1000 })
    limiters.set(windowMs, limiter)
    return limiter
  }

  return {
    async hit(key, windowMs) {
      const { consumedPoints, msBeforeNext } = await limiterOf(windowMs).consume(key)
      return { count: consumedPoints, resetAtMs: Date.now() + msBeforeNext }
    },
  }
}
