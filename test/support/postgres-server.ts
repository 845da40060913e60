import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import { type EmbeddedPostgresOptions, type ServerPrograms, startEmbeddedPostgres } from './embedded-postgres.ts'

export type PostgresServerKind = 'url' | 'docker' | 'embedded' | 'debian' | 'pglite'

/** What a test needs to know to make itself a database. Plain data, so that it can be handed to other processes. */
export interface PostgresAddress {
  readonly kind: PostgresServerKind
  /** Of a database that already exists; `memory://` when there is no server and each database is a PGlite. */
  readonly connectionString: string
  /** The databases made during this run begin with it. */
  readonly prefix: string
}

export interface PostgresServer extends PostgresAddress {
  /** The same database through a Unix socket, which takes less of the processor than TCP. */
  readonly localConnectionString?: string
  stop(): Promise<void>
}

/** How a server is started. */
type ServerOptions = Pick<EmbeddedPostgresOptions, 'sharedBuffersMiB'>

export interface TestDatabase {
  /** `memory://` when it is to be a PGlite. */
  readonly connectionString: string
  /** Waits until the last connection is closed. */
  drop(): Promise<void>
}

const kinds: readonly PostgresServerKind[] = ['url', 'docker', 'embedded', 'debian', 'pglite']

/**
 * A PostgreSQL for tests and measurements: the one at DATABASE_URL, else one in Docker, else the server from npm, else
 * PGlite. `kind`, or the variable TEST_DB, asks for one of them and fails when it cannot be had.
 *
 * @param options - of a server that is started
 */
export async function startPostgresServer(
  kind = process.env.TEST_DB,
  options: ServerOptions = {},
): Promise<PostgresServer> {
  const wanted = kinds.find((known) => known === kind)
  if (kind && !wanted) throw new Error(`TEST_DB is ${kind}, expected one of ${kinds.join(', ')}`)
  if (wanted) return start(wanted, options)
  if (process.env.DATABASE_URL) return start('url', options)

  for (const next of [...(dockerMayAnswer() ? ['docker' as const] : []), 'embedded' as const]) {
    try {
      return await start(next, options)
    } catch (error) {
      console.warn(`no PostgreSQL (${next}): ${error instanceof Error ? error.message : error}`)
    }
  }
  return start('pglite', options)
}

/** Makes an empty database, or a copy of `template`, on a server that was started by `startPostgresServer`. */
export async function createDatabaseOn(server: PostgresAddress, template?: string): Promise<TestDatabase> {
  if (server.kind === 'pglite') return { connectionString: 'memory://', drop: async () => {} }

  const name = `${server.prefix}${randomBytes(6).toString('hex')}`
  // Copying the files takes a quarter of the time where the checkpoints it needs do not wait for the disk.
  const copied = template ? ` template ${template}${server.kind === 'url' ? '' : ' strategy file_copy'}` : ''
  await query(server.connectionString, `create database ${name}${copied}`)
  return { connectionString: databaseUrl(server, name), drop: () => dropDatabase(server, name) }
}

/** The name of a database made once for all test files of a run by `prepare`; the others wait until it is there. */
export async function templateOn(
  server: PostgresAddress,
  name: string,
  prepare: (connectionString: string) => Promise<void>,
): Promise<string> {
  const template = `${server.prefix}template_${name}`
  await connected(server.connectionString, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const found = await client.query('select from pg_database where datname = $1', [template])
    if (found.rowCount) return
    const draft = `${template}_draft`
    await client.query(`drop database if exists ${draft}`)
    await client.query(`create database ${draft}`)
    await prepare(databaseUrl(server, draft))
    await whenUnused(() => client.query(`alter database ${draft} rename to ${template}`))
  })
  return template
}

async function start(kind: PostgresServerKind, options: ServerOptions): Promise<PostgresServer> {
  const prefix = `eep_test_${randomBytes(3).toString('hex')}_`
  switch (kind) {
    case 'url': {
      const connectionString = process.env.DATABASE_URL
      if (!connectionString) throw new Error('TEST_DB is url, but DATABASE_URL is not set')
      const server = { kind, connectionString, prefix }
      return { ...server, stop: () => dropAll(server) }
    }
    case 'docker': {
      const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
      const container = await new PostgreSqlContainer(process.env.TEST_POSTGRES_IMAGE ?? 'postgres:18-alpine')
        .withCommand([
          ...['postgres', '-c', 'fsync=off', '-c', 'autovacuum=off', '-c', 'max_connections=600'],
          ...['-c', `shared_buffers=${options.sharedBuffersMiB ?? 128}MB`],
        ])
        .start()
      return {
        kind,
        prefix,
        connectionString: container.getConnectionUri(),
        stop: async () => void (await container.stop()),
      }
    }
    case 'embedded':
      return { kind, prefix, ...(await startEmbeddedPostgres(options)) }
    case 'debian':
      return { kind, prefix, ...(await startEmbeddedPostgres({ ...options, programs: await debianPrograms() })) }
    case 'pglite':
      return { kind, prefix, connectionString: 'memory://', stop: async () => {} }
  }
}

/**
 * The programs of the newest PostgreSQL package of Debian or Ubuntu. Other than the one from npm, it compiles expensive queries (`jit`), as
 * do the images of Docker.
 */
async function debianPrograms(): Promise<ServerPrograms> {
  const root = '/usr/lib/postgresql'
  const versions = (await readdir(root).catch(() => [])).map(Number).filter((version) => version >= 15)
  if (versions.length === 0)
    throw new Error(`TEST_DB is debian, but ${root} has no version from 15: install postgresql`)
  const bin = join(root, String(Math.max(...versions)), 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

/** Saves half a second of loading testcontainers where there is clearly no Docker. */
function dockerMayAnswer(): boolean {
  const sockets = [
    '/var/run/docker.sock',
    join(homedir(), '.docker/run/docker.sock'),
    join(process.env.XDG_RUNTIME_DIR ?? '/run', 'docker.sock'),
  ]
  return Boolean(process.env.DOCKER_HOST) || process.platform === 'win32' || sockets.some((path) => existsSync(path))
}

function databaseUrl(server: PostgresAddress, name: string): string {
  const url = new URL(server.connectionString)
  url.pathname = `/${name}`
  return url.href
}

async function dropDatabase(server: PostgresAddress, name: string): Promise<void> {
  // Not `with (force)`: it would break a connection that a pool is just closing, and that error cannot be caught.
  try {
    await whenUnused(() => query(server.connectionString, `drop database if exists ${name}`))
  } catch (error) {
    if (!isInUse(error)) throw error
    console.warn(`${name} is kept until the end of the run: it still has connections`)
  }
}

async function dropAll(server: PostgresAddress): Promise<void> {
  await connected(server.connectionString, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [server.prefix],
    )
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  })
}

async function whenUnused<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isInUse(error) || tries === 40) throw error
      await sleep(50)
    }
  }
}

const isInUse = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55006'

const pools = new Map<string, Pool>()

/** Databases are made and dropped on connections that are kept, as the server starts a process for each new one. */
function query(connectionString: string, text: string) {
  const known = pools.get(connectionString)
  const pool = known ?? new Pool({ connectionString, max: 3, allowExitOnIdle: true })
  if (!known) {
    // The server may stop first.
    pool.on('error', () => {})
    pools.set(connectionString, pool)
  }
  return pool.query(text)
}

async function connected<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
