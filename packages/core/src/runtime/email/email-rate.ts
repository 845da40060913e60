import type { RateLimitStore } from '../../ports/rate-limit-store.ts'

/** Limits the emails of one kind per account, regardless of the requester. */
export interface EmailRate {
  readonly store: Pick<RateLimitStore, 'hit'>
  readonly perHour: number
}
