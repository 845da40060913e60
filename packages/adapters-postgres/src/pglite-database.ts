import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Extensions, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import type { PostgresPool } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { embeddedPool } from './embedded-pool.ts'
import { unpackTar } from './unpack-tar.ts'

/**
 * Pages the database caches by itself; the files are also in the page cache of the operating system. The default of PGlite is
 * 160 MB, all of it allocated at the start: an idle database holds 360 MB with that and 220 MB with this.
 */
const SHARED_BUFFERS = '16MB'

/** The name of the database in a data directory. */
const DATABASE = 'postgres'
/** The name of a database that is not complete yet. What an interrupted start left there is deleted by the next one. */
const UNFINISHED = 'postgres.new'

export interface StartOptions {
  /** The locked data directory. Default: in memory. */
  readonly directory?: string | undefined
  /** A dump that a new database starts from. */
  readonly dump?: Blob | undefined
  readonly extensions?: Readonly<Record<string, object>> | undefined
  /** Further settings of PostgreSQL, as `name=value`. */
  readonly settings?: readonly string[] | undefined
}

/** Whether a data directory has a database, or anything else where the database belongs. */
export async function hasDatabase(directory: string): Promise<boolean> {
  const path = join(directory, DATABASE)
  return existsSync(path) && (await readdir(path)).length > 0
}

/** Starts the database of a directory, which it makes if it is missing, or one in memory. */
export async function startDatabase({ directory, dump, ...options }: StartOptions): Promise<PGlite> {
  if (!directory) return start({ ...(dump && { loadDataDir: dump }) }, options)
  const dataDir = join(directory, DATABASE)
  if (!(await hasDatabase(directory))) await makeDatabase(directory, dump, options)
  else if (dump) throw new Error(`${dataDir} is not empty: only a new database can start from a dump`)
  return start({ dataDir }, options)
}

/**
 * Makes the database of a directory, as a copy of a dump or an empty one. An incomplete database never has the name of a complete one,
 * because its process may be interrupted at any time.
 */
export async function makeDatabase(directory: string, dump: Blob | undefined, options: StartOptions = {}) {
  const unfinished = join(directory, UNFINISHED)
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  if (dump) await unpackTar(await tarOf(dump), unfinished)
  else await (await start({ dataDir: unfinished }, options)).close()
  await rename(unfinished, join(directory, DATABASE))
}

/** PGlite also takes compressed dumps. */
async function tarOf(dump: Blob): Promise<Uint8Array> {
  const bytes = new Uint8Array(await dump.arrayBuffer())
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? promisify(gunzip)(bytes) : bytes
}

const start = (place: PGliteOptions, { extensions, settings = [] }: StartOptions) =>
  PGlite.create({
    ...place,
    // The types of PGlite are not part of ours.
    ...(extensions && { extensions: extensions as Extensions }),
    startParams: [
      ...PGlite.defaultStartParams,
      ...[`shared_buffers=${SHARED_BUFFERS}`, ...settings].flatMap((setting) => ['-c', setting]),
    ],
  })

/**
 * An embedded database has one connection. Idle timeouts do not apply, and a request for a second one inside
 * of a transaction fails instead of waiting forever.
 */
export const onlyConnection = (database: PGlite): PostgresPool =>
  embeddedPool(
    new Pool({
      ...(createPgConfig(database) as PoolConfig),
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 30_000,
    }),
  )
