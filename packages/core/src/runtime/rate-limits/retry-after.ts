import type { RateLimitHit } from '../../ports/rate-limit-store.ts'

/** The header of a refused hit: the whole seconds until its window ends, at least 1. */
export const retryAfter = ({ resetAtMs }: Pick<RateLimitHit, 'resetAtMs'>) => ({
  'retry-after': String(Math.max(1, Math.ceil((resetAtMs - Date.now()) / 1_000))),
})
