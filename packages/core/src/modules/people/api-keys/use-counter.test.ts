import { expect, it } from 'vitest'
import type { CountedUse } from '../../../ports/storage/api-keys.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Write } from '../../../runtime/storage/guard.ts'
import { createUseCounter } from './use-counter.ts'

/** A counter, and the statements it would run. */
function counter() {
  const written: (readonly CountedUse[])[] = []
  const failures: unknown[] = []
  let trouble: Error | undefined
  let second = 0
  const apiKeys = {
    async addUses(uses: readonly CountedUse[]) {
      if (trouble) throw trouble
      written.push(uses)
    },
  }
  // The counter uses no other store.
  const write: Write<'apiKeys'> = (work) => work({ apiKeys } as unknown as Stores<'apiKeys'>, () => {})
  const uses = createUseCounter({
    write,
    clock: () => new Date(++second * 1_000),
    everyMs: 60_000,
    onError: (error) => failures.push(error),
  })
  return { uses, written, failures, breakDown: (error: Error | undefined) => (trouble = error) }
}

it('writes many uses of many keys in one statement', async () => {
  const { uses, written } = counter()
  for (const keyId of [7, 3, 7]) uses.count(keyId)
  await uses.flush()
  expect(written).toEqual([
    [
      { keyId: 3, count: 1, lastUsedAt: new Date(2_000) },
      { keyId: 7, count: 2, lastUsedAt: new Date(3_000) },
    ],
  ])
})

it('writes nothing when nothing was counted', async () => {
  const { uses, written } = counter()
  await uses.flush()
  await uses.stop()
  expect(written).toEqual([])
})

it('keeps what could not be written, reports it, and tries again', async () => {
  const { uses, written, failures, breakDown } = counter()
  const gone = new Error('the database is gone')
  breakDown(gone)
  uses.count(7)
  await uses.flush()
  expect(failures).toEqual([gone])
  breakDown(undefined)
  uses.count(7)
  await uses.stop()
  expect(written).toEqual([[{ keyId: 7, count: 2, lastUsedAt: new Date(2_000) }]])
})

it('writes what is left when it stops', async () => {
  const { uses, written } = counter()
  uses.start()
  uses.count(7)
  await uses.stop()
  expect(written.flat()).toEqual([{ keyId: 7, count: 1, lastUsedAt: new Date(1_000) }])
})
