import type { RateLimitStore } from '../ports/rate-limit-store.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import type { OptionalGroup, Storage } from '../ports/storage/storage.ts'
import type { Finding } from './check.ts'

/** The migrations of a database, compared with those of the release. */
export interface HostMigrations {
  readonly schema: string
  readonly applied: readonly { readonly name: string }[]
  /** Those that `migrate` would apply, in order. */
  readonly pending: readonly string[]
  /** Applied by a newer release. */
  readonly unknown: readonly string[]
  /** Applied with other statements than those of this release. */
  readonly changed: readonly string[]
  /** Why this release can neither use nor migrate the database, and what to do. */
  readonly refusal?: string | undefined
}

/** The storage of a host, which can be migrated, and whose changes can be rehearsed. */
export interface HostStorage extends Storage<OptionalGroup> {
  /** Applies the pending migrations, all or none. */
  migrate(): Promise<void>
  status(): Promise<HostMigrations>
  /** Runs work whose changes are undone at the end. Returns how many rows it deleted from each table. */
  rehearse(work: (storage: Storage<OptionalGroup>) => Promise<void>): Promise<Readonly<Record<string, number>>>
  search(): SearchIndex
  rateLimits(): RateLimitStore
}

/** An open database. `close` ends everything that was opened for it. */
export interface OpenDatabase {
  readonly storage: HostStorage
  close(): Promise<void>
}

/**
 * How a database is opened. `migrated`: with all migrations, as a host needs it. `current`: as it is, beside hosts that may use it, and
 * refused when migrations are missing; an embedded one, which no other process can have open, is migrated. `unmigrated`: as it is.
 * `untouched`: as it is, and not created: an empty one takes the place of one that is missing.
 */
export type OpeningMode = 'migrated' | 'current' | 'unmigrated' | 'untouched'

/** The database that the variables name. */
export interface HostDatabase {
  /** Whether it runs in the process of the host. Then it has no other instances, and gets a demo outside of production. */
  readonly isEmbedded: boolean
  /**
   * Opens the database.
   *
   * @throws ConfigurationError when it cannot be used, for example because another process uses the data directory
   */
  open(mode: OpeningMode): Promise<OpenDatabase>
  /**
   * Checks the database and changes nothing.
   *
   * @param checkContent - checks what is in a database that can be read; takes what to do when its migrations cannot be read
   */
  check(checkContent: (storage: HostStorage, fix: string) => Promise<readonly Finding[]>): Promise<readonly Finding[]>
}
