import { expect, it, vi } from 'vitest'
import { createTaskLoop } from './task-loop.ts'

const HOUR_MS = 3_600_000

it('runs one turn at a time, and starts the next one immediately when woken during a turn', async () => {
  const turns: PromiseWithResolvers<void>[] = []
  const loop = createTaskLoop(async () => {
    const turn = Promise.withResolvers<void>()
    turns.push(turn)
    await turn.promise
    return HOUR_MS
  })
  loop.start()
  expect(turns).toHaveLength(1)
  loop.wake()
  loop.wake()
  expect(turns).toHaveLength(1)
  turns[0]?.resolve()
  await vi.waitFor(() => expect(turns).toHaveLength(2), 60_000)
  turns[1]?.resolve()
  await loop.stop()
  expect(turns).toHaveLength(2)
})

it('starts the next turn after the pause that the last one returned', async () => {
  let turns = 0
  const loop = createTaskLoop(async () => (++turns < 3 ? 1 : HOUR_MS))
  loop.start()
  await vi.waitFor(() => expect(turns).toBe(3), { timeout: 60_000 })
  await loop.stop()
})

it('aborts and awaits the running turn when it stops, and ignores later calls', async () => {
  let aborted = false
  let turns = 0
  const loop = createTaskLoop(async (signal) => {
    turns += 1
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    aborted = true
    return 1
  })
  loop.start()
  await loop.stop()
  expect(aborted).toBe(true)
  loop.wake()
  expect(turns).toBe(1)
})
