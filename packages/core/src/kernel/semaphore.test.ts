import { expect, it } from 'vitest'
import { createKeyedSemaphore, createSemaphore } from './semaphore.ts'

const never = new AbortController().signal

it('limits concurrency, and starts waiting calls in order', async () => {
  const semaphore = createSemaphore(2)
  const done: string[] = []
  const open: (() => void)[] = []
  const work = (name: string) =>
    semaphore.run(never, async () => {
      await new Promise<void>((resolve) => open.push(resolve))
      done.push(name)
    })
  const all = ['a', 'b', 'c', 'd'].map(work)
  await expect.poll(() => open.length).toBe(2)
  open[1]?.()
  await expect.poll(() => open.length).toBe(3)
  open[0]?.()
  await expect.poll(() => open.length).toBe(4)
  open[2]?.()
  open[3]?.()
  await Promise.all(all)
  expect(done).toEqual(['b', 'a', 'c', 'd'])
})

it('removes aborted calls from the queue without losing a slot', async () => {
  const semaphore = createSemaphore(1)
  const leaving = new AbortController()
  let finish = () => {}
  const first = semaphore.run(never, () => new Promise<void>((resolve) => (finish = resolve)))
  const second = semaphore.run(leaving.signal, async () => 'second')
  const third = semaphore.run(never, async () => 'third')
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  finish()
  await first
  expect(await third).toBe('third')
  await expect(semaphore.run(never, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await semaphore.run(never, async () => 'next')).toBe('next')
})

it('runs one call per key at a time, independently of other keys', async () => {
  const semaphore = createKeyedSemaphore()
  const begun: string[] = []
  const open = new Map<string, () => void>()
  const work = (name: string, thing: string) =>
    semaphore.run(name, never, async () => {
      begun.push(thing)
      await new Promise<void>((resolve) => open.set(thing, resolve))
    })
  const all = [work('a', 'a1'), work('a', 'a2'), work('b', 'b1')]
  await expect.poll(() => begun).toEqual(['a1', 'b1'])
  expect([semaphore.lengthOf('a'), semaphore.lengthOf('b'), semaphore.lengthOf('c')]).toEqual([2, 1, 0])
  open.get('a1')?.()
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2'])
  for (const end of open.values()) end()
  await Promise.all(all)
  expect([semaphore.lengthOf('a'), semaphore.lengthOf('b')]).toEqual([0, 0])
})
