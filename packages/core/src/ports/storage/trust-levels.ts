import type { Level } from '../../model/trust-score.ts'

export type { Level } from '../../model/trust-score.ts'

/** The trust level that was last observed of a profile. */
export interface TrustLevel {
  readonly profileId: number
  readonly level: Level
  /** When the level may change without an event; null when it does not. */
  readonly recheckAt: Date | null
}

/** The trust levels that were last observed of profiles. They are deleted with their profile. */
export interface TrustLevelStore {
  /**
   * Stores a level and returns the one stored before it: null for the first one of a profile. Concurrent calls for a profile
   * wait for each other, so each returns the level of the one before it. `undefined` when the profile is gone.
   */
  put(level: TrustLevel): Promise<Level | null | undefined>
  /**
   * Takes profiles whose `recheckAt` is not after a moment, at most `limit`, oldest first, and clears their `recheckAt`.
   * Concurrent calls take different profiles.
   */
  takeDue(at: Date, limit: number): Promise<readonly number[]>
}
