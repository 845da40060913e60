import { describe, expect, it } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

/** Work that ends when the test releases it. */
function work() {
  const started: number[] = []
  const ends = new Map<number, PromiseWithResolvers<void>>()
  return {
    started,
    piece: (name: number) => async () => {
      started.push(name)
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      await end.promise
      return name
    },
    end: (name: number) => ends.get(name)?.resolve(),
    fail: (name: number) => ends.get(name)?.reject(new Error('failed')),
  }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('a queue of work', () => {
  it('runs a few pieces concurrently and the others in the order they came', async () => {
    const { started, piece, end } = work()
    const queued = createWorkQueue({ concurrency: 2, maxWaiting: 10 })
    const all = Promise.all([1, 2, 3, 4].map((name) => queued(piece(name))))
    await soon()
    expect(started).toEqual([1, 2])
    end(2)
    await soon()
    expect(started).toEqual([1, 2, 3])
    end(1)
    await soon()
    expect(started).toEqual([1, 2, 3, 4])
    end(3)
    end(4)
    expect(await all).toEqual([1, 2, 3, 4])
  })

  it('refuses work when too many calls wait, and takes work again later', async () => {
    const { piece, end } = work()
    const queued = createWorkQueue({ concurrency: 1, maxWaiting: 1 })
    const first = queued(piece(1))
    const second = queued(piece(2))
    await expect(queued(piece(3))).rejects.toMatchObject({
      code: 'login_capacity_exceeded',
      status: 503,
      retryAfterMs: 2_000,
    })
    await soon()
    end(1)
    await first
    await soon()
    end(2)
    await second
    const last = queued(piece(4))
    await soon()
    end(4)
    expect(await last).toBe(4)
  })

  it('continues after a task that failed', async () => {
    const { piece, end, fail } = work()
    const queued = createWorkQueue({ concurrency: 1, maxWaiting: 1 })
    const first = queued(piece(1))
    const second = queued(piece(2))
    await soon()
    fail(1)
    await expect(first).rejects.toThrow('failed')
    await soon()
    end(2)
    expect(await second).toBe(2)
  })
})
