import { resolve } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect } from 'kysely'
import { lockDirectory } from './directory-lock.ts'
import { startEraAfterRestore } from './event-order.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { hasDatabase, onlyConnection, startDatabase } from './pglite-database.ts'
import { migratedDump, stampSnapshot } from './pglite-snapshot.ts'
import { DEFAULT_SCHEMA, type PostgresStorage, sqlStorage } from './storage.ts'

export type { MigrationStatus } from './migrate.ts'
export type { PostgresStorage } from './storage.ts'

/** A search takes the process of the service while it runs. */
const SEARCHES_PER_MINUTE = 10

/** Options of {@link pgliteStorage}. */
export interface PgliteStorageOptions {
  /** The directory of the database, which is created if missing. Default: in memory. */
  readonly dataDir?: string | undefined
  /** The schema all tables live in; `eep` when left out. */
  readonly schema?: string | undefined
  /** The result of `dump`, of which a new database starts as a copy. */
  readonly loadDataDir?: Blob | undefined
  /**
   * Extensions of PGlite by name, for example `{ vector }` of `@electric-sql/pglite-pgvector`, with which `search()` finds vectors faster.
   * A data directory that uses an extension can no longer be opened without it.
   */
  readonly extensions?: Readonly<Record<string, object>> | undefined
  /** Whether the first use migrates the database. With `false`, call `migrate()` before other methods than `status()`. Default: true. */
  readonly migrateOnOpen?: boolean | undefined
}

/** Storage on an embedded database, which can be copied. */
export interface PgliteStorage extends PostgresStorage {
  /** The whole database as a tar file, for `loadDataDir`. */
  dump(): Promise<Blob>
}

/**
 * Storage on a PostgreSQL inside this process, which opens and migrates itself on first use. A data directory that
 * another process has open is an error.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/start/quick-start.md
 * @example
 * const storage = pgliteStorage({ dataDir: '.data' })
 * await storage.migrate()
 */
export function pgliteStorage(options: PgliteStorageOptions = {}): PgliteStorage {
  const { schema = DEFAULT_SCHEMA, dataDir } = options
  if (dataDir?.includes('://'))
    throw new TypeError('dataDir must be the path of a directory; omit it to keep the data in memory')
  let closing: Promise<void> | undefined
  let opening: ReturnType<typeof openDatabase> | undefined
  const open = () => {
    opening ??= openDatabase(options, schema)
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
  const storage = sqlStorage({
    schema,
    isServer: false,
    dialect: new PostgresDialect({ pool: async () => (await open()).pool }),
  })

  return {
    ...storage,
    // A statement of PGlite can neither be ended nor compiled, and an analysis would block the process.
    search: (options) => ({
      ...storage.search({ ...options, timeoutMs: undefined, isJitOff: true, analyzes: false }),
      requestsPerMinute: SEARCHES_PER_MINUTE,
    }),
    dump: async () => (await open()).database.dumpDataDir('none'),
    close: () => (closing ??= close()),
  }

  async function close() {
    await storage.close()
    await (await opening)?.close()
  }
}

async function openDatabase(
  { dataDir, loadDataDir, extensions, migrateOnOpen = true }: PgliteStorageOptions,
  schema: string,
) {
  const directory = dataDir ? resolve(dataDir) : undefined
  const lock = directory ? await lockDirectory(directory) : undefined
  let database: PGlite | undefined
  const close = async () => {
    await database?.close()
    await lock?.release()
  }
  try {
    const isNew = !loadDataDir && !(directory && (await hasDatabase(directory)))
    const isLikeSnapshot = migrateOnOpen && schema === DEFAULT_SCHEMA
    const dump = isNew && isLikeSnapshot ? await migratedDump() : loadDataDir
    database = await startDatabase({ directory, dump, extensions })
    const pool = onlyConnection(database)
    if (migrateOnOpen) {
      const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
      await migrate(db, schema, migrations)
      await stampSnapshot(db, schema)
      await startEraAfterRestore(db, schema)
    }
    return { database, pool, close }
  } catch (error) {
    await close()
    throw error
  }
}
