import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Subscription } from '../../ports/storage/subscriptions.ts'
import { freshName, newGrant } from '../records.ts'
import { newSubscription } from '../subscription-records.ts'
import { casesFor, HOUR, present } from './bench.ts'

type Tx = Stores<'sandbox'>

const AT = new Date('2026-08-08T08:08:08.008Z')

export const sandboxClockCases = casesFor(['sandbox', 'subscriptions'], (it, bench) => {
  const BY = 3 * HOUR
  const move = (tx: Tx) => tx.sandboxPlans.moveClock(BY)
  const moved = (at: Date | null, times = 1) => at && new Date(at.getTime() - times * BY)
  const order = () => ({ id: freshName('plan'), accountId: randomUUID(), attempt: freshName(), createdAt: AT })
  const insert = () => bench.write((tx) => tx.sandboxPlans.insert({ ...order(), details: {} }))
  // The database compares ends with its clock.
  const begin = Math.floor(Date.now() / 1_000) * 1_000
  const soon = (ms: number) => new Date(begin + ms)

  async function subscribe(changes: Partial<Subscription> = {}) {
    const { id } = await bench.account()
    const subscription = newSubscription(id, { trialEnd: soon(9 * HOUR), currentPeriodEnd: soon(9 * HOUR), ...changes })
    return present(await bench.write((tx) => tx.subscriptions.put(subscription)))
  }
  const subscriptionNow = async ({ processor, processorSubscriptionId }: Subscription) =>
    present(await bench.read.subscriptions.get(processor, processorSubscriptionId))

  async function open(validUntil: Date | null) {
    const { id: profileId } = await bench.profile()
    const entitlement = newGrant(profileId, { validUntil })
    await bench.write((tx) => tx.entitlements.grant(entitlement))
    const { payerWalletAddress, payerNetwork } = entitlement
    const holder = { profileId, payerWalletAddress, payerNetwork }
    const ends = async () => (await bench.read.entitlements.listActive(holder)).map((one) => one.validUntil)
    return { profileId, ends }
  }

  it('moves plans ahead, and the ends of access and of periods nearer', async () => {
    const plan = await insert()
    const [live, ended] = [await subscribe(), await subscribe({ status: 'canceled', canceledAt: AT })]
    const [ending, later, lasting] = [await open(soon(HOUR)), await open(soon(9 * HOUR)), await open(null)]
    const profileIds = await bench.write(move)
    const { aheadMs, version, details } = present(await bench.read.sandboxPlans.get(plan.id))
    assert.deepEqual({ aheadMs, version, details }, { aheadMs: BY, version: 2, details: {} })
    const { trialEnd, currentPeriodEnd, createdAt } = await subscriptionNow(live)
    assert.deepEqual(
      [trialEnd, currentPeriodEnd, createdAt],
      [moved(live.trialEnd), moved(live.currentPeriodEnd), moved(live.createdAt)],
    )
    assert.deepEqual(await subscriptionNow(ended), ended)
    assert.deepEqual(await Promise.all([ending, later, lasting].map(({ ends }) => ends())), [
      [],
      [soon(6 * HOUR)],
      [null],
    ])
    const touched = [ending, later, lasting].map(({ profileId }) => profileIds.includes(profileId))
    assert.deepEqual(touched, [true, true, false])
  })

  it('adds up concurrent moves, and lets a concurrent change of a plan lose', async () => {
    const [plan, live, access] = [await insert(), await subscribe(), await open(soon(9 * HOUR))]
    const update = (tx: Tx) => tx.sandboxPlans.update({ ...plan, subscriptionId: null, details: { changed: true } })
    const { others } = await bench.overlap<unknown, unknown>(move, [move, update])
    assert.equal(others[1], undefined)
    const { aheadMs, version, details } = present(await bench.read.sandboxPlans.get(plan.id))
    assert.deepEqual({ aheadMs, version, details }, { aheadMs: 2 * BY, version: 3, details: {} })
    assert.deepEqual((await subscriptionNow(live)).currentPeriodEnd, moved(live.currentPeriodEnd, 2))
    assert.deepEqual(await access.ends(), [soon(3 * HOUR)])
  })

  it('moves years that were paid in advance and have begun', async () => {
    const { id: accountId } = await bench.account()
    const year = { accountId, tier: 'pro', priceCents: 12_000, paidAt: AT } as const
    const newYear = () => ({ ...year, challengeId: freshName(), receiptId: freshName() })
    const term = { startsAt: soon(-HOUR), endsAt: soon(9 * HOUR) }
    const over = { startsAt: soon(-9 * HOUR), endsAt: soon(-HOUR) }
    const years = [
      { ...newYear(), term },
      { ...newYear(), term: over },
      { ...newYear(), term: null },
    ] as const
    await bench.write(async (tx) => {
      for (const each of years) await tx.prepaidPlans.add(each)
    })
    await bench.write(move)
    const terms = years.map(async ({ challengeId }) => (await bench.read.prepaidPlans.get(challengeId))?.term)
    const begun = { startsAt: moved(term.startsAt), endsAt: moved(term.endsAt) }
    assert.deepEqual(await Promise.all(terms), [begun, over, null])
  })

  it('keeps the reminders of an end that it moves', async () => {
    const live = await subscribe({ status: 'trialing', trialEnd: soon(9 * HOUR) })
    const remind = (trialEnd: Date | null) =>
      bench.write((tx) => tx.subscriptions.claimTrialReminder(live.id, trialEnd ?? AT, 3))
    assert.equal(await remind(live.trialEnd), true)
    await bench.write(move)
    assert.equal(await remind(moved(live.trialEnd)), false)
  })

  it('deletes orders that were never paid, a batch at a time', async () => {
    const createdAt = new Date('1999-01-01T00:00:00Z')
    const old = () => bench.write((tx) => tx.sandboxPlans.insert({ ...order(), details: {}, createdAt }))
    const [bought, ...others] = [await old(), await old(), await old()]
    const subscriptionId = freshName()
    await bench.write((tx) => tx.sandboxPlans.update({ ...bought, subscriptionId }))
    const deleteUnbought = (limit: number) =>
      bench.write((tx) => tx.sandboxPlans.deleteUnbought(new Date('1999-01-02T00:00:00Z'), limit))
    assert.deepEqual([await deleteUnbought(1), await deleteUnbought(5), await deleteUnbought(5)], [1, 1, 0])
    for (const { id } of others) assert.equal(await bench.read.sandboxPlans.get(id), undefined)
    assert.equal((await bench.read.sandboxPlans.get(bought.id))?.subscriptionId, subscriptionId)
  })
})
