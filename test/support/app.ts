import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { type EepPluginOptions, eep } from '@eep/core'
import { vcCredentials } from '@eep/core/credentials'
import { type EverythingOptions, everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import { documentConverter } from '@eep/core/files/text'
import { receiptPdf } from '@eep/core/pdf'
import type { OptionalGroup, Storage } from '@eep/core/ports'
import { echoTranscriber } from '@eep/core/testing'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { Client, Pool } from 'pg'
import { createDatabaseFrom, onPglite } from './database.ts'
import { mergeOptions, splitOptions } from './options.ts'
import { PATIENT } from './patient-search.ts'
import { reusedDatabase } from './reused-databases.ts'
import { injectStreams } from './streams.ts'

export const PUBLIC_URL = 'https://profiles.example'
export const SECRET = 'a secret for tests, of thirty-two characters or more'

/** A server with the service on it. */
export type TestApp = FastifyInstance

/** The options of the service and those of its features. `modules` are those of the test, beside all features. */
export type TestAppOptions = Partial<EepPluginOptions> &
  EverythingOptions & {
    /** Whether the service has a search index, in its database. Default: false. */
    readonly withSearch?: boolean | undefined
  }

/** Starts the service on a new server with an empty database. Nothing listens: requests go through `app.inject`. */
export async function createTestApp(
  { withSearch = false, ...options }: TestAppOptions = {},
  server: FastifyServerOptions = {},
  addRoutes?: (app: TestApp) => void,
) {
  const database = options.storage ? undefined : await openStorage()
  // Tests that pass a storage with fewer groups do not use the others.
  const storage = (options.storage as Storage<OptionalGroup> | undefined) ?? database?.storage
  if (!storage) throw new Error('there is no storage')

  const directory = join(tmpdir(), `eep-files-${randomUUID()}`)
  const app: TestApp = Fastify({ logger: false, ...server })
  const defaults = {
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
    files: { blobStore: directoryBlobs({ directory }) },
    media: { transcriber: echoTranscriber() },
    textExtraction: { converter: documentConverter() },
    gates: { credentialVerifier: vcCredentials() },
    payments: { receiptPdf: receiptPdf() },
    ...(withSearch && { search: { index: (storage as PostgresStorage).search(PATIENT) } }),
  }
  const { features, modules = [], ...service } = splitOptions(mergeOptions(defaults, options))
  await app.register(eep, { ...service, storage, modules: [...everything(features), ...modules] })
  addRoutes?.(app)
  await app.ready()
  injectStreams(app)
  // On a busy machine the start may still be going on.
  await app.eep.start()

  return {
    app,
    eep: app.eep,
    storage,
    /** Where the bytes of files are, unless the options keep them elsewhere. */
    directory,
    async close() {
      await app.close()
      await rm(directory, { recursive: true, force: true })
      await database?.close()
    },
  }
}

export interface TestStorage {
  readonly storage: PostgresStorage
  /** The same database as another process has it; on PGlite, which is in one process only, the same storage. */
  another(): PostgresStorage
  /** Every row of every table, or of the given tables, as text. Undefined on PGlite, which has one connection. */
  dump?(names?: readonly string[]): Promise<readonly string[]>
  close(): Promise<void>
}

/** One project of the test run has its tables in a schema of another name. */
const schema = process.env.TEST_SCHEMA

/** A database with the tables of the service, for hosts that open it themselves; on PGlite it is empty. */
export const createMigratedDatabase = () => createDatabaseFrom(`migrated_${schema ?? 'default'}`, migrate)

/** A storage that is ready for use, on a database that goes with it. */
export async function openStorage(): Promise<TestStorage> {
  if (onPglite()) {
    const storage = pgliteStorage()
    return { storage, another: () => storage, close: () => storage.close() }
  }
  const database = await reusedDatabase(schema ?? 'eep', createMigratedDatabase)
  const opened: PostgresStorage[] = []
  const open = () => {
    const storage = postgresStorage({ pool: database.pool(), schema })
    opened.push(storage)
    return storage
  }
  return {
    storage: open(),
    another: open,
    dump: (names) => rowsOf(database.connectionString, names),
    async close() {
      await Promise.all(opened.map((storage) => storage.close()))
      await database.close()
    },
  }
}

/** Every row of every table, or of the given tables, as text. */
export async function rowsOf(connectionString: string, names?: readonly string[]): Promise<readonly string[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') and ($1::text[] is null or tablename = any($1))`,
      [names],
    )
    const rows: string[] = []
    for (const { name } of tables) {
      const found = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      rows.push(...found.rows.map(({ row }) => `${name}: ${row}`))
    }
    return rows
  } finally {
    await client.end()
  }
}

async function migrate(connectionString: string) {
  const pool = new Pool({ connectionString })
  const storage = postgresStorage({ pool, schema })
  await storage.migrate()
  await storage.close()
  await pool.end()
}
