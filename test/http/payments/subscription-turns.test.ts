import { cashBilling } from '@eep/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { login, PASSWORD } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { createBillingApp, type Subscriber, subscriber, tellAll } from '../../support/billing.ts'
import { client } from '../../support/client.ts'

let test: Awaited<ReturnType<typeof createBillingApp>>
beforeEach(async () => {
  test = await createBillingApp({ auth: { purgeIntervalMs: 86_400_000 } })
})
afterEach(() => test.close())

const sweep = () => test.sweep()
/** Read from the storage, because sessions end sooner than subscriptions. */
const rowOf = async ({ id }: Subscriber) => (await test.storage.read.subscriptions.getLive(id)) ?? null
const tierOf = async ({ id }: Subscriber) => (await test.storage.read.accounts.get(id))?.tier
const atOffice = (seat: string) => test.fakeBilling.ledger.subscriptions.get(seat)

describe('the life of a subscription', () => {
  it('turns a trial into a paid subscription, month after month', async () => {
    const ada = await test.subscribed()
    test.time.pass(14)
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat))
    expect(await rowOf(ada)).toMatchObject({
      status: 'active',
      trialEnd: test.time.day(14),
      currentPeriodEnd: test.time.day(44),
    })
    test.time.pass(30)
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat))
    expect(await rowOf(ada)).toMatchObject({ currentPeriodEnd: test.time.day(74) })
    expect(await tierOf(ada)).toBe('pro')
  })

  it('keeps the tier during an unpaid invoice until the processor gives up', async () => {
    const ada = await test.subscribed()
    test.time.pass(14)
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat, 'failed'))
    expect(await rowOf(ada)).toMatchObject({ status: 'past_due' })
    expect(await tierOf(ada)).toBe('pro')
    await tellAll(test.app, test.fakeBilling.change(ada.seat, { status: 'active' }))
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat, 'failed'))
    await tellAll(test.app, test.fakeBilling.change(ada.seat, { status: 'unpaid' }))
    expect(await tierOf(ada)).toBe('community')
    await tellAll(test.app, test.fakeBilling.change(ada.seat, { status: 'active' }))
    expect(await tierOf(ada)).toBe('pro')
  })
})

describe('the reconciliation of subscriptions', () => {
  it('finds a subscription that ended and an invoice whose webhooks were lost', async () => {
    const [ended, billed, current] = [await test.subscribed(), await test.subscribed(), await test.subscribed()]
    await current.cancel()
    test.time.pass(15)
    test.fakeBilling.end(ended.seat)
    test.fakeBilling.endPeriod(billed.seat, 'failed')
    test.fakeBilling.change(current.seat, { currentPeriodEnd: new Date('2027-01-01T00:00:00.000Z') })
    expect(await sweep()).toMatchObject({ looked: 3 })
    expect(await rowOf(ended)).toBeNull()
    expect(await tierOf(ended)).toBe('community')
    expect(await rowOf(billed)).toMatchObject({ status: 'past_due' })
    expect(await rowOf(current)).toMatchObject({ currentPeriodEnd: new Date('2027-01-01T00:00:00.000Z') })
    expect(await sweep()).toMatchObject({ looked: 0 })
  })

  it('continues after a subscription for which the processor fails', async () => {
    const people = [await test.subscribed(), await test.subscribed(), await test.subscribed()]
    test.time.pass(15)
    for (const { seat } of people) test.fakeBilling.end(seat)
    test.fakeBilling.next('getSubscription', { lose: 'request' })
    expect(await sweep()).toMatchObject({ looked: 2 })
    await sweep()
    for (const person of people) expect(await tierOf(person)).toBe('community')
  })

  it('finds a completed checkout without its webhook, and deletes expired ones', async () => {
    const [bought, late, open] = [await subscriber(test.app), await subscriber(test.app), await subscriber(test.app)]
    test.fakeBilling.buy(await bought.page())
    test.fakeBilling.ledger.close(await late.page(), { state: 'expired' })
    const page = await open.page()
    expect(await sweep()).toMatchObject({ pages: 0 })
    test.time.pass(0.1)
    expect(await sweep()).toMatchObject({ pages: 3 })
    expect(await rowOf(bought)).toMatchObject({ status: 'trialing' })
    expect(await open.page()).toBe(page)
    expect(await sweep()).toMatchObject({ pages: 1 })
  })

  it('expires the checkout page of an account that subscribed elsewhere', async () => {
    const ada = await subscriber(test.app)
    const page = await ada.page()
    const desk = test.fakeBilling.ledger.desks.get(page)
    if (!desk) throw new Error('no page')
    await tellAll(
      test.app,
      test.fakeBilling.buy(test.fakeBilling.ledger.open({ ...desk.order, attempt: 'elsewhere' }).id),
    )
    test.time.pass(0.1)
    await sweep()
    expect(test.fakeBilling.ledger.desks.get(page)?.checkout.state).toBe('expired')
    expect(await test.storage.read.subscriptions.getCheckout(ada.id)).toBeUndefined()
  })

  it('deletes records of webhooks that are not sent again', async () => {
    const ada = await test.subscribed()
    test.time.pass(1)
    await tellAll(test.app, test.fakeBilling.change(ada.seat, {}))
    test.time.pass(29.5)
    expect(await sweep()).toMatchObject({ messages: 2 })
  })
})

describe('an account that is deleted', () => {
  it('keeps its subscription to the end of the paid period', async () => {
    const ada = await test.subscribed()
    expect((await ada.leave(PASSWORD)).statusCode).toBe(200)
    await expect.poll(() => atOffice(ada.seat)?.cancelAtPeriodEnd).toBe(true)
    expect(atOffice(ada.seat)?.status).toBe('trialing')
  })

  it('is not charged again when the processor was unavailable at the deletion', async () => {
    const ada = await test.subscribed()
    const calls = test.fakeBilling.calls.length
    test.fakeBilling.next('getSubscription', { lose: 'request' })
    await ada.leave(PASSWORD)
    await expect.poll(() => test.fakeBilling.calls.length).toBe(calls + 1)
    expect(atOffice(ada.seat)?.cancelAtPeriodEnd).toBe(false)
    expect(await sweep()).toMatchObject({ left: 1 })
    expect(atOffice(ada.seat)?.cancelAtPeriodEnd).toBe(true)
    expect(await sweep()).toMatchObject({ left: 0 })
  })

  it('finds its subscription again when it is restored', async () => {
    const ada = await test.subscribed()
    await ada.leave(PASSWORD)
    await expect.poll(() => atOffice(ada.seat)?.cancelAtPeriodEnd).toBe(true)
    const { email } = (await test.storage.read.accounts.get(ada.id)) ?? { email: '' }
    const { token, user } = (await login(test.app, email)).json()
    expect(user.tier).toBe('pro')
    const headers = { authorization: `Bearer ${token}` }
    const found = await client(test.app).get('/account/subscription', headers)
    expect(found.json().subscription).toMatchObject({ status: 'trialing', cancel_at_period_end: true })
  })

  it('is purged only when it can no longer be charged', async () => {
    const ada = await test.subscribed()
    const buyer = await subscriber(test.app)
    const page = await buyer.page()
    // Bought while no message arrived.
    test.fakeBilling.buy(page)
    for (const id of [ada.id, buyer.id]) {
      const deletionScheduledAt = new Date('2026-01-01T00:00:00.000Z')
      await test.storage.transaction((tx) => tx.accounts.save(id, { deletionScheduledAt }))
    }
    test.fakeBilling.next('getSubscription', { refuse: true })
    test.fakeBilling.next('expireCheckout', { lose: 'request' })
    test.fakeBilling.next('cancelSubscription', { lose: 'request' })
    const { close } = await createTestApp({
      storage: test.storage,
      clock: test.time.clock,
      subscriptions: { billing: cashBilling({ fakeBilling: test.fakeBilling }) },
      auth: { purgeIntervalMs: 100 },
    })
    await expect.poll(() => test.storage.read.accounts.get(ada.id), { timeout: 60_000 }).toBeUndefined()
    await expect.poll(() => test.storage.read.accounts.get(buyer.id), { timeout: 60_000 }).toBeUndefined()
    await close()
    expect(await test.storage.read.subscriptions.get('cash', ada.seat)).toBeUndefined()
    const standing = [...test.fakeBilling.ledger.subscriptions.values()].map(({ status }) => status)
    expect(standing).toEqual(['canceled', 'canceled'])
  })
})
