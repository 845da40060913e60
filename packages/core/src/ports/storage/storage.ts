import { defineError } from '../../kernel/errors.ts'
import type { JobQueue } from '../job-queue.ts'
import { type OptionalGroup, type Readers, STORES_OF_GROUP, type Stores } from './groups.ts'

export type { OptionalGroup, Readers, Stores } from './groups.ts'

/**
 * What a storage throws while it cannot be reached. Reads of what is open are then answered from the read cache for a
 * while, everything else is 503. Pass the driver's error as `cause`, and a `retry-after` header.
 *
 * Thrown by `transaction`, it says nothing about what was stored: the connection may have broken after the commit.
 */
export const storageUnavailable = defineError(
  'storage_unavailable',
  503,
  'The database is unavailable; try again in a moment',
)

/**
 * Everything that must commit together. Everything else is a separate port. `With` are the optional groups that it has for
 * certain.
 */
export interface Storage<With extends OptionalGroup = never> {
  /** The optional groups that it has, with all stores of each. Modules that need another one are off. */
  readonly groups: readonly OptionalGroup[]
  readonly read: Readers<With>
  /**
   * Runs `work` in one transaction: all of it is stored or nothing. It may be run again after a conflict, so `work`
   * touches nothing but `tx`.
   */
  transaction<Result>(work: (tx: Stores<With>) => Promise<Result>): Promise<Result>
  /**
   * Calls `wake` soon after any process has appended events; returns how to stop. Storages without notifications leave it
   * out, and the log is polled.
   */
  watch?(wake: () => void): Promise<() => Promise<void>>
  /** Hands out what `jobs.add` stored. A storage without a queue leaves it out, and there are no jobs. */
  readonly queue?: JobQueue | undefined
  /** Throws when the storage cannot serve requests now. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Gives a storage its types.
 *
 * @throws TypeError when a group that it names lacks a store
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
