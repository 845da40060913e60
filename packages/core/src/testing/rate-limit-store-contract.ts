import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimitStore } from '../ports/rate-limit-store.ts'
import { contractRunner, type TestRunner } from './runner.ts'

const MINUTE = 60_000
/** The largest accepted difference between the clocks of a store and of this process, and between two of its responses. */
const TOLERANCE = 1_000

/**
 * Runs the contract of a {@link RateLimitStore} as test cases: it counts each hit of a window, also concurrent ones.
 *
 * @param create - creates the store; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/limits.md
 * @example
 * import * as vitest from 'vitest'
 *
 * rateLimitStoreContract(vitest, () => ownRateLimits())
 */
export function rateLimitStoreContract(
  runner: TestRunner,
  create: () => Promise<RateLimitStore> | RateLimitStore,
): void {
  const { describe, it, beforeAll, afterAll } = contractRunner(runner)

  describe('rate limit store', () => {
    let store: RateLimitStore
    beforeAll(async () => {
      store = await create()
    })
    afterAll(async () => {
      await store.close?.()
    })

    it('counts the hits of a window, and returns its end', async () => {
      const key = randomUUID()
      const started = Date.now()
      const hits = [await store.hit(key, MINUTE), await store.hit(key, MINUTE), await store.hit(key, MINUTE)]
      assert.deepEqual(
        hits.map(({ count }) => count),
        [1, 2, 3],
      )
      for (const { resetAtMs } of hits) {
        assert.ok(resetAtMs > started, 'a window ends in the future')
        assert.ok(resetAtMs <= Date.now() + MINUTE + TOLERANCE, 'a window is not longer than requested')
        assert.ok(
          Math.abs(resetAtMs - (hits[0]?.resetAtMs ?? 0)) < TOLERANCE,
          'a hit does not move the end of its window',
        )
      }
    })

    it('counts each key separately', async () => {
      const [one, other] = [randomUUID(), randomUUID()]
      await store.hit(one, MINUTE)
      await store.hit(one, MINUTE)
      assert.equal((await store.hit(other, MINUTE)).count, 1)
      assert.equal((await store.hit(one, MINUTE)).count, 3)
    })

    it('starts a new window when the last one has ended', async () => {
      const key = randomUUID()
      const windowMs = 300
      await store.hit(key, windowMs)
      const { resetAtMs } = await store.hit(key, windowMs)
      await sleep(Math.max(windowMs, resetAtMs - Date.now()) + 50)
      const next = await store.hit(key, windowMs)
      assert.equal(next.count, 1)
      assert.ok(next.resetAtMs > resetAtMs, 'a new window ends later than the last one')
    })

    it('counts each of many concurrent hits', async () => {
      const key = randomUUID()
      const hits = await Promise.all(Array.from({ length: 50 }, () => store.hit(key, MINUTE)))
      assert.deepEqual(
        hits.map(({ count }) => count).sort((left, right) => left - right),
        Array.from({ length: 50 }, (_, index) => index + 1),
      )
    })

    it('adds the hits of a batch to the counters of its keys, and returns them in the same order', async () => {
      const [known, fresh] = [randomUUID(), randomUUID()]
      const { resetAtMs } = await store.hit(known, MINUTE)
      const started = Date.now()
      const states = await store.hitMany([
        { key: fresh, windowMs: MINUTE, hits: 4 },
        { key: known, windowMs: MINUTE, hits: 2 },
      ])
      assert.deepEqual(
        states.map(({ count }) => count),
        [4, 3],
      )
      assert.ok(
        Math.abs((states[1]?.resetAtMs ?? 0) - resetAtMs) < TOLERANCE,
        'a batch does not move the end of a window',
      )
      assert.ok((states[0]?.resetAtMs ?? 0) > started, 'a window that begins with a batch ends in the future')
      assert.equal((await store.hit(fresh, MINUTE)).count, 5)
    })

    it('starts a new window with the hits of a batch when the last one has ended', async () => {
      const key = randomUUID()
      const windowMs = 300
      const [first] = await store.hitMany([{ key, windowMs, hits: 7 }])
      await sleep(Math.max(windowMs, (first?.resetAtMs ?? 0) - Date.now()) + 50)
      const [next] = await store.hitMany([{ key, windowMs, hits: 2 }])
      assert.equal(next?.count, 2)
      assert.ok((next?.resetAtMs ?? 0) > (first?.resetAtMs ?? 0), 'a new window ends later than the last one')
    })

    it('counts each hit of concurrent batches that share keys in different orders', async () => {
      const keys = Array.from({ length: 200 }, () => randomUUID())
      const batchOf = (ordered: readonly string[]) => ordered.map((key) => ({ key, windowMs: MINUTE, hits: 3 }))
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) =>
          store.hitMany(batchOf(index % 2 === 0 ? keys : [...keys].reverse())),
        ),
      )
      const states = await store.hitMany(batchOf(keys))
      assert.deepEqual(
        states.map(({ count }) => count),
        keys.map(() => 33),
      )
    })

    it('takes hits back down to 0, where it can, and leaves the end of the window', async () => {
      if (!store.giveBack) return
      const key = randomUUID()
      const [first] = await store.hitMany([{ key, windowMs: MINUTE, hits: 3 }])
      await store.giveBack(key, MINUTE)
      const next = await store.hit(key, MINUTE)
      assert.equal(next.count, 3)
      assert.ok(Math.abs(next.resetAtMs - (first?.resetAtMs ?? 0)) < TOLERANCE, 'the window ends when it would have')
      for (let taken = 0; taken < 5; taken++) await store.giveBack(key, MINUTE)
      assert.equal((await store.hit(key, MINUTE)).count, 1)
      const unknown = randomUUID()
      await store.giveBack(unknown, MINUTE)
      assert.equal((await store.hit(unknown, MINUTE)).count, 1)
    })

    it('accepts an empty batch', async () => {
      assert.deepEqual(await store.hitMany([]), [])
    })

    it('accepts any text as a key', async () => {
      const suffix = randomUUID()
      for (const key of [
        `ip:2001:db8::1:${suffix}`,
        `key "quoted" 'twice' \\ % _ ${suffix}`,
        `schlüssel 🗝 ${suffix}`,
      ]) {
        assert.equal((await store.hit(key, MINUTE)).count, 1)
        assert.equal((await store.hit(key, MINUTE)).count, 2)
      }
    })
  })
}
