import { sha256 } from '../../../kernel/digest.ts'
import { foldAddress } from '../../../kernel/email-address.ts'
import type { RateLimitStore } from '../../../ports/rate-limit-store.ts'
import { tooManyWrongPasswords } from './errors.ts'

export interface LoginThrottleLimit {
  readonly store: Pick<RateLimitStore, 'hit'>
  /** Wrong passwords for an email address, from all clients, before guessing clients are rejected. */
  readonly failures: number
}

const GUESS_WINDOW_MS = 15 * 60_000
/** Wrong passwords of one client before it is rejected. */
const OWN_FAILURES = 3
const MAX_REMEMBERED = 10_000

/**
 * Slows down guessing at one account from many addresses. After too many wrong passwords for an email address, each client
 * that sent some of them is rejected until the window ends. Other clients can still sign in, so an attacker does not
 * lock out the owner. Whether the account exists makes no difference.
 */
export function createLoginThrottle({ store, failures }: LoginThrottleLimit) {
  // The store only counts and cannot be queried, so each instance caches the clients that it rejects. Another instance
  // starts to reject a client with its next wrong password there.
  const refusedUntil = new Map<string, number>()

  const digest = (email: string) => sha256(foldAddress(email), 'base64url')
  const pairOf = (email: string, from: string) => `${digest(email)}:${from}`

  function remember(pair: string, untilMs: number): void {
    refusedUntil.delete(pair)
    refusedUntil.set(pair, untilMs)
    const [oldest] = refusedUntil.keys()
    if (refusedUntil.size > MAX_REMEMBERED && oldest !== undefined) refusedUntil.delete(oldest)
  }

  return {
    /** Throws `too_many_wrong_passwords` when `from` has sent too many wrong passwords for `email`. */
    assertAllowed(email: string, from: string | undefined): void {
      if (from === undefined || refusedUntil.size === 0) return
      const pair = pairOf(email, from)
      const waitMs = (refusedUntil.get(pair) ?? 0) - Date.now()
      if (waitMs > 0) throw tooManyWrongPasswords({ retryAfterMs: waitMs })
      refusedUntil.delete(pair)
    },

    /** Counts a wrong password. */
    async recordFailure(email: string, from: string | undefined): Promise<void> {
      if (from === undefined) return
      const [all, own] = await Promise.all([
        store.hit(`wrong-password:${digest(email)}`, GUESS_WINDOW_MS),
        store.hit(`wrong-password:${pairOf(email, from)}`, GUESS_WINDOW_MS),
      ])
      if (all.count >= failures && own.count >= OWN_FAILURES) remember(pairOf(email, from), own.resetAtMs)
    },
  }
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>
