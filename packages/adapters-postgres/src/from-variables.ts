/** How hosts use PostgreSQL or PGlite, as variables configure them. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  ConfigurationError,
  defineHostAdapter,
  type HostDatabase,
  matching,
  needs,
  type OpenDatabase,
  type OpeningMode,
  openVariable,
  secretVariable,
  wholeNumber,
} from '@eep/core/host'
import { Pool } from 'pg'
import { checkEmbedded, checkServer } from './check-database.ts'
import { postgresStorage } from './index.ts'
import type { PostgresStorage } from './storage.ts'

const NO_DATABASE = 'is not a postgres:// address'
const postgresUrl = matching(/^postgres(ql)?:\/\/\S+$/, NO_DATABASE).refine(URL.canParse, NO_DATABASE)

/**
 * The database of a host: the PostgreSQL of `DATABASE_URL`, otherwise an embedded one in the data directory.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * await runHost({ adapters: [postgres], options })
 */
export const fromVariables = defineHostAdapter({
  name: '@eep/adapters-postgres',
  prefixes: [],
  variables: {
    DATABASE_URL: secretVariable(
      postgresUrl,
      'for example postgres://user:password@localhost:5432/eep; leave it out for the embedded database',
      'postgres://user:password@localhost:5432/eep',
      { comment: 'PostgreSQL. Without DATABASE_URL, an embedded database in the data directory is used.' },
    ),
    DATABASE_POOL_SIZE: openVariable(
      wholeNumber('connections', 2, 1_000),
      'how many connections to PostgreSQL this host opens at most; 10 is the default',
      '10',
      { comment: 'Connections of this host, and a replica for searches and public reads.' },
    ),
    DATABASE_REPLICA_URL: secretVariable(
      postgresUrl,
      'a read replica of the PostgreSQL of DATABASE_URL, which serves searches and public reads; leave it out for none',
      'postgres://user:password@replica:5432/eep',
    ),
  },
  rules: [needs('DATABASE_REPLICA_URL', 'DATABASE_URL'), needs('DATABASE_POOL_SIZE', 'DATABASE_URL')],
  warnings: [
    {
      when: ({ production, has }) => production && !has('DATABASE_URL'),
      problem: () =>
        'DATABASE_URL is not set, so the embedded database is used: a power failure can lose the last writes, of payments too',
    },
  ],
  database: ({ DATABASE_URL: url, DATABASE_REPLICA_URL: replica, DATABASE_POOL_SIZE: max = 10 }, dataDir) =>
    url === undefined ? inDirectory(dataDir) : onServer({ url, replica, max }),
})

/** An embedded database. No other process can have it open, so it is migrated unless it is to be looked at. */
const inDirectory = (dataDir: string): HostDatabase => ({
  isEmbedded: true,
  open: (mode) => {
    if (mode === 'untouched' && !existsSync(join(dataDir, 'postgres'))) return openEmbedded(undefined, false)
    const isMigrated = mode === 'migrated' || mode === 'current'
    return prepared(
      () => openEmbedded(dataDir, isMigrated),
      isMigrated ? 'migrated' : mode,
      `EEP_DATA_DIR "${dataDir}"`,
    )
  },
  check: (checkContent) => checkEmbedded(dataDir, checkContent),
})

async function openEmbedded(dataDir: string | undefined, migrateOnOpen: boolean): Promise<OpenPostgres> {
  const { pgliteStorage } = await import('./pglite.ts')
  const storage = pgliteStorage({ dataDir, migrateOnOpen })
  return { storage, close: storage.close }
}

interface ServerOptions {
  readonly url: string
  readonly replica: string | undefined
  readonly max: number
}

const onServer = (options: ServerOptions): HostDatabase => ({
  isEmbedded: false,
  open: (mode) => prepared(async () => connect(options), mode, 'DATABASE_URL'),
  check: (checkContent) => checkServer(options.url, checkContent),
})

function connect({ url, replica, max }: ServerOptions): OpenPostgres {
  const poolOn = (connectionString: string) => new Pool({ connectionString, max, connectionTimeoutMillis: 10_000 })
  const pool = poolOn(url)
  const readPool = replica === undefined ? undefined : poolOn(replica)
  const storage = postgresStorage({ pool, readPool })
  return {
    storage,
    async close() {
      await storage.close()
      await Promise.all([pool.end(), readPool?.end()])
    },
  }
}

interface OpenPostgres extends OpenDatabase {
  readonly storage: PostgresStorage
}

/** Opens a database and makes sure that it can be used in this mode. */
async function prepared(open: () => Promise<OpenPostgres>, mode: OpeningMode, place: string): Promise<OpenDatabase> {
  const opened = await open()
  const { storage, close } = opened
  try {
    if (mode === 'migrated') await storage.migrate()
    else if (mode === 'current') await storage.ping()
    else await storage.status()
    return opened
  } catch (error) {
    await close().catch(() => {})
    throw new ConfigurationError([`${place} cannot be used: ${reasonOf(error)}`], { cause: error })
  }
}

/** Returns the reason of a failure. A refused connection is an error without a message that contains one error per address. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}
