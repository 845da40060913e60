import {
  OPTIONAL_GROUPS,
  type OptionalGroup,
  type PoolUse,
  type RateLimitStore,
  type Readers,
  type SearchIndex,
  type Storage,
} from '@eep/core/ports'
import { type Dialect, Kysely, sql } from 'kysely'
import { createStores, createTransactionStores, type Marks } from './all-stores.ts'
import { createAnnouncer } from './announcer.ts'
import { assertIsoDates } from './connection-settings.ts'
import type { Database } from './database.ts'
import { assertEventOrder, startEraAfterRestore } from './event-order.ts'
import { groupsWithData } from './groups-with-data.ts'
import { assertMigrated, type MigrationStatus, migrate, migrationStatus } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { bindMoneyKind } from './money-kind.ts'
import { createQueue } from './queue/queue.ts'
import { sqlRateLimits } from './rate-limits.ts'
import { assertReplica, replicaPosition, withReplica } from './read-replica.ts'
import { type DeletedRows, rehearse } from './rehearsal.ts'
import { sqlState } from './rows.ts'
import { type SqlSearchOptions, sqlSearch } from './search/search.ts'
import { eventChannel } from './stores/events.ts'
import { limitTransaction } from './transaction-limit.ts'
import { orUnavailable, reportingUnavailability } from './unavailable.ts'
import { type ListenClient, watchEvents } from './watch.ts'
import { readWorkload } from './workload.ts'

/** A storage that migrates its schema. */
export interface PostgresStorage extends Storage<OptionalGroup> {
  /**
   * Applies pending migrations in one transaction. Does nothing when there are none.
   * Throws when a migration fails, without changing anything.
   */
  migrate(): Promise<void>
  /** Returns applied and pending migrations. */
  status(): Promise<MigrationStatus>
  /**
   * Runs work on a storage whose changes are undone at the end, and returns how many rows it deleted from each table, cascades
   * included. All of it is one transaction: its locks are held and later events wait until it ends. The storage has no
   * queue and runs one `transaction` at a time.
   *
   * @example
   * const deleted = await storage.rehearse(async (storage) => {
   *   const eep = createEep({ ...options, storage })
   *   await eep.purge()
   * })
   */
  rehearse(work: (storage: Storage<OptionalGroup>) => Promise<void>): Promise<DeletedRows>
  /** A rate limit store in the same database; see `postgresRateLimits`. */
  rateLimits(): RateLimitStore
  /** A full-text index in the same database; see `postgresSearch`. */
  search(options?: SqlSearchOptions): SearchIndex
}

/** Options of {@link sqlStorage}. */
export interface SqlStorageOptions {
  /** The Kysely dialect. `close` ends its connections. */
  readonly dialect: Dialect
  /** The dialect of a streaming replica, for reads of public data outside transactions. Default: all reads use `dialect`. */
  readonly readDialect?: Dialect | undefined
  /** The schema of all tables. Default: `eep`. */
  readonly schema?: string | undefined
  /** Creates the connection for notifications of new events. Default: no notifications, the log is polled. */
  readonly listen?: (() => ListenClient) | undefined
  /** Returns the use of the connection pool. Default: unknown. */
  readonly poolUse?: (() => PoolUse) | undefined
  /**
   * The time limit of a transaction in milliseconds, after which it is rolled back; 0 for none. Migrations, the search index and
   * `rehearse` have none. Default: 60,000.
   */
  readonly transactionTimeoutMs?: number | undefined
  /** Whether the database is a server, which ends statements and pauses that exceed the limit. Default: true. */
  readonly isServer?: boolean | undefined
}

const TRANSACTION_TIMEOUT_MS = 60_000

export const DEFAULT_SCHEMA = 'eep'

/**
 * Storage on PostgreSQL with any Kysely dialect. Call `migrate` before the first use.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/storage.md
 * @example
 * const storage = sqlStorage({ dialect })
 * await storage.migrate()
 */
export function sqlStorage({
  dialect,
  readDialect,
  schema = DEFAULT_SCHEMA,
  listen,
  poolUse,
  transactionTimeoutMs = TRANSACTION_TIMEOUT_MS,
  isServer = true,
}: SqlStorageOptions): PostgresStorage {
  assertSchemaName(schema)
  const db = new Kysely<Database>({ dialect })
  const readDb = readDialect && new Kysely<Database>({ dialect: readDialect })
  const primary: Readers<OptionalGroup> = reportingUnavailability(createStores(db, schema))
  const read = readDb ? withReplica(primary, createStores(readDb, schema), replicaPosition(db, readDb)) : primary
  const watches = new Set<() => Promise<void>>()
  const queue = createQueue(db, schema, isServer)
  // Without a listener, the log is polled.
  const announcer = listen && createAnnouncer(() => sql`select pg_notify(${eventChannel(schema)}, '')`.execute(db))

  return {
    groups: OPTIONAL_GROUPS,
    read,
    queue,
    transaction: async (work) => {
      let hasJobs = false
      let hasEvents = false
      const marks: Marks = { added: () => (hasJobs = true), appended: () => (hasEvents = true) }
      const run = () =>
        // The stores require this isolation level, whatever the default of the database.
        db
          .transaction()
          .setIsolationLevel('read committed')
          .execute(async (trx) => {
            const limited = await limitTransaction(trx, transactionTimeoutMs, isServer)
            return work(createTransactionStores(limited, schema, marks))
          })
      const result = await orUnavailable(() => retryConflicts(run))
      if (hasJobs) queue.wake()
      if (hasEvents) announcer?.announce()
      return result
    },

    ...(listen && {
      async watch(wake) {
        const end = await watchEvents(listen, schema, wake)
        const stop = async () => {
          watches.delete(stop)
          await end()
        }
        watches.add(stop)
        return stop
      },
    }),

    async migrate() {
      await assertIsoDates(db)
      await migrate(db, schema, migrations)
      await startEraAfterRestore(db, schema)
    },
    status: () => migrationStatus(db, schema, migrations),
    rehearse: (work) => orUnavailable(() => rehearse(db, schema, (trx) => createTransactionStores(trx, schema), work)),
    rateLimits: () => sqlRateLimits(db, schema),
    search: (options) => sqlSearch(db, schema, options),
    workload: () => orUnavailable(() => readWorkload(db, schema)),
    groupsWithData: (groups) => orUnavailable(() => groupsWithData(db, schema, groups)),
    bindMoneyKind: (decide) => orUnavailable(() => bindMoneyKind(db.withSchema(schema), decide)),
    ...(poolUse && { poolUse }),
    async ping() {
      await assertIsoDates(db)
      await assertMigrated(db, schema, migrations)
      await assertEventOrder(db, schema)
      if (readDb) await assertReplica(db, readDb)
    },
    async close() {
      await Promise.all([announcer?.close(), queue.close(), ...[...watches].map((stop) => stop())])
      await Promise.all([db.destroy(), readDb?.destroy()])
    },
  }
}

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,49}$/

export function assertSchemaName(schema: string) {
  if (SCHEMA_NAME.test(schema)) return
  throw new TypeError(
    `"${schema}" is not a valid schema name: use up to 50 of a-z, 0-9 and _, not starting with a digit`,
  )
}

const ATTEMPTS = 4
const CONFLICTS = new Set(['40001', '40P01'])

/** Retries a transaction that PostgreSQL aborted because of a conflict. */
async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === ATTEMPTS || !CONFLICTS.has(sqlState(error) ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}
