import type { Clock } from '../../../kernel/clock.ts'

/** The key of everything that exceeds a bound. */
export const OTHER = '(other)'

/** Metrics whose keys the service chooses, of which there are few. */
const FIXED_METRICS: ReadonlySet<string> = new Set(['views', 'clients', 'formats', 'channels', 'countries'])
/** The maximum number of keys of a metric and profile in an hour. */
const MAX_KEYS = 500
/** The maximum number of keys of all profiles in an hour, besides reserved ones. */
const MAX_SHARED = 100_000
/** Keys reserved for each profile, and the hourly cap shared by all profiles. */
const RESERVED_KEYS = 10
const MAX_RESERVED = 200_000
/** An index of PostgreSQL holds 2,700 bytes. */
const MAX_LENGTH = 600

/**
 * Limits the number of different keys that an hour of a profile gets, because clients choose paths, referrers and queries.
 * Further keys become `(other)`. Keys that the service chooses are not limited.
 */
export function createKeyLimit(clock: Clock) {
  let hour = 0
  let known = new Map<string, Set<string>>()
  let shared = 0
  let reserved = 0

  /** Counts a new key; false when there are too many. */
  function admit(keys: ReadonlySet<string>): boolean {
    if (keys.size < RESERVED_KEYS && reserved < MAX_RESERVED) {
      reserved += 1
      return true
    }
    if (keys.size >= MAX_KEYS || shared >= MAX_SHARED) return false
    shared += 1
    return true
  }

  return {
    keep(profileId: number, metric: string, key: string): string {
      if (FIXED_METRICS.has(metric)) return key
      const now = Math.floor(clock().getTime() / 3_600_000)
      if (now !== hour) {
        hour = now
        known = new Map()
        shared = 0
        reserved = 0
      }
      const name = `${profileId} ${metric}`
      const keys = known.get(name) ?? new Set()
      // PostgreSQL stores neither lone surrogates nor the character 0.
      const kept = key.toWellFormed().replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed()
      if (keys.has(kept)) return kept
      if (!admit(keys)) return OTHER
      keys.add(kept)
      known.set(name, keys)
      return kept
    },
  }
}
