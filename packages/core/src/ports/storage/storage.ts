import { defineError } from '../../kernel/errors.ts'
import type { JobQueue } from '../job-queue.ts'
import { type OptionalGroup, type Readers, STORES_OF_GROUP, type Stores } from './groups.ts'

export type { OptionalGroup, Readers, Stores } from './groups.ts'

/**
 * Creates the error for a storage that cannot be reached. Public reads are then answered from the read cache for a while,
 * everything else with 503. Pass the driver's error as `cause`, and a `retry-after` header.
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
  /** Throws when the storage cannot serve requests now. */
  ping(): Promise<void>
  close(): Promise<void>
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
      throw new TypeError(`The storage names the group "${group}" but lacks ${missing.join(', ')}`)
  }
  return storage
}
