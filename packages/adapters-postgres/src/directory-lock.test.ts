import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDirectory } from './directory-lock.ts'

describe('the lock of a data directory', () => {
  let directory: string
  let path: string

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'eep-lock-'))
    path = join(directory, 'lock')
  })
  afterEach(() => rm(directory, { recursive: true }))

  /** A lock file as another process leaves it. */
  const leave = async (changes: object) => {
    const lock = await lockDirectory(directory)
    const mine = JSON.parse(await readFile(path, 'utf8'))
    await lock.release()
    await writeFile(path, JSON.stringify({ ...mine, token: 'left', ...changes }))
  }
  const lockAndRelease = async () => (await lockDirectory(directory)).release()

  it('refuses a second lock until the first is released', async () => {
    const lock = await lockDirectory(directory)
    await expect(lockDirectory(directory)).rejects.toThrow(`is open in process ${process.pid}`)
    await lock.release()
    await lockAndRelease()
    await expect(stat(path)).rejects.toThrow('ENOENT')
  })

  it('gives a stale lock to exactly one of many processes', async () => {
    await leave({ pid: 2 ** 22 + 1 })
    const locks = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory)))
    const won = locks.filter((lock) => lock.status === 'fulfilled')
    expect(won).toHaveLength(1)
    await won[0]?.value.release()
  })

  it('keeps a lock while its process lives, and releases it with the process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    try {
      await once(child, 'spawn')
      await leave({ pid: child.pid, started: await startOf(child.pid) })
      await expect(lockDirectory(directory)).rejects.toThrow(`is open in process ${child.pid}`)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await lockAndRelease()
  })

  it('treats a lock as stale when its pid belongs to another process', async () => {
    await leave({ started: 'long ago' })
    await lockAndRelease()
  })

  it('treats an empty or truncated lock file as unlocked', async () => {
    for (const text of ['', '{"token":"le', '\0\0\0\0']) {
      await writeFile(path, text)
      await lockAndRelease()
    }
  })

  it('keeps a lock of another machine while its heartbeat continues', async () => {
    await leave({ place: 'elsewhere' })
    const heart = setInterval(() => void utimes(path, new Date(), new Date()), 100)
    await expect(lockDirectory(directory)).rejects.toThrow('is open in process')
    clearInterval(heart)

    const longAgo = new Date(Date.now() - 60_000)
    await utimes(path, longAgo, longAgo)
    await lockAndRelease()
  })

  it('does not remove the lock of a later holder', async () => {
    const lock = await lockDirectory(directory)
    await writeFile(path, '{"token":"of another process"}')
    await lock.release()
    expect(await readFile(path, 'utf8')).toContain('another process')
  })
})

async function startOf(pid: number | undefined): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
