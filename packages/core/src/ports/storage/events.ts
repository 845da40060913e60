import type { JsonObject } from '../../kernel/json.ts'
import type { ActingApp } from '../../model/acting-app.ts'

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
  /** The app by which that account caused it. Erased with the account. */
  readonly through?: ActingApp | undefined
  /** The W3C `traceparent` of what caused it, when traces are on. */
  readonly traceparent?: string | undefined
}

/** An event as it is stored. */
export interface StoredEvent extends NewEvent {
  /** Its position in the log, for `list`; see {@link compareCursors}. */
  readonly cursor: string
}

/**
 * Compares two cursors of one log: negative when the first comes before the second, 0 when they are equal. A cursor is up
 * to three integers, joined by `-`; the first difference decides.
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

/** Selects a part of the log. */
export interface EventQuery {
  /** Events after this one: a `cursor`, or {@link LOG_START}. */
  readonly after: string
  /** The maximum number of events, settled and early together. */
  readonly limit: number
  /** Only events of this profile. */
  readonly profileId?: number | undefined
  /** The `seen` of an earlier list: leaves out the events that were committed when it was read. */
  readonly seen?: string | undefined
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
  /**
   * Identifies what was committed when this was read, listed or not; opaque. Pages that all start with the `seen` of the
   * first page of the previous round hold every event that was committed since, wherever it is in the log. May be
   * undefined without events, and in a storage that settles events as they are committed.
   */
  readonly seen?: string | undefined
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
  /** Events before this time. */
  readonly before: Date
  /** The types of events that are kept. */
  readonly keep: readonly string[]
  /** Events that followers whose lease ends after this time have not handled yet are kept. */
  readonly heldSince: Date
  /** The maximum number of events to examine. */
  readonly limit: number
}

/** The lease of a process on a durable follower. */
export interface FollowerLease {
  readonly name: string
  /** Unique for each process. */
  readonly holder: string
}

/** The event log. */
export interface EventStore extends EventReader {
  /**
   * Adds events in the order given. Concurrent transactions do not wait for each other; `list` shows which events are
   * settled.
   */
  append(events: readonly NewEvent[]): Promise<readonly StoredEvent[]>
}

/**
 * How far the times of events may be out of order, in milliseconds, because transactions overlap and clocks of instances
 * differ.
 */
export const EVENT_DISORDER_MS = 60_000

/** The retention of the event log, for reading. */
export interface EventRetentionReader {
  /**
   * The cursor up to which `prune` has deleted events. No event after it is missing. {@link LOG_START} when nothing was
   * deleted.
   */
  horizon(): Promise<string>
  /**
   * A cursor before every event that is later than the given time, which skips earlier ones as far as {@link
   * EVENT_DISORDER_MS} allows. The head of the log when no event is later.
   */
  findCursor(moment: Date): Promise<string>
}

/** Deletes old events. */
export interface EventRetentionStore extends EventRetentionReader {
  /**
   * Examines the oldest settled events after the horizon, deletes those that need not be kept, and moves the horizon after
   * the last examined one. Stops at the first event that is not older than `before`, and at the cursor of a follower that
   * still needs events. Returns the number of examined events. Concurrent calls examine different events.
   */
  prune(query: PruneQuery): Promise<number>
  /**
   * Deletes events of some types that were emitted before a time, the oldest first, at most `limit`. Only events before
   * the horizon, which `prune` has kept, are deleted. Returns their number.
   */
  pruneKept(query: {
    readonly before: Date
    readonly types: readonly string[]
    readonly limit: number
  }): Promise<number>
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
   * Acquires or renews the lease of a follower for `leaseMs` by the clock of the database, and returns its cursor. A new
   * follower starts at `start`. `undefined` while another holder has the lease. A `leaseMs` of 0 releases it.
   */
  lease(
    follower: FollowerLease,
    options: { readonly leaseMs: number; readonly start: string },
  ): Promise<string | undefined>
  /** Moves the cursor of a follower. False when another holder has the lease, or the cursor is no longer at `from`. */
  advance(follower: FollowerLease, move: { readonly from: string; readonly to: string }): Promise<boolean>
}
