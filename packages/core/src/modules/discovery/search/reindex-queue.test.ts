import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createReindexQueue, type ReindexStep } from './reindex-queue.ts'

const REST_MS = 30_000
const RETRY_MS = 10_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const idsAfter = ({ after, limit }: ReindexStep, count: number) =>
  Array.from({ length: Math.max(0, Math.min(limit, count - after)) }, (_, index) => after + index + 1)

/** A queue for profiles with a number of pages each, and nothing else. */
function createBench(pages: Readonly<Record<number, number>>, characters = 10) {
  const steps: string[] = []
  let hold: Promise<void> | undefined
  const onError = vi.fn<(error: unknown) => void>()
  const settled = vi.fn(async () => {})
  const queue = createReindexQueue({
    async index(step) {
      steps.push(`${step.kind} of ${step.profileId} after ${step.after}`)
      await hold
      const ids = step.kind === 'page' ? idsAfter(step, pages[step.profileId] ?? 0) : []
      return { ids, characters: ids.length * characters }
    },
    settled,
    onError,
    retryMs: RETRY_MS,
    restMs: REST_MS,
  })
  return {
    steps,
    onError,
    settled,
    queue,
    /** Counts the runs of a profile. */
    runsOf: (profileId: number) => steps.filter((step) => step === `page of ${profileId} after 0`).length,
    /** Keeps the next steps until it is released; they fail when it is called with an error. */
    hold() {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      promise.catch(() => {})
      hold = promise
      return (error?: Error) => {
        hold = undefined
        if (error) reject(error)
        else resolve()
      }
    },
  }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('indexes a large profile once for all requests of a period, and once more when the period is over', async () => {
  const { queue, runsOf } = createBench({ 1: 130 })
  queue.add(1, ['page'], '1')
  await pass(0)
  for (let cursor = 2; cursor < 52; cursor += 1) {
    queue.add(1, ['page'], String(cursor))
    await pass(0)
  }
  expect(runsOf(1)).toBe(1)
  await pass(REST_MS)
  expect(runsOf(1)).toBe(2)
  await pass(10 * REST_MS)
  expect(runsOf(1)).toBe(2)
})

it('indexes a profile again whose run had begun before the last request', async () => {
  const { queue, runsOf, hold } = createBench({ 1: 3 })
  const release = hold()
  queue.add(1, ['page'], '1')
  await pass(0)
  queue.add(1, ['page'], '2')
  queue.add(1, ['page'], '3')
  release()
  await pass(0)
  expect(runsOf(1)).toBe(2)
})

it.each([
  ['few short pages', 100, 10, 2],
  ['many pages', 101, 10, 1],
  ['long pages', 3, 100_000, 1],
])('indexes a profile with %s again immediately only if it is small', async (_, pages, characters, runs) => {
  const { queue, runsOf } = createBench({ 1: pages }, characters)
  for (const cursor of ['1', '2']) {
    queue.add(1, ['page'], cursor)
    await pass(0)
  }
  expect(runsOf(1)).toBe(runs)
})

it('takes turns between profiles, a few sources at a time', async () => {
  const { queue, steps } = createBench({ 1: 60, 2: 1 })
  queue.add(1, ['page'], '1')
  queue.add(2, ['page'], '2')
  await pass(0)
  expect(steps).toEqual(['page of 1 after 0', 'page of 2 after 0', 'page of 1 after 25', 'page of 1 after 50'])
})

it('indexes the kinds of all requests, each once', async () => {
  const { queue, steps } = createBench({})
  queue.add(1, ['file', 'page'], '1')
  queue.add(1, ['page', 'profile'], '2')
  await pass(0)
  expect(steps).toEqual(['profile of 1 after 0', 'page of 1 after 0', 'file of 1 after 0'])
})

it('names the first event that is not wholly handled, also during a run and a rest', async () => {
  const { queue, hold } = createBench({ 1: 130, 2: 1 })
  expect([queue.pendingSince(), queue.promptSince()]).toEqual([undefined, undefined])
  const release = hold()
  queue.add(1, ['page'], '9')
  await pass(0)
  queue.add(2, ['page'], '10')
  expect([queue.pendingSince(), queue.promptSince()]).toEqual(['9', '9'])
  queue.add(1, ['page'], '11')
  release()
  await pass(0)
  expect([queue.pendingSince(), queue.promptSince()]).toEqual(['11', undefined])
  await pass(REST_MS)
  expect([queue.pendingSince(), queue.promptSince()]).toEqual([undefined, undefined])
})

it('repeats a failed step later and continues with the rest', async () => {
  const { queue, steps, onError, hold } = createBench({ 1: 1 })
  const release = hold()
  queue.add(1, ['page', 'post'], '1')
  await pass(0)
  release(new Error('the index is unavailable'))
  await pass(0)
  expect(onError.mock.calls).toEqual([[new Error('the index is unavailable')]])
  expect(queue.pendingSince()).toBe('1')
  await pass(RETRY_MS)
  expect(steps).toEqual(['page of 1 after 0', 'page of 1 after 0', 'post of 1 after 0'])
  expect(queue.pendingSince()).toBeUndefined()
})

it('ends the run of a profile that is removed', async () => {
  const { queue, steps, hold } = createBench({ 1: 130 })
  const release = hold()
  queue.add(1, ['page'], '1')
  await pass(0)
  queue.remove(1)
  release()
  await pass(0)
  expect(steps).toEqual(['page of 1 after 0'])
  expect(queue.pendingSince()).toBeUndefined()
})

it('begins nothing after it was stopped, and keeps what is pending', async () => {
  const { queue, steps, hold } = createBench({ 1: 130 })
  const release = hold()
  queue.add(1, ['page'], '1')
  await pass(0)
  const stopped = queue.stop()
  release()
  await stopped
  await pass(REST_MS)
  expect(steps).toHaveLength(1)
  expect(queue.pendingSince()).toBe('1')
})
