import { newAccount } from '@eep/core/testing'
import { expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { hostWithReports, report } from './jobs.ts'

it('makes the report of a month, and fails with a sentence when there is nothing to report', async () => {
  const { storage, close } = await openStorage()
  const account = newAccount()
  await storage.transaction((tx) => tx.accounts.insert(account))
  const kind = report(async (month) => (month === '2026-05' ? [3, 4] : []))
  const app = await hostWithReports(storage, 'a secret for tests, of thirty-two characters or more', kind)
  await app.ready()

  const outcomeOf = async (month: string) => {
    const ask = { kind: 'report', accountId: account.id, profileId: null, input: { month } }
    const { id } = await app.eep.jobs.request(ask)
    await expect.poll(async () => (await storage.read.jobs.get(id))?.finishedAt, { timeout: 60_000 }).toBeTruthy()
    return storage.read.jobs.get(id)
  }
  expect(await outcomeOf('2026-05')).toMatchObject({ status: 'succeeded', result: { sales: 2, total: 7 } })
  expect(await outcomeOf('2026-06')).toMatchObject({ status: 'failed', error: { code: 'no_such_month' } })

  await app.close()
  await close()
})
