import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { PrepaidPlan } from '../../ports/storage/prepaid-plans.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Subscription } from '../../ports/storage/subscriptions.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName } from '../records.ts'
import { newSubscription } from '../subscription-records.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'

const DAY = 86_400_000
/** After any other record that the storage may hold. */
const FAR = new Date(Date.UTC(2090, 0, 1))
const later = (days: number) => new Date(FAR.getTime() + days * DAY)

const TERM = { startsAt: FAR, endsAt: later(365) }

const newYear = (accountId: string, changes: Partial<PrepaidPlan> = {}): PrepaidPlan => ({
  challengeId: `${ODD_TEXT} ${freshName()}`,
  receiptId: freshName(),
  accountId,
  tier: 'pro',
  priceCents: 12_000,
  paidAt: FAR,
  term: null,
  ...changes,
})

const paidSubscription = (accountId: string, changes: Partial<Subscription> = {}): Subscription =>
  newSubscription(accountId, { processor: 'usdc', currency: 'usdc', currentPeriodEnd: later(20), ...changes })

const add = (year: PrepaidPlan) => (tx: Stores<'subscriptions'>) => tx.prepaidPlans.add(year)
const put = (subscription: Subscription) => (tx: Stores<'subscriptions'>) => tx.subscriptions.put(subscription)

export const prepaidPlanCases = casesFor(['subscriptions'], (it, bench) => {
  it('stores a prepaid year as it was added', async () => {
    const { id } = await bench.account()
    for (const term of [null, TERM]) {
      const year = newYear(id, { term })
      assert.deepEqual(await bench.write(add(year)), year)
      assert.deepEqual(await bench.read.prepaidPlans.get(year.challengeId), year)
    }
    assert.equal(await bench.read.prepaidPlans.get(freshName()), undefined)
    assert.equal(await bench.read.prepaidPlans.get('\0'), undefined)
  })

  it('adds a year once per challenge and per receipt, and only for existing accounts', async () => {
    const { id } = await bench.account()
    const year = newYear(id)
    await bench.write(add(year))
    assert.equal(await bench.write(add(newYear(id, { challengeId: year.challengeId }))), undefined)
    assert.equal(await bench.write(add(newYear(id, { receiptId: year.receiptId }))), undefined)
    assert.equal(await bench.write(add(newYear(randomUUID()))), undefined)
    assert.equal(await bench.write(add(newYear('unknown'))), undefined)
  })

  it('lets exactly one of many add the year of a challenge, or the next when that one fails', async () => {
    const { id } = await bench.account()
    for (const end of ['commit', 'rollback'] as const) {
      const { challengeId } = newYear(id)
      const attempts = Array.from({ length: 4 }, () => add(newYear(id, { challengeId })))
      const [leader, ...rest] = attempts as [(typeof attempts)[number], ...typeof attempts]
      const { first, others } = await bench.overlap(leader, rest, end)
      const noted = end === 'commit' ? [first, ...others] : others
      assert.equal(noted.filter((one) => one !== undefined).length, 1)
    }
  })

  it('starts the year that waited longest, once', async () => {
    const { id } = await bench.account()
    const [second, first] = [newYear(id, { paidAt: later(1) }), newYear(id)]
    for (const year of [second, first, newYear(id, { term: TERM })]) await bench.write(add(year))
    assert.deepEqual(await bench.read.prepaidPlans.getWaiting(id), first)
    const begin = (tx: Stores<'subscriptions'>) => tx.prepaidPlans.begin(first.challengeId, TERM)
    const { first: one, others } = await bench.overlap(begin, [begin, begin])
    assert.deepEqual(
      [one, ...others].filter((begun) => begun !== undefined),
      [{ ...first, term: TERM }],
    )
    assert.deepEqual(await bench.read.prepaidPlans.getWaiting(id), second)
  })

  it('lists the accounts whose waiting years can start', async () => {
    const [idle, subscribed, ended] = [await bench.account(), await bench.account(), await bench.account()]
    for (const { id } of [idle, subscribed, ended]) await bench.write(add(newYear(id)))
    await bench.write(put(paidSubscription(subscribed.id)))
    await bench.write(put(paidSubscription(ended.id, { status: 'canceled' })))
    const stalled = await bench.read.prepaidPlans.listStalled(10_000)
    assert.deepEqual(
      [idle, subscribed, ended].map(({ id }) => stalled.includes(id)),
      [true, false, true],
    )
    assert.equal((await bench.read.prepaidPlans.listStalled(1)).length, 1)
  })

  it('lists each reminder of an end once per number of days, and none for subscriptions that renew automatically', async () => {
    const { id: accountId } = await bench.account()
    const subscription = present(await bench.write(put(paidSubscription(accountId))))
    const [off, other] = [await bench.account(), await bench.account()]
    await bench.write(put(paidSubscription(off.id, { cancelAtPeriodEnd: true })))
    await bench.write(put(paidSubscription(other.id, { processor: 'stripe' })))
    const due = async (days: number) => {
      const all = await bench.read.prepaidPlans.listToRemind({ from: FAR, to: later(days), days, limit: 10_000 })
      return all.filter((one) => [accountId, off.id, other.id].includes(one.accountId))
    }
    const reminder = { subscriptionId: subscription.id, accountId, tier: 'pro' as const, endsAt: later(20) }
    assert.deepEqual(await due(30), [reminder])
    assert.deepEqual(await due(7), [])

    const claim = (tx: Stores<'subscriptions'>) => tx.prepaidPlans.claimReminder(reminder, 30)
    const { first, others } = await bench.overlap(claim, [claim, claim])
    assert.deepEqual([first, ...others].toSorted(), [false, false, true])
    assert.deepEqual(await due(30), [])

    // The next year was paid, so the end moved.
    await bench.write(put({ ...subscription, currentPeriodEnd: later(25) }))
    assert.deepEqual(await due(30), [{ ...reminder, endsAt: later(25) }])
    assert.equal(await bench.write(claim), false)
    assert.equal(await bench.write((tx) => tx.prepaidPlans.claimReminder({ ...reminder, endsAt: later(25) }, 1)), true)
    assert.deepEqual(await due(30), [])
  })

  it('deletes the years of an account with the account', async () => {
    const { id } = await bench.account()
    const year = newYear(id)
    await bench.write(add(year))
    await bench.write((tx) => eraseAccount(tx, id))
    assert.equal(await bench.read.prepaidPlans.get(year.challengeId), undefined)
  })
})
