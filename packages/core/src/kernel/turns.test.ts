import { expect, it } from 'vitest'
import { createLines, createTurns } from './turns.ts'

const never = new AbortController().signal

it('lets so many work at once, and the others in their order', async () => {
  const turns = createTurns(2)
  const done: string[] = []
  const open: (() => void)[] = []
  const work = (name: string) =>
    turns.take(never, async () => {
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

it('lets go who waits no longer, and loses no turn by it', async () => {
  const turns = createTurns(1)
  const leaving = new AbortController()
  let finish = () => {}
  const first = turns.take(never, () => new Promise<void>((resolve) => (finish = resolve)))
  const second = turns.take(leaving.signal, async () => 'second')
  const third = turns.take(never, async () => 'third')
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  finish()
  await first
  expect(await third).toBe('third')
  await expect(turns.take(never, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await turns.take(never, async () => 'next')).toBe('next')
})

it('lets each work at one thing at a time, whatever the others do', async () => {
  const lines = createLines()
  const begun: string[] = []
  const open = new Map<string, () => void>()
  const work = (name: string, thing: string) =>
    lines.take(name, never, async () => {
      begun.push(thing)
      await new Promise<void>((resolve) => open.set(thing, resolve))
    })
  const all = [work('a', 'a1'), work('a', 'a2'), work('b', 'b1')]
  await expect.poll(() => begun).toEqual(['a1', 'b1'])
  expect([lines.lengthOf('a'), lines.lengthOf('b'), lines.lengthOf('c')]).toEqual([2, 1, 0])
  open.get('a1')?.()
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2'])
  for (const end of open.values()) end()
  await Promise.all(all)
  expect([lines.lengthOf('a'), lines.lengthOf('b')]).toEqual([0, 0])
})
