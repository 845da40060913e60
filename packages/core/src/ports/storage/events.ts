import type { JsonObject } from '../../kernel/json.ts'

/** An event as a service emits it. */
export interface NewEvent {
  /** UUID. */
  readonly id: string
  /** `<module>.<noun>_<participle>`: `content.page_saved`. */
  readonly type: string
  /** The profile it is about; caches drop their data of that profile. */
  readonly profileId: number | null
  /** The account that caused it. */
  readonly accountId: string | null
  readonly data: JsonObject
  readonly at: Date
}

/** An event as it is stored. */
export interface StoredEvent extends NewEvent {
  /** Its place in the log, for `list`; see {@link compareCursors}. */
  readonly cursor: string
}

/**
 * Compares two cursors of one log: negative when the first comes before the second, 0 when they are equal. A cursor is up to
 * three whole numbers, joined by `-`; the first numbers that differ decide.
 */
export function compareCursors(left: string, right: string): number {
  if (left === right) return 0
  const [ours, theirs] = [left.split('-'), right.split('-')]
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
    const difference = BigInt(ours[index] ?? 0) - BigInt(theirs[index] ?? 0)
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  return 0
}

/** The cursor of a reader that has read nothing, and the head of an empty log. */
export const LOG_START = '0'

/** Which part of the log to read. */
export interface EventQuery {
  /** Events after this one: a `cursor`, or {@link LOG_START}. */
  readonly after: string
  /** How many events, settled and early together. */
  readonly limit: number
  /** Only events of this profile. */
  readonly profileId?: number | undefined
}

/** A part of the log. */
export interface EventList {
  /**
   * Settled events, in order: no transaction that commits later adds an event before them, so a reader that continues
   * after the last one misses nothing.
   */
  readonly events: readonly StoredEvent[]
  /**
   * Committed events that an open transaction can still precede. They are returned again, as settled ones, once that
   * transaction has ended; do not continue after them. Empty in a storage that settles events as they are committed.
   */
  readonly early: readonly StoredEvent[]
}

/** The event log, for reading. */
export interface EventReader {
  /** The events after a cursor: settled ones first, then early ones up to the limit. */
  list(query: EventQuery): Promise<EventList>
  /** The cursor of the last settled event; {@link LOG_START} while there is none. */
  head(): Promise<string>
}

/** Which events to delete. */
export interface PruneQuery {
  /** Events from before this moment. */
  readonly before: Date
  /** The types of events that stay, however old they are. */
  readonly keep: readonly string[]
  /** Followers whose lease ends after this moment still get every event that they have not handled. */
  readonly heldSince: Date
  /** How many events to look at. */
  readonly limit: number
}

/** A durable follower, as one process runs it. */
export interface FollowerLease {
  readonly name: string
  /** Unique for each process. */
  readonly holder: string
}

/** The event log: its readers and its writers. */
export interface EventStore extends EventReader {
  /**
   * Adds events in the order given. Concurrent transactions do not wait for each other; `list` says which events are
   * settled.
   */
  append(events: readonly NewEvent[]): Promise<readonly StoredEvent[]>
}

/**
 * How far the times of events may be out of order: transactions overlap, and the clocks of instances differ. In
 * milliseconds.
 */
export const EVENT_DISORDER_MS = 60_000

/** Which part of the event log is kept, for reading. */
export interface EventRetentionReader {
  /**
   * The cursor up to which `prune` has deleted events: after it nothing is missing. {@link LOG_START} when nothing was
   * deleted.
   */
  horizon(): Promise<string>
  /**
   * A cursor that comes before every event later than a moment, and skips those before it. The times of events are in order but
   * for {@link EVENT_DISORDER_MS}. The head of the log when no event is later.
   */
  findCursor(moment: Date): Promise<string>
}

/** Deletes old events. */
export interface EventRetentionStore extends EventRetentionReader {
  /**
   * Looks at the oldest settled events after the horizon, deletes those to delete and moves the horizon after the last one it
   * looked at. It stops at the first event that is not older than `before`, and at the place of a follower that holds events. Returns how
   * many events it looked at. Concurrent calls look at different events.
   */
  prune(query: PruneQuery): Promise<number>
}

/** The newest events of profiles, for their changelogs. */
export interface ChangelogReader {
  /** The newest committed events of a profile of these types, newest first. */
  listLatest(query: {
    readonly profileId: number
    readonly types: readonly string[]
    readonly limit: number
  }): Promise<readonly StoredEvent[]>
}

/** The durable followers of the event log. */
export interface FollowerStore {
  /**
   * Takes or renews the lease of a follower for `leaseMs` by the clock of the database, and returns its cursor. A new
   * follower begins at `start`. `undefined` while another holder has the lease. A lease of 0 ms releases it.
   */
  lease(
    follower: FollowerLease,
    options: { readonly leaseMs: number; readonly start: string },
  ): Promise<string | undefined>
  /** Moves a follower that this holder has leased. False when another holder has the lease by now. */
  advance(follower: FollowerLease, cursor: string): Promise<boolean>
}
