import type { RateLimitStore } from '../ports/rate-limit-store.ts'

/** How many mails of one kind an account is sent, whoever asks for them. */
export interface EmailRate {
  readonly store: Pick<RateLimitStore, 'hit'>
  readonly perHour: number
}

export const HOUR_MS = 3_600_000
