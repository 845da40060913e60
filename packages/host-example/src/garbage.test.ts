import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { collectGarbage } from './garbage.ts'

it('collects what nothing refers to', async () => {
  const forgotten = new WeakRef({ large: new Array(10_000).fill('text') })
  // A weak reference holds its object until the end of the turn.
  await turn()
  collectGarbage()
  expect(forgotten.deref()).toBeUndefined()
})
