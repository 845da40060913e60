import type { Subscription } from '@eep/core/ports'
import { expect, it } from 'vitest'
import { openStorage } from '../../support/app.ts'
import { soon } from '../../support/wait.ts'
import { DAY, monthly, openYears } from '../../support/years.ts'

const { closeAfter, startHost } = await openYears()

async function subscriber(changes: Partial<Subscription> = {}) {
  const host = await startHost()
  const ada = await host.customer()
  const currentPeriodEnd = new Date(host.clock().getTime() + 40 * DAY)
  await host.storage.transaction(async (tx) => {
    await tx.subscriptions.put(monthly(ada.id, { tier: 'pro', processor: 'usdc', currentPeriodEnd, ...changes }))
    await tx.accounts.save(ada.id, { tier: 'pro' })
  })
  const daysBefore = (days: number) => currentPeriodEnd.getTime() - days * DAY
  // Sessions are shorter than a year.
  const tier = async () => (await host.storage.read.accounts.get(ada.id))?.tier
  return { ...host, ada, daysBefore, tier }
}

it('sends a reminder 30, 7 and 1 day before the end of a year, and then returns the account to the free tier', async () => {
  const { ada, at, daysBefore, mailbox, tier } = await subscriber()
  await at(daysBefore(31), () => new Promise((resolve) => setTimeout(resolve, 300)))
  expect(mailbox.mails.filter(({ subject }) => subject.startsWith('Your year'))).toEqual([])
  for (const days of [30, 7, 1]) {
    await at(daysBefore(days), async () => {
      const mail = await mailbox.take(ada.email, 'yearEnds')
      expect(mail.text).toContain('https://profiles.example/pricing')
    })
  }
  await at(daysBefore(0.5), () => new Promise((resolve) => setTimeout(resolve, 300)))
  expect(mailbox.mails.filter(({ subject }) => subject.startsWith('Your year'))).toEqual([])
  await at(daysBefore(0), async () => {
    await soon(async () => expect(await tier()).toBe('community'))
  })
})

it('ends the year of an account while that of another cannot be stored, and that one as soon as it can', async () => {
  const database = await openStorage()
  const broken = new Set<string>()
  const { customer, clock, at } = await startHost({
    storage: {
      ...database.storage,
      transaction: (work) =>
        database.storage.transaction((tx) =>
          work({
            ...tx,
            subscriptions: {
              ...tx.subscriptions,
              async put(one) {
                if (broken.has(one.accountId)) throw new Error('this row cannot be written')
                return tx.subscriptions.put(one)
              },
            },
          }),
        ),
    },
  })
  closeAfter(database.close)
  const [ada, bob] = [await customer(), await customer()]
  const rows = [ada, bob].map(({ id }, place) =>
    monthly(id, {
      id: `${place}0000000-0000-4000-8000-000000000000`,
      processor: 'usdc',
      currentPeriodEnd: new Date(clock().getTime() + DAY),
    }),
  )
  broken.add(ada.id)
  await database.storage.transaction(async (tx) => {
    for (const row of rows) await tx.subscriptions.put(row)
  })
  const live = async ({ id }: { readonly id: string }) => database.storage.read.subscriptions.getLive(id)
  await at(clock().getTime() + 2 * DAY, async () => {
    await soon(async () => expect(await live(bob)).toBeUndefined())
    expect(await live(ada)).toBeDefined()
    broken.clear()
    await soon(async () => expect(await live(ada)).toBeUndefined())
  })
})

it('sends no reminder for a canceled year, which remains valid to its end', async () => {
  const { ada, at, daysBefore, mailbox, tier } = await subscriber()
  const ended = (await ada.delete('/account/subscription')).json()
  expect(ended).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expect((await ada.delete('/account/subscription')).json()).toEqual(ended)
  await at(daysBefore(1), async () => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await tier()).toBe('pro')
  })
  expect(mailbox.mails.filter(({ subject }) => subject.startsWith('Your year'))).toEqual([])
  await at(daysBefore(0), async () => soon(async () => expect(await tier()).toBe('community')))
})
