import type { RateLimitHit } from '../../ports/rate-limit-store.ts'

/** The milliseconds until the window of a refused hit ends, at least 1. */
export const msUntilReset = ({ resetAtMs }: Pick<RateLimitHit, 'resetAtMs'>) => Math.max(1, resetAtMs - Date.now())
