import { randomUUID } from 'node:crypto'
import { mkdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The contents of a lock file. */
interface Holder {
  readonly token: string
  readonly pid: number
  /** The start time of the process, if the system provides it, because pids are reused. */
  readonly started: string
  /** The scope of the pid: this boot of the machine and this container. */
  readonly place: string
}

const HEARTBEAT_MS = 2_000
/** A holder in another scope counts as dead after this time without a heartbeat. */
const STILL_MS = 15_000
/** After this time, the writer of an empty lock counts as dead. */
const WRITING_MS = 500
/** The time after which all processes that found the same stale lock have handled it. */
const SETTLING_MS = 100

/**
 * Prevents other processes from opening a directory. The lock of a dead process is taken over, even when its pid
 * has been reused or its file is empty.
 *
 * @throws when this or another process has the directory open
 */
export async function lockDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  await mkdir(directory, { recursive: true })
  const path = join(directory, 'lock')
  const mine: Holder = {
    token: randomUUID(),
    pid: process.pid,
    started: await startOf(process.pid),
    place: await whereAmI(),
  }

  let contended = false
  const isMine = async () => {
    // A process that mistook this new lock for the stale one restores it, perhaps over a third one.
    if (contended) await sleep(SETTLING_MS)
    return (await read(path))?.token === mine.token
  }

  while (!(await create(path, mine)) || !(await isMine())) {
    contended = true
    const holder = (await read(path)) ?? (await sleep(WRITING_MS).then(() => read(path)))
    if (holder && (await isThere(holder, path, mine.place))) {
      throw new Error(`The data directory ${directory} is open in process ${holder.pid}; only one at a time may use it`)
    }
    await remove(path, holder, mine)
  }

  const heartbeat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS)
  heartbeat.unref()
  return {
    async release() {
      clearInterval(heartbeat)
      if ((await read(path))?.token === mine.token) await rm(path, { force: true })
    },
  }
}

const create = (path: string, holder: Holder) =>
  writeFile(path, JSON.stringify(holder), { flag: 'wx', flush: true }).then(() => true, unless('EEXIST', false))

async function read(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(unless('ENOENT', ''))
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of several processes that find a stale lock, one moves it away. A process that moved a new one instead restores it. */
async function remove(path: string, holder: Holder | undefined, mine: Holder) {
  const aside = `${path}.${mine.token}`
  const moved = await rename(path, aside).then(() => true, unless('ENOENT', false))
  if (!moved) return
  if ((await read(aside))?.token === holder?.token) await rm(aside)
  else await rename(aside, path)
}

async function isThere(holder: Holder, path: string, here: string): Promise<boolean> {
  if (holder.place === here) return isAlive(holder.pid) && holder.started === (await startOf(holder.pid))

  const lastBeat = () => stat(path).then(({ mtimeMs }) => mtimeMs, unless('ENOENT', 0))
  const seen = await lastBeat()
  const still = Math.max(0, Date.now() - seen)
  for (let waited = still; waited < STILL_MS; waited += WRITING_MS) {
    await sleep(WRITING_MS)
    const beat = await lastBeat()
    if (beat !== seen) return beat !== 0
  }
  return false
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Any error but ESRCH, for example for a process of another user, means that it is alive.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Returns the 22nd field of /proc/<pid>/stat. The second one is a name that may contain spaces and brackets. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

async function whereAmI(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(hostname)
  const container = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${boot.trim()} ${container}`.trim()
}

const unless =
  <Value>(code: string, value: Value) =>
  (error: unknown): Value => {
    if (error instanceof Error && 'code' in error && error.code === code) return value
    throw error
  }
