import { sha256 } from '../../kernel/digest.ts'
import type { RateLimitStore } from '../../ports/rate-limit-store.ts'
import { tooManyWrongPasswords } from './errors.ts'

export interface GuessLimit {
  readonly store: Pick<RateLimitStore, 'hit'>
  /** How many wrong passwords a mail address is met with, from wherever, before guessers are sent away. */
  readonly failures: number
}

const GUESS_WINDOW_MS = 15 * 60_000
/** So many are an address' own before it counts as a guesser. */
const OWN_FAILURES = 3
const MAX_REMEMBERED = 10_000

/**
 * Slows down guessing at one account from many addresses. When a mail address has met with too many wrong passwords,
 * whoever gave some of them is sent away until the window ends, whatever they try; who did not is let in, so that nobody
 * locks an owner out. Whether there is such an account makes no difference.
 */
export function createGuesses({ store, failures }: GuessLimit) {
  // A store counts and cannot be asked, so each instance remembers whom it sends away; others learn at the next failure.
  const guessers = new Map<string, number>()

  const digest = (email: string) => sha256(email.toLowerCase(), 'base64url')
  const pairOf = (email: string, from: string) => `${digest(email)}:${from}`

  function remember(pair: string, untilMs: number): void {
    guessers.delete(pair)
    guessers.set(pair, untilMs)
    const [oldest] = guessers.keys()
    if (guessers.size > MAX_REMEMBERED && oldest !== undefined) guessers.delete(oldest)
  }

  return {
    /** Goes on unless `from` guesses at the account of `email`. Throws `too_many_wrong_passwords`. */
    admit(email: string, from: string | undefined): void {
      if (from === undefined || guessers.size === 0) return
      const pair = pairOf(email, from)
      const seconds = Math.ceil(((guessers.get(pair) ?? 0) - Date.now()) / 1000)
      if (seconds > 0) throw tooManyWrongPasswords({ headers: { 'Retry-After': String(seconds) } })
      guessers.delete(pair)
    },

    /** Counts a wrong password. */
    async noteFailure(email: string, from: string | undefined): Promise<void> {
      if (from === undefined) return
      const [all, own] = await Promise.all([
        store.hit(`wrong-password:${digest(email)}`, GUESS_WINDOW_MS),
        store.hit(`wrong-password:${pairOf(email, from)}`, GUESS_WINDOW_MS),
      ])
      if (all.count >= failures && own.count >= OWN_FAILURES) remember(pairOf(email, from), own.resetAtMs)
    },
  }
}

export type Guesses = ReturnType<typeof createGuesses>
