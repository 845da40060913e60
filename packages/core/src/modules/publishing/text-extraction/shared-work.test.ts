import { expect, it, vi } from 'vitest'
import { createSharedWork } from './shared-work.ts'

function setUp() {
  const work = createSharedWork<string>()
  const done = Promise.withResolvers<string>()
  let signal: AbortSignal | undefined
  const begin = vi.fn((ending: AbortSignal) => {
    signal = ending
    return done.promise
  })
  return { work, done, begin, isEnded: () => signal?.aborted }
}

it('runs once for concurrent callers, and again for later ones', async () => {
  const { work, done, begin } = setUp()
  const both = [work.join('a', begin), work.join('a', begin)]
  expect(work.count()).toBe(1)
  done.resolve('text')
  expect(await Promise.all(both)).toEqual(['text', 'text'])
  expect(begin).toHaveBeenCalledTimes(1)
  await work.join('a', begin)
  expect(begin).toHaveBeenCalledTimes(2)
})

it('continues while a caller waits, and is aborted when the last one leaves', async () => {
  const { work, begin, isEnded } = setUp()
  const [one, two] = [new AbortController(), new AbortController()]
  const first = work.join('a', begin, one.signal)
  const second = work.join('a', begin, two.signal)
  one.abort(new Error('one'))
  await expect(first).rejects.toThrow('one')
  expect(isEnded()).toBe(false)
  two.abort(new Error('two'))
  await expect(second).rejects.toThrow('two')
  expect([isEnded(), work.count()]).toEqual([true, 0])
})

it('continues without callers if one of them had no signal', async () => {
  const { work, done, begin, isEnded } = setUp()
  const leaving = new AbortController()
  const stayed = work.join('a', begin)
  const left = work.join('a', begin, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  done.resolve('text')
  expect([isEnded(), await stayed]).toEqual([false, 'text'])
})

it('does not start for an aborted caller, and fails for all callers', async () => {
  const { work, done, begin } = setUp()
  await expect(work.join('a', begin, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  expect(begin).not.toHaveBeenCalled()
  const both = [work.join('a', begin), work.join('a', begin, new AbortController().signal)]
  done.reject(new Error('broken'))
  for (const each of both) await expect(each).rejects.toThrow('broken')
  expect(work.count()).toBe(0)
})

it('aborts all work together', async () => {
  const { work, done, begin, isEnded } = setUp()
  work.join('a', begin).catch(() => {})
  const stopped = work.stop(new Error('stop'))
  expect(isEnded()).toBe(true)
  done.reject(new Error('stop'))
  await stopped
  expect(work.count()).toBe(0)
})

it('stops waiting for work that ignores its signal', async () => {
  const work = createSharedWork<string>({ graceMs: 1 })
  work.join('deaf', () => new Promise(() => {})).catch(() => {})
  await work.stop(new Error('the end'))
})
