import type { RateLimitStore, SearchIndex } from '@eep/core/ports'
import { Kysely, type PostgresPool as KyselyPool, PostgresDialect } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { setUpConnection } from './connection-settings.ts'
import type { Database } from './database.ts'
import { sqlRateLimits } from './rate-limits.ts'
import { SEARCH_TIMEOUT_MS, type SqlSearchOptions, sqlSearch } from './search/search.ts'
import { assertSchemaName, DEFAULT_SCHEMA, type PostgresStorage, sqlStorage } from './storage.ts'
import type { ListenClient } from './watch.ts'

export { kyselyOf } from './kysely-of.ts'
export type { MigrationStatus } from './migrate.ts'
export type { SqlSearchOptions } from './search/search.ts'
export { type PostgresStorage, type SqlStorageOptions, sqlStorage } from './storage.ts'
export type { ListenClient } from './watch.ts'

/** The used part of a `pg.Pool`. */
export interface PostgresPool extends KyselyPool {
  readonly totalCount?: number | undefined
  readonly idleCount?: number | undefined
  readonly waitingCount?: number | undefined
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'acquire', listener: (client: PostgresClient) => void): unknown
}

interface PostgresClient {
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Options of {@link postgresStorage}. */
export interface PostgresStorageOptions {
  /** A `pg.Pool` of the host. `close` does not end it. */
  readonly pool: PostgresPool
  /**
   * A `pg.Pool` on a streaming replica of the same server, which the host ends. Reads of public data outside transactions go
   * there once the replica has replayed everything that was committed before the read began; else they go to `pool`. Gates,
   * entitlements, payments, sessions and the event log are always read from `pool`. Default: all reads use `pool`.
   *
   * @see https://github.com/eep-service/eep/blob/main/docs/operate/sizing.md
   */
  readonly readPool?: PostgresPool | undefined
  /** The schema of all tables. Default: `eep`. */
  readonly schema?: string | undefined
  /**
   * Creates the connection for `LISTEN`. Default: a client with the options of the pool. With a pooler
   * that does not support LISTEN, connect directly here, or pass `false` to poll the log.
   */
  readonly listen?: (() => ListenClient) | false | undefined
  /**
   * The time limit of a transaction in milliseconds, after which it is rolled back; 0 for none. It holds for requests, jobs and
   * other work of the service, but not for migrations and the search index. Default: 60,000.
   */
  readonly transactionTimeoutMs?: number | undefined
}

/** Options of {@link postgresRateLimits}. */
export interface PostgresRateLimitsOptions {
  /** A `pg.Pool`, the one of the storage or another. The host ends it. */
  readonly pool: PostgresPool
  /** The schema of the storage. Default: `eep`. */
  readonly schema?: string | undefined
}

/**
 * Storage on PostgreSQL 15 or later. Call `migrate` before the first use.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/operations.md
 * @example
 * const storage = postgresStorage({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) })
 * await storage.migrate()
 */
export function postgresStorage(options: PostgresStorageOptions): PostgresStorage {
  const { pool, readPool, schema, listen, transactionTimeoutMs } = options
  const storage = sqlStorage({
    dialect: dialectOn(pool),
    readDialect: readPool && dialectOn(readPool),
    schema,
    transactionTimeoutMs,
    poolUse: () => ({ size: pool.totalCount ?? 0, idle: pool.idleCount ?? 0, waiting: pool.waitingCount ?? 0 }),
    listen: listen === false ? undefined : (listen ?? (() => new Client(pool.options as ClientConfig))),
  })
  return {
    ...storage,
    // A pooler may run each statement on another connection.
    search: (options) => storage.search({ timeoutMs: SEARCH_TIMEOUT_MS, isJitOff: listen === undefined, ...options }),
  }
}

/**
 * Counts requests of all instances in a table of the storage schema: pass it as
 * `limits.rateLimit.store`. A hit throws when the database does not respond within a second. The service then counts in each
 * instance separately, so limits still apply and requests are served.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/limits.md
 * @example
 * await app.register(eep, { ...options, limits: { rateLimit: { store: postgresRateLimits({ pool }) } } })
 */
export function postgresRateLimits({ pool, schema = DEFAULT_SCHEMA }: PostgresRateLimitsOptions): RateLimitStore {
  assertSchemaName(schema)
  return sqlRateLimits(new Kysely({ dialect: dialectOn(pool) }), schema)
}

/** Options of {@link postgresSearch}. */
export interface PostgresSearchOptions extends SqlSearchOptions {
  /** A `pg.Pool`, the one of the storage or another. The host ends it. */
  readonly pool: PostgresPool
  /** The schema of the storage. Default: `eep`. */
  readonly schema?: string | undefined
}

/**
 * A full-text index in the schema that the storage migrates. It needs no extension, and finds vectors by pgvector where the database
 * has it: pass it as `search.index`. With `pgliteStorage()`
 * use `storage.search()`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/search.md
 * @example
 * await app.register(eep, { ...options, modules: [search({ index: postgresSearch({ pool }) })] })
 */
export function postgresSearch({
  pool,
  schema = DEFAULT_SCHEMA,
  timeoutMs = SEARCH_TIMEOUT_MS,
  isJitOff = true,
  ...options
}: PostgresSearchOptions): SearchIndex {
  assertSchemaName(schema)
  const db = new Kysely<Database>({ dialect: dialectOn(pool) })
  return sqlSearch(db, schema, { timeoutMs, isJitOff, ...options })
}

/** Creates a dialect on a pool that the host ends. */
function dialectOn(pool: PostgresPool): PostgresDialect {
  surviveLostConnections(pool)
  const ready = new WeakSet<object>()
  const connect = async () => {
    const client = await pool.connect()
    if (!ready.has(client)) {
      await setUpConnection(client)
      ready.add(client)
    }
    return client
  }
  // A search that takes too long is ended by another connection, because those of the pool may all be busy.
  return new PostgresDialect({ pool: { options: pool.options, connect, end: async () => {} }, controlClient: Client })
}

const survivors = new WeakSet<object>()

/**
 * The pool replaces a broken connection, and its user receives the error. Without these listeners, Node would
 * end the process as well.
 */
function surviveLostConnections(pool: PostgresPool) {
  const survive = (emitter: PostgresClient) => {
    if (survivors.has(emitter)) return
    survivors.add(emitter)
    emitter.on('error', () => {})
  }
  if (!survivors.has(pool)) pool.on('acquire', survive)
  survive(pool)
}
