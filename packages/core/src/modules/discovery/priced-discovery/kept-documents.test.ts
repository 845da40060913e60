import { describe, expect, it } from 'vitest'
import { createKeptDocuments } from './kept-documents.ts'

function documents(maxEntries = 2) {
  let now = 0
  let builds = 0
  const kept = createKeptDocuments<number>(() => new Date(now), maxEntries)
  const build = async () => {
    builds += 1
    return builds
  }
  return {
    get: (key = 'a') => kept.get(key, build),
    fail: (key = 'a') => kept.get(key, () => Promise.reject(new Error('no rail'))),
    size: kept.size,
    wait(ms: number) {
      now += ms
    },
  }
}

describe('kept documents', () => {
  it('are built once for concurrent requests, and again after a minute', async () => {
    const { get, wait } = documents()
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1])
    wait(59_999)
    expect(await get()).toBe(1)
    wait(1)
    expect(await get()).toBe(2)
  })

  it('are built again after a build that failed', async () => {
    const { get, fail } = documents()
    await expect(fail()).rejects.toThrow('no rail')
    expect(await get()).toBe(1)
  })

  it('are dropped when there are too many, the one used longest ago first', async () => {
    const { get, size } = documents(2)
    await get('a')
    await get('b')
    await get('a')
    await get('c')
    expect(size()).toBe(2)
    expect(await get('a')).toBe(1)
    expect(await get('b')).toBe(4)
  })
})
