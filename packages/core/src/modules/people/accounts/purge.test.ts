import { expect, it } from 'vitest'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage, Write } from '../../../runtime/storage/guard.ts'
import { createPurge } from './purge.ts'

const deps = {
  clock: () => new Date(0),
  hiddenProfiles: undefined,
  erasures: [],
  ownership: { owner: [], newOwner: [] },
  keptEvents: [],
  mailer: undefined,
  logger: undefined,
  everyMs: 60_000,
}

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

it('tries every account that is due, also after many that cannot be purged', async () => {
  const accounts = Array.from({ length: 120 }, (_, index) => ({ id: `account ${index}` }) as Account)
  const tried: string[] = []
  // The purge uses this store only.
  const read = {
    accounts: {
      async listDueForPurge(limit: number, after?: Account) {
        const start = after ? accounts.findIndex(({ id }) => id === after.id) + 1 : 0
        return accounts.slice(start, start + limit)
      },
    },
  } as unknown as GuardedStorage['read']
  const { write } = storageThatKeepsExpiring(0)
  const before = ({ id }: { readonly id: string }) => {
    tried.push(id)
    return Promise.reject(new Error('not now'))
  }
  expect(await createPurge({ ...deps, read, write, erasures: [{ before }] }).purge()).toMatchObject({ accounts: 0 })
  expect(tried).toEqual(accounts.map(({ id }) => id))
})

it('ends when a step deletes fewer expired rows than its limit, although further rows expire meanwhile', async () => {
  const { read, write, deletedPerStep } = storageThatKeepsExpiring(1_200)
  const purge = createPurge({ ...deps, read, write })
  expect(await purge.purge()).toEqual({ accounts: 0, expired: 1_202 })
  expect(deletedPerStep).toEqual([500, 500, 202])
})
