import type { Clock } from '../../kernel/clock.ts'

/** The key of everything that exceeds a bound. */
export const OTHER = '(other)'

/** The maximum number of keys of a metric and profile in an hour, and of all of them. */
const MAX_KEYS = 500
const MAX_ALL = 100_000
/** An index of PostgreSQL holds 2,700 bytes. */
const MAX_LENGTH = 600

/**
 * Limits the number of different keys that an hour of a profile gets, because clients choose paths, referrers and queries.
 * Further keys become `(other)`.
 */
export function createKeyLimit(clock: Clock) {
  let hour = 0
  let known = new Map<string, Set<string>>()
  let all = 0

  return {
    keep(profileId: number, metric: string, key: string): string {
      const now = Math.floor(clock().getTime() / 3_600_000)
      if (now !== hour) {
        hour = now
        known = new Map()
        all = 0
      }
      const name = `${profileId} ${metric}`
      const keys = known.get(name) ?? new Set()
      // PostgreSQL stores neither lone surrogates nor the character 0.
      const kept = key.toWellFormed().replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed()
      if (keys.has(kept)) return kept
      if (keys.size >= MAX_KEYS || all >= MAX_ALL) return OTHER
      keys.add(kept)
      known.set(name, keys)
      all += 1
      return kept
    },
  }
}
