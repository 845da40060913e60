import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackPackages } from './debian.ts'
import { serverUser } from './embedded-postgres.ts'
import { freePort } from './ports.ts'

const cache = join(import.meta.dirname, '../../../node_modules/.cache/pgbouncer')
const INSTALLED = '/usr/sbin/pgbouncer'
const PACKAGES = ['pgbouncer', 'libevent-2.1-7', 'libc-ares2']

/** PgBouncer in transaction mode. */
export interface PgBouncer {
  /** Returns the address of a database of the server through the pooler. */
  urlOf(connectionString: string): string
  stop(): Promise<void>
}

export interface PgBouncerOptions {
  /** A database of its server. */
  readonly connectionString: string
  /** How many connections it opens to a database. */
  readonly poolSize: number
}

/** The PgBouncer of this machine, else that of Debian, downloaded for the tests alone; a sentence with the reason when there is none. */
export async function findPgBouncer(): Promise<string | { start(options: PgBouncerOptions): Promise<PgBouncer> }> {
  try {
    if (process.platform !== 'linux') return `no PgBouncer on ${process.platform}`
    const found = await installed()
    return { start: (options) => start(found, options) }
  } catch (error) {
    return `no PgBouncer: ${error instanceof Error ? error.message : error}`
  }
}

type Installed = Awaited<ReturnType<typeof installed>>

async function start(
  { program, env }: Installed,
  { connectionString, poolSize }: PgBouncerOptions,
): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password, searchParams } = new URL(connectionString)
  const directory = await mkdtemp(join(tmpdir(), 'eep-pgbouncer-'))
  await chmod(directory, 0o755)
  const port = await freePort()
  const target = [
    `host=${searchParams.get('host') ?? hostname}`,
    `port=${serverPort || 5432}`,
    `user=${decodeURIComponent(username)}`,
    ...(password ? [`password=${decodeURIComponent(password)}`] : []),
  ]
  const configuration = join(directory, 'pgbouncer.ini')
  await writeFile(
    configuration,
    `[databases]
* = ${target.join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  )
  // It refuses to run as root.
  const child = spawn(program, [configuration], {
    env,
    cwd: directory,
    ...(await serverUser()),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
  let said = ''
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-4_000)
    if (said.includes('process up')) resolve()
  })
  child.once('error', reject)
  child.once('exit', () => reject(new Error(said || 'PgBouncer ended before it listened')))
  try {
    await listening
  } catch (error) {
    await stop()
    throw error
  }
  return {
    urlOf(database) {
      const url = new URL(database)
      return `postgres://${url.username}@127.0.0.1:${port}${url.pathname}`
    },
    stop,
  }
}

async function installed() {
  const env = { PATH: process.env.PATH }
  if (existsSync(INSTALLED)) return { program: INSTALLED, env }
  if (!existsSync(cache)) await unpackPackages(PACKAGES, cache)
  const [libraries = ''] = (await readdir(join(cache, 'usr/lib'))).filter((name) => name.endsWith('-linux-gnu'))
  return {
    program: join(cache, 'usr/sbin/pgbouncer'),
    env: { ...env, LD_LIBRARY_PATH: join(cache, 'usr/lib', libraries) },
  }
}
