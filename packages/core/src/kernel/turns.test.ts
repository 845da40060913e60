import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

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
