import { expect, it } from 'vitest'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage, Write } from '../../../runtime/storage/guard.ts'
import { createPurge } from './purge.ts'

/** A storage in which a row expires after each step, for longer than a purge may take. */
function storageThatKeepsExpiring(dueRows: number) {
  let due = dueRows
  let later = 20
  const deletedPerStep: number[] = []
  const expired = {
    async delete(limit: number) {
      const deleted = Math.min(due, limit)
      due -= deleted
      if (later-- > 0) due += 1
      deletedPerStep.push(deleted)
      return deleted
    },
  }
  // The purge uses these stores only.
  const read = { accounts: { listDueForPurge: async () => [] } } as unknown as GuardedStorage['read']
  const write: Write = (work) => work({ expired } as unknown as Stores, () => {})
  return { read, write, deletedPerStep }
}

it('ends when a step deletes fewer expired rows than its limit, although further rows expire meanwhile', async () => {
  const { read, write, deletedPerStep } = storageThatKeepsExpiring(1_200)
  const purge = createPurge({
    read,
    write,
    clock: () => new Date(0),
    hiddenProfiles: undefined,
    erasures: [],
    ownership: { owner: [], newOwner: [] },
    keptEvents: [],
    mailer: undefined,
    logger: undefined,
    everyMs: 60_000,
  })
  expect(await purge.run()).toEqual({ accounts: 0, expired: 1_202 })
  expect(deletedPerStep).toEqual([500, 500, 202])
})
