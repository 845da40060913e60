import { defineError } from '../../kernel/errors.ts'
import type { JobQueue } from '../job-queue.ts'
import type { MoneyKind, StoredMoney } from '../money-kind.ts'
import { type OptionalGroup, type Readers, STORES_OF_GROUP, type Stores } from './groups.ts'

export type { OptionalGroup, Readers, Stores } from './groups.ts'

/**
 * Creates the error for a storage that cannot be reached. Public reads are then served from the read cache for a while,
 * everything else with 503. Pass the driver's error as `cause`, and a `retryAfterMs`.
 *
 * When `transaction` throws it, the changes may have been stored, because the connection may have failed after the commit.
 */
export const storageUnavailable = defineError(
  'storage_unavailable',
  503,
  'The database is unavailable; try again in a moment',
)

/**
 * The storage of everything that must commit in one transaction. `With` are the optional groups that are known to exist.
 */
export interface Storage<With extends OptionalGroup = never> {
  /** The optional groups that the storage has, with all stores of each. Modules that need another group are off. */
  readonly groups: readonly OptionalGroup[]
  readonly read: Readers<With>
  /**
   * Runs `work` in one transaction, which stores all of its changes or none. `work` may be run again after a conflict, so
   * it must use nothing but `tx`.
   */
  transaction<Result>(work: (tx: Stores<With>) => Promise<Result>): Promise<Result>
  /**
   * Calls `wake` soon after any process has appended events, and returns a function that stops it. Omit it in storages
   * without notifications; the log is then polled.
   */
  watch?(wake: () => void): Promise<() => Promise<void>>
  /** Delivers the jobs that `jobs.add` stored. Without a queue the service has no jobs. */
  readonly queue?: JobQueue | undefined
  /**
   * Returns the sizes of the queues in the storage, with one statement that reads no finished work. Omit it in storages
   * that cannot; those metrics are then absent.
   */
  workload?(): Promise<StorageWorkload>
  /**
   * Returns those of some groups that have data. The service asks at start for the groups of features that are not imported, and
   * logs them. Omit it in storages that cannot; nothing is logged then.
   */
  groupsWithData?(groups: readonly OptionalGroup[]): Promise<readonly OptionalGroup[]>
  /**
   * Returns the kind of money that this storage was bound to by an earlier call. The first call binds it: `decide` gets what is stored and
   * returns the kind, or throws, and then nothing is written. Of concurrent first calls, one decides.
   */
  bindMoneyKind(decide: (stored: StoredMoney) => MoneyKind): Promise<MoneyKind>
  /** Returns the use of the connection pool, if there is one. */
  poolUse?(): PoolUse | undefined
  /** Throws when the storage cannot serve requests now. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** How much of one kind of work is open. */
export interface OpenWork {
  readonly count: number
  /** The age of the oldest. */
  readonly oldestSeconds: number
}

/** The sizes of the queues in a storage. */
export interface StorageWorkload {
  /** Payments without an outcome. */
  readonly payments: readonly (OpenWork & {
    readonly rail: string
    readonly state: 'settling' | 'unknown'
    /** The stored reason of an unknown outcome. */
    readonly reason: string | null
  })[]
  /** Jobs that have not ended. */
  readonly jobs: readonly (OpenWork & { readonly kind: string; readonly status: 'queued' | 'running' })[]
  /** Deliveries to webhooks that are not settled, counted up to a limit. */
  readonly deliveries: number
  /** The durable followers that were leased within the last hour, and the age of the first event each has not handled. */
  readonly followers: readonly { readonly name: string; readonly lagSeconds: number }[]
}

/** The use of a connection pool. */
export interface PoolUse {
  readonly size: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

/**
 * Returns a storage with its types checked.
 *
 * @throws TypeError when one of its groups lacks a store
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/storage.md
 * @example
 * export const ownStorage = () => defineStorage({ groups: ['files'], read, transaction, ping, close })
 */
export function defineStorage(storage: Storage): Storage {
  for (const group of storage.groups) {
    const missing = STORES_OF_GROUP[group].filter((name) => storage.read[name] === undefined)
    if (missing.length > 0)
      throw new TypeError(`The storage declares the group "${group}" but lacks ${missing.join(', ')}`)
  }
  return storage
}
