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
  /** Its place in the log, for `list`. Only the storage reads it. */
  readonly cursor: string
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
