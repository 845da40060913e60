import { readdir, readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { describe, expect, it } from 'vitest'
import { lowerPoolPriority } from './pool-priority.ts'

/** The niceness of the threads of this process, by name. */
async function nicenessByName(): Promise<Map<string, Set<number>>> {
  const found = new Map<string, Set<number>>()
  for (const id of await readdir('/proc/self/task')) {
    const comm = await readFile(`/proc/self/task/${id}/comm`, 'utf8').catch(() => '')
    if (!comm) continue
    const known = found.get(comm.trim()) ?? new Set()
    found.set(comm.trim(), known.add(getPriority(Number(id))))
  }
  return found
}

describe.runIf(process.platform === 'linux')('the priority of the thread pool', () => {
  it('lowers the threads of the pool and leaves the event loop as it is', async () => {
    const before = getPriority()
    const niceness = before + 1
    await lowerPoolPriority(niceness)
    const threads = await nicenessByName()
    expect([...(threads.get('libuv-worker') ?? [])]).toEqual([niceness])
    expect(getPriority(process.pid)).toBe(before)
  })
})
