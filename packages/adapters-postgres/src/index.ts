import { type PostgresPool as KyselyPool, PostgresDialect } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { type PostgresStorage, sqlStorage } from './storage.ts'
import type { ListenClient } from './watch.ts'

export type { MigrationStatus } from './migrate.ts'
export { type PostgresStorage, type SqlStorageOptions, sqlStorage } from './storage.ts'
export type { ListenClient } from './watch.ts'

/** What is used of a `pg.Pool`. */
export interface PostgresPool extends KyselyPool {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'acquire', listener: (client: PostgresClient) => void): unknown
}

interface PostgresClient {
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** How a storage uses the pool of its host. */
export interface PostgresStorageOptions {
  /** A `pg.Pool`. It stays the host's: `close` leaves it open. */
  readonly pool: PostgresPool
  /** The schema all tables live in; `eep` when left out. */
  readonly schema?: string | undefined
  /**
   * Makes the connection that hears of new events; a client with the options of the pool when left out. Behind a pooler
   * that cannot LISTEN, name a direct address here, or pass `false`: the log is polled then.
   */
  readonly listen?: (() => ListenClient) | false | undefined
}

/** Storage on PostgreSQL 15 or later. Call `migrate` before the first use. */
export function postgresStorage({ pool, schema, listen }: PostgresStorageOptions): PostgresStorage {
  surviveLostConnections(pool)
  const borrowed = { options: pool.options, connect: () => pool.connect(), end: async () => {} }
  return sqlStorage({
    dialect: new PostgresDialect({ pool: borrowed }),
    schema,
    listen: listen === false ? undefined : (listen ?? (() => new Client(pool.options as ClientConfig))),
  })
}

const survivors = new WeakSet<object>()

/**
 * The pool replaces a connection that breaks, and whoever was using it gets the error. Without these listeners Node would
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
