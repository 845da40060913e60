import type { JsonObject } from '../kernel/json.ts'

/** An event as a service emits it. */
export interface NewEvent {
  /** UUID. */
  readonly id: string
  /** `<module>.<noun>_<participle>`: `content.page_saved`. */
  readonly type: string
  /** The profile it is about; what is cached of that profile is dropped. */
  readonly profileId: number | null
  /** The account that caused it. */
  readonly accountId: string | null
  readonly data: JsonObject
  readonly at: Date
}

/** An event with its place in the log. */
export interface StoredEvent extends NewEvent {
  /** Its place in the log. Places become visible in order; there may be gaps between them. */
  readonly position: number
}

/** Which part of the log to read. */
export interface EventQuery {
  /** Events behind this position. */
  readonly after: number
  readonly limit: number
  /** Only events of this profile. */
  readonly profileId?: number | undefined
}

/** The event log, for reading. */
export interface EventReader {
  /** The events behind a position, in order. */
  list(query: EventQuery): Promise<readonly StoredEvent[]>
  /** The newest events of a profile of these types, newest first. */
  listLatest(query: {
    readonly profileId: number
    readonly types: readonly string[]
    readonly limit: number
  }): Promise<readonly StoredEvent[]>
  /** The position of the newest event; 0 while the log is empty. */
  head(): Promise<number>
}

/** Where a durable follower stands. */
export interface FollowerLease {
  readonly name: string
  /** Who follows: unique for each process. */
  readonly holder: string
}

/** The event log: what others read it by, and who has read how far. */
export interface EventStore extends EventReader {
  /**
   * Adds events at the end of the log. Positions become visible in order: a transaction that commits later never
   * shows an event in front of one that was already read.
   */
  append(events: readonly NewEvent[]): Promise<readonly StoredEvent[]>
  /**
   * Takes or renews the lease of a follower for `leaseMs` by the clock of the database, and tells where it stands. A
   * follower that is new stands at `start`. `undefined` while somebody else holds the lease. Taking it for 0 ms gives
   * it up.
   */
  lease(
    follower: FollowerLease,
    options: { readonly leaseMs: number; readonly start: number },
  ): Promise<number | undefined>
  /** Moves a follower that this holder has leased. False when somebody else holds it by now. */
  advance(follower: FollowerLease, position: number): Promise<boolean>
}
