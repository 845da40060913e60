import { expect, it } from 'vitest'
import { PASSWORD, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'

const DAY_MS = 86_400_000

it('erases an account from a group of the storage whose module is off', async () => {
  const database = await openStorage()
  const hostAt = (now: Date, purgeIntervalMs: number) =>
    createTestApp({
      storage: database.storage,
      clock: () => now,
      admin: false,
      auth: { purgeIntervalMs },
    })
  try {
    // The session of that day has expired by the clock of the database, so nothing may be purged yet.
    const before = await hostAt(new Date(Date.now() - 31 * DAY_MS), DAY_MS)
    const { account, headers } = await signUp(before.app)
    await database.storage.transaction(async (tx) => {
      const change = { action: 'account.changed', before: {}, after: { email: account.email }, at: new Date() }
      await tx.audit.append({ ...change, actorAccountId: account.id, target: `accounts/${account.id}` })
    })
    const deletion = { method: 'DELETE', url: '/auth/account', headers, payload: { password: PASSWORD } } as const
    expect((await before.app.inject(deletion)).statusCode).toBe(200)
    await before.close()

    const after = await hostAt(new Date(), 100)
    const { accounts, audit } = database.storage.read
    await expect.poll(() => accounts.get(account.id), { timeout: 60_000 }).toBeUndefined()
    expect((await audit.list({ target: `accounts/${account.id}` }, { limit: 1 })).items).toEqual([])
    const [entry] = (await audit.list({ target: 'accounts/erased' }, { limit: 1 })).items
    expect(entry).toMatchObject({ actorAccountId: null, after: {} })
    await after.close()
  } finally {
    await database.close()
  }
})
