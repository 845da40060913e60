import type { RateLimitStore } from '@eep/core/ports'

const REQUEST_WINDOW_MS = 60_000

/** Counts what is limited by the hour or the quarter, and lets every request through. */
export function countingAllButRequests(): RateLimitStore {
  const counts = new Map<string, number>()
  return {
    hit(key, windowMs) {
      const count = windowMs === REQUEST_WINDOW_MS ? 1 : (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { count, resetAtMs: Date.now() + windowMs }
    },
  }
}
