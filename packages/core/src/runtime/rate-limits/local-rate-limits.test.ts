import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RateLimitHits, RateLimitStore } from '../../ports/rate-limit-store.ts'
import { localRateLimits } from './local-rate-limits.ts'
import { memoryRateLimits } from './memory-rate-limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MINUTE = 60_000
const SYNC_MS = 200

/** A store that records its calls, and returns what the test sets. */
function recorded(store: RateLimitStore = memoryRateLimits()) {
  const batches: (readonly RateLimitHits[])[] = []
  const shared: RateLimitStore = {
    hit: store.hit,
    async hitMany(batch) {
      batches.push(batch)
      return store.hitMany(batch)
    },
  }
  const sent = () => batches.map((batch) => batch.map(({ key, hits }) => `${key}:${hits}`))
  return { shared, sent, store }
}

const limit = (of: number, exact = false) => ({ limit: of, exact })
const countOf = async (hit: ReturnType<ReturnType<typeof localRateLimits>['count']>) => (await hit).count

describe('counting locally', () => {
  it('sends all keys in one batch after an interval, and nothing when nothing was counted', async () => {
    const { shared, sent } = recorded()
    const limits = localRateLimits(shared)
    for (const key of ['ada', 'bob', 'ada']) expect(limits.count(key, MINUTE, limit(100))).not.toBeInstanceOf(Promise)
    expect(sent()).toEqual([])
    await vi.advanceTimersByTimeAsync(SYNC_MS)
    expect(sent()).toEqual([['ada:2', 'bob:1']])
    await vi.advanceTimersByTimeAsync(10 * SYNC_MS)
    expect(sent()).toHaveLength(1)
    void limits.count('ada', MINUTE, limit(100))
    await vi.advanceTimersByTimeAsync(SYNC_MS)
    expect(sent()[1]).toEqual(['ada:1'])
  })

  it('learns what other instances counted, and when their window ends', async () => {
    const { shared, store } = recorded()
    const before = await store.hit('ada', MINUTE)
    await vi.advanceTimersByTimeAsync(10_000)
    const limits = localRateLimits(shared)
    expect(limits.count('ada', MINUTE, limit(100))).toMatchObject({ count: 1, resetAtMs: Date.now() + MINUTE })
    void store.hitMany([{ key: 'ada', windowMs: MINUTE, hits: 40 }])
    await vi.advanceTimersByTimeAsync(SYNC_MS)
    expect(limits.count('ada', MINUTE, limit(100))).toEqual({ count: 43, resetAtMs: before.resetAtMs })
  })

  it('asks the store for each request near the limit, and for none over it', async () => {
    const { shared, sent, store } = recorded()
    const limits = localRateLimits(shared)
    for (let count = 1; count < 18; count++) void limits.count('ada', MINUTE, limit(20))
    expect(sent()).toEqual([])
    void store.hitMany([{ key: 'ada', windowMs: MINUTE, hits: 1 }])
    expect(await countOf(limits.count('ada', MINUTE, limit(20)))).toBe(19)
    expect(await countOf(limits.count('ada', MINUTE, limit(20)))).toBe(20)
    expect(sent()).toEqual([['ada:18'], ['ada:1']])
    expect(limits.count('ada', MINUTE, limit(20))).toMatchObject({ count: 21 })
    expect(sent()).toHaveLength(2)
  })

  it('asks for each request where the limit is exact', async () => {
    const { shared, sent, store } = recorded()
    const limits = localRateLimits(shared)
    void store.hitMany([{ key: 'ada', windowMs: MINUTE, hits: 3 }])
    const counts = await Promise.all([1, 2, 3].map(() => countOf(limits.count('ada', MINUTE, limit(5, true)))))
    expect(counts).toEqual([4, 5, 6])
    expect(sent()).toHaveLength(3)
  })

  it('takes a hit back here and in the store, so that the next one is asked for again', async () => {
    const { store } = recorded()
    const limits = localRateLimits(store)
    for (const count of [1, 2]) expect(await countOf(limits.count('ada', MINUTE, limit(2, true)))).toBe(count)
    await limits.giveBack('ada', MINUTE)
    expect(await store.hit('ada', MINUTE)).toMatchObject({ count: 2 })
    expect(await countOf(limits.count('ada', MINUTE, limit(2, true)))).toBe(3)
  })

  it('takes a hit back here alone while the store fails, and none where the store cannot', async () => {
    const { shared, store } = recorded()
    const onError = vi.fn()
    const failing = { ...store, giveBack: () => Promise.reject(new Error('away')) }
    const [limits, without] = [localRateLimits(failing, onError), localRateLimits(shared)]
    for (const { count } of [limits, without]) await count('ada', MINUTE, limit(5, true))
    expect([await limits.giveBack('ada', MINUTE), await without.giveBack('ada', MINUTE)]).toEqual([true, false])
    expect(onError).toHaveBeenCalledOnce()
    expect(await countOf(limits.count('ada', MINUTE, limit(5, true)))).toBe(1)
    expect(await countOf(without.count('ada', MINUTE, limit(5, true)))).toBe(3)
  })

  it('starts again when the window is over, and sends nothing of the last one', async () => {
    const { shared, sent } = recorded()
    const limits = localRateLimits(shared)
    void limits.count('ada', 150, limit(100))
    await vi.advanceTimersByTimeAsync(160)
    expect(limits.count('ada', 150, limit(100))).toEqual({ count: 1, resetAtMs: Date.now() + 150 })
    await vi.advanceTimersByTimeAsync(40)
    expect(sent()).toEqual([['ada:1']])
  })

  it('follows the store into the next window', async () => {
    let answer = { count: 50, resetAtMs: Date.now() + 30_000 }
    const shared: RateLimitStore = { hit: () => answer, hitMany: async (batch) => batch.map(() => answer) }
    const limits = localRateLimits(shared)
    void limits.count('ada', MINUTE, limit(100))
    await vi.advanceTimersByTimeAsync(SYNC_MS)
    void limits.count('ada', MINUTE, limit(100))
    answer = { count: 1, resetAtMs: answer.resetAtMs + MINUTE }
    await vi.advanceTimersByTimeAsync(SYNC_MS)
    expect(limits.count('ada', MINUTE, limit(100))).toEqual({ count: 2, resetAtMs: answer.resetAtMs })
  })

  it('does not lower a count when answers overtake each other', async () => {
    const answers: ((count: number) => void)[] = []
    const resetAtMs = Date.now() + MINUTE
    const shared: RateLimitStore = {
      hit: () => ({ count: 1, resetAtMs }),
      hitMany: () => new Promise((resolve) => answers.push((count) => resolve([{ count, resetAtMs }]))),
    }
    const limits = localRateLimits(shared)
    const [first, second] = [1, 2].map(() => limits.count('ada', MINUTE, limit(5, true)))
    answers[1]?.(5)
    expect(await second).toMatchObject({ count: 5 })
    answers[0]?.(4)
    expect(await first).toMatchObject({ count: 4 })
    expect(limits.count('ada', MINUTE, limit(5, true))).toMatchObject({ count: 6 })
    expect(answers).toHaveLength(2)
  })

  it('counts its own requests in their order, when the store counts later ones first', async () => {
    const store = memoryRateLimits()
    let countFirst = () => {}
    const first = new Promise<void>((resolve) => (countFirst = resolve))
    let batches = 0
    const shared: RateLimitStore = {
      hit: store.hit,
      async hitMany(batch) {
        batches += 1
        if (batches === 1) await first
        return store.hitMany(batch)
      },
    }
    const limits = localRateLimits(shared)
    for (let count = 1; count < 18; count++) void limits.count('ada', MINUTE, limit(20))
    const counts = [1, 2, 3, 4].map(() => countOf(limits.count('ada', MINUTE, limit(20))))
    expect(await Promise.all(counts.slice(1))).toEqual([19, 20, 21])
    countFirst()
    expect(await counts[0]).toBe(21)
  })

  it('sends what was not sent yet when it is closed', async () => {
    const { shared, sent } = recorded()
    const close = vi.fn(async () => {})
    const limits = localRateLimits({ ...shared, close })
    void limits.count('ada', MINUTE, limit(100))
    await limits.close()
    expect(sent()).toEqual([['ada:1']])
    expect(close).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps the counts of the latest 100,000 addresses', async () => {
    const { shared, sent } = recorded()
    const limits = localRateLimits(shared)
    for (let address = 0; address < 100_001; address++) void limits.count(`${address}`, MINUTE, limit(100))
    // The first one was dropped from the table, and is still sent with what it counted.
    expect(limits.count('0', MINUTE, limit(100))).toMatchObject({ count: 2 })
    await vi.advanceTimersByTimeAsync(20 * SYNC_MS)
    expect(sent().flat()).toContain('0:2')
    expect(sent().flat()).toHaveLength(100_001)
    expect(limits.count('1', MINUTE, limit(100))).toMatchObject({ count: 1 })
  })
})

describe('a store that fails', () => {
  it('lets each instance count by itself, is asked again after a second, and is reported once per outage', async () => {
    let isDown = true
    const memory = memoryRateLimits()
    const asked = vi.fn()
    const guarded = () => {
      asked()
      if (isDown) throw new Error('down')
    }
    const shared: RateLimitStore = {
      async hit(...hit) {
        guarded()
        return memory.hit(...hit)
      },
      async hitMany(batch) {
        guarded()
        return memory.hitMany(batch)
      },
    }
    const onError = vi.fn()
    const limits = localRateLimits(shared, onError)
    for (let count = 1; count <= 6; count++) {
      expect(await countOf(limits.count('ada', MINUTE, limit(5, true)))).toBe(count)
    }
    expect([asked.mock.calls.length, onError.mock.calls.length]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked).toHaveBeenCalledTimes(2)
    expect(onError).toHaveBeenCalledTimes(1)

    isDown = false
    await vi.advanceTimersByTimeAsync(1_000)
    void limits.count('bob', MINUTE, limit(5))
    await vi.advanceTimersByTimeAsync(SYNC_MS)
    expect(await memory.hit('bob', MINUTE)).toMatchObject({ count: 2 })
    // What this instance counted during the outage holds until the window ends.
    expect(await countOf(limits.count('ada', MINUTE, limit(5)))).toBe(7)
    isDown = true
    expect((await limits.hit('mail', MINUTE)).count).toBe(1)
    expect((await limits.hit('mail', MINUTE)).count).toBe(2)
    expect(onError).toHaveBeenCalledTimes(2)
  })
})
