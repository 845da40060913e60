import { defineBillingProcessor } from '@eep/core/ports'
import { newSubscription } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { createBillingApp, type Subscriber, subscriber, tellAll } from '../support/billing.ts'
import { client } from '../support/client.ts'

let test: Awaited<ReturnType<typeof createBillingApp>>
beforeAll(async () => {
  test = await createBillingApp()
})
afterAll(() => test.close())

/** An account that has paid for a plan, without a trial. */
async function paid(tier = 'pro', currency = 'usd') {
  const person = await subscriber(test.app)
  await test.storage.transaction((tx) => tx.accounts.save(person.id, { hadTrial: true }))
  const page = await person.page({ tier, currency })
  await tellAll(test.app, test.fakeBilling.buy(page))
  const seat = test.fakeBilling.ledger.desks.get(page)?.checkout.subscriptionId ?? ''
  return { ...person, seat }
}

/** What the processor took while some work ran. */
async function takenBy(work: () => Promise<unknown>): Promise<bigint> {
  const before = test.fakeBilling.balance()
  await work()
  return test.fakeBilling.balance() - before
}

const saidOf = (answer: Awaited<ReturnType<Subscriber['change']>>) => [answer.statusCode, codeOf(answer)]

describe('a larger plan', () => {
  it('begins immediately at its present price, for a part of the difference, and is charged whole with the next period', async () => {
    const ada = await paid()
    const taken = await takenBy(async () => {
      const changed = await ada.change({ tier: 'team' })
      expect(changed.statusCode, changed.body).toBe(200)
      expect(changed.json()).toMatchObject({ tier: 'team', price_at_creation_cents: 4_900, next_tier: null })
    })
    expect(taken).toBe(1_850n)
    expect(await ada.tier()).toBe('team')
    expect(await takenBy(async () => tellAll(test.app, test.fakeBilling.endPeriod(ada.seat)))).toBe(4_900n)
  })

  it('is charged once, however often it is asked for', async () => {
    const ada = await paid()
    const taken = await takenBy(async () => {
      for (const _ of [1, 2, 3]) expect((await ada.change({ tier: 'team' })).statusCode).toBe(200)
    })
    expect(taken).toBe(1_850n)
  })

  it('is charged once when the answer of the processor was lost, and the account asks again', async () => {
    const ada = await paid()
    const taken = await takenBy(async () => {
      test.fakeBilling.next('change', { lose: 'answer' })
      expect(saidOf(await ada.change({ tier: 'team' }))).toEqual([502, 'billing_failed'])
      expect((await ada.change({ tier: 'team' })).json()).toMatchObject({ tier: 'team' })
    })
    expect(taken).toBe(1_850n)
    expect(await ada.tier()).toBe('team')
  })

  it('does not begin when the payment is declined', async () => {
    const ada = await paid()
    test.fakeBilling.next('change', { decline: true })
    expect(saidOf(await ada.change({ tier: 'team' }))).toEqual([409, 'plan_payment_declined'])
    expect([await ada.tier(), (await ada.subscription()).price_at_creation_cents]).toEqual(['pro', 1_200])
  })

  it('keeps a trial, and its end', async () => {
    const ada = await test.subscribed()
    const before = await ada.subscription()
    const taken = await takenBy(() => ada.change({ tier: 'team' }))
    expect(taken).toBe(0n)
    expect(await ada.subscription()).toMatchObject({
      tier: 'team',
      status: 'trialing',
      trial_end: before.trial_end,
      price_at_creation_cents: 4_900,
    })
  })
})

describe('a smaller plan', () => {
  it('begins with the next period, without a charge before', async () => {
    const ada = await paid('team', 'eur')
    const taken = await takenBy(async () => {
      const changed = await ada.change({ tier: 'pro' })
      expect(changed.json()).toMatchObject({ tier: 'team', next_tier: 'pro', next_price_cents: 1_100 })
    })
    expect([taken, await ada.tier()]).toEqual([0n, 'team'])
    expect(await takenBy(async () => tellAll(test.app, test.fakeBilling.endPeriod(ada.seat)))).toBe(1_100n)
    expect(await ada.tier()).toBe('pro')
    const { price_at_creation_cents: price, next_tier: next, next_price_cents: later } = await ada.subscription()
    expect([price, next, later]).toEqual([1_100, null, null])
  })

  it('is dropped when the larger one is chosen again, which keeps the price that it had', async () => {
    const ada = await paid('team')
    const admin = await signUp(test.app, undefined)
    await test.storage.transaction((tx) => tx.accounts.save(admin.account.id, { isAdmin: true }))
    await ada.change({ tier: 'pro' })
    const raised = await admin.put('/admin/settings/subscription-pricing/team', { price_usd_monthly_cents: 9_900 })
    expect(raised.statusCode, raised.body).toBe(200)
    const taken = await takenBy(async () => {
      expect((await ada.change({ tier: 'team' })).json()).toMatchObject({ tier: 'team', next_tier: null })
    })
    await admin.put('/admin/settings/subscription-pricing/team', { price_usd_monthly_cents: 4_900 })
    expect(taken).toBe(0n)
    expect((await ada.subscription()).price_at_creation_cents).toBe(4_900)
    expect(await takenBy(async () => tellAll(test.app, test.fakeBilling.endPeriod(ada.seat)))).toBe(4_900n)
  })
})

describe('a cancellation', () => {
  it('is taken back before the period ends, and the next period is charged', async () => {
    const ada = await paid()
    const cancelled = await ada.change({ cancel_at_period_end: true })
    expect(cancelled.json()).toMatchObject({ cancel_at_period_end: true, status: 'active' })
    const resumed = await ada.change({ cancel_at_period_end: false })
    expect(resumed.json()).toMatchObject({ cancel_at_period_end: false, canceled_at: null })
    expect(await takenBy(async () => tellAll(test.app, test.fakeBilling.endPeriod(ada.seat)))).toBe(1_200n)
  })

  it('cannot be taken back after the end', async () => {
    const ada = await paid()
    await ada.change({ cancel_at_period_end: true })
    test.fakeBilling.endPeriod(ada.seat)
    expect(saidOf(await ada.change({ cancel_at_period_end: false }))).toEqual([404, 'no_subscription'])
    expect(await ada.tier()).toBe('community')
  })

  it('must be taken back before the plan is changed', async () => {
    const ada = await paid()
    await ada.change({ cancel_at_period_end: true })
    const taken = await takenBy(async () =>
      expect(saidOf(await ada.change({ tier: 'team' }))).toEqual([409, 'plan_cancelled']),
    )
    expect(taken).toBe(0n)
  })
})

describe('a change that is refused', () => {
  it('names the reason: no subscription, a failed payment, a price that is not sold, a prepaid year', async () => {
    const none = await subscriber(test.app)
    expect(saidOf(await none.change({ tier: 'team' }))).toEqual([404, 'no_subscription'])
    const owing = await paid()
    await tellAll(test.app, test.fakeBilling.endPeriod(owing.seat, 'failed'))
    expect(saidOf(await owing.change({ tier: 'team' }))).toEqual([409, 'plan_not_paid'])
    const prepaid = await subscriber(test.app)
    const year = newSubscription(prepaid.id, { processor: 'usdc', currency: 'usdc' })
    await test.storage.transaction((tx) => tx.subscriptions.put(year))
    for (const change of [{ tier: 'team' }, { cancel_at_period_end: true }, { cancel_at_period_end: false }]) {
      expect(saidOf(await prepaid.change(change))).toEqual([409, 'prepaid_plan'])
    }
    expect(saidOf(await prepaid.portal())).toEqual([409, 'prepaid_plan'])
  })

  it.each([
    {},
    { tier: 'community' },
    { tier: 'gold' },
    { tier: 'team', cancel_at_period_end: false },
    { tier: 'team', price: 1 },
  ])('has a body that asks for one change: %j', async (body) => {
    const ada = await subscriber(test.app)
    const answer = await client(test.app).patch('/account/subscription', body, ada.headers)
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'validation_failed'])
  })

  it('is of a plan that has no price in the currency of the subscription', async () => {
    const ada = await paid('pro', 'eur')
    const admin = await signUp(test.app)
    await test.storage.transaction((tx) => tx.accounts.save(admin.account.id, { isAdmin: true }))
    const price = (cents: number) =>
      admin.put('/admin/settings/subscription-pricing/team', { price_eur_monthly_cents: cents })
    await price(0)
    expect(saidOf(await ada.change({ tier: 'team' }))).toEqual([409, 'plan_not_for_sale'])
    await price(4_500)
  })
})

describe('invoices', () => {
  it('are those of the account, the latest first, in pages over all its customers', async () => {
    const [ada, bert] = [await paid(), await paid()]
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat))
    await tellAll(test.app, test.fakeBilling.end(ada.seat))
    test.time.pass(1)
    await tellAll(test.app, test.fakeBilling.buy(await ada.page({ tier: 'team', currency: 'eur' })))
    const seen: unknown[] = []
    for (let query = '?limit=1'; query; ) {
      const { data, pagination } = (await ada.invoices(query)).json()
      seen.push(...data)
      expect(pagination.total).toBe(3)
      query = pagination.has_more ? `?limit=1&cursor=${pagination.next_cursor}` : ''
    }
    expect(seen).toMatchObject([
      { total_cents: 4_500, currency: 'eur', status: 'paid', url: expect.stringContaining('https://') },
      { total_cents: 1_200, currency: 'usd', status: 'paid' },
      { total_cents: 1_200, currency: 'usd', status: 'paid' },
    ])
    expect((await bert.invoices()).json()).toMatchObject({ data: [{}], pagination: { total: 1, has_more: false } })
    expect((await ada.invoices()).headers['cache-control']).toBe('private, no-store')
  })

  it('are none for an account that never bought, and a cursor of something else is refused', async () => {
    const ada = await subscriber(test.app)
    expect((await ada.invoices()).json()).toEqual({ data: [], pagination: { total: 0, has_more: false } })
    expect(saidOf(await ada.invoices('?cursor=nothing'))).toEqual([400, 'invalid_cursor'])
    const foreign = Buffer.from(JSON.stringify([7, ''])).toString('base64url')
    expect(saidOf(await ada.invoices(`?cursor=${foreign}`))).toEqual([400, 'invalid_cursor'])
  })
})

describe('the page of the processor', () => {
  it('is opened for the customer of the account, and leads back to the plan', async () => {
    const ada = await paid()
    const customer = test.fakeBilling.ledger.subscriptions.get(ada.seat)?.customerId
    const back = encodeURIComponent('https://profiles.example/account/plan')
    expect((await ada.portal()).json()).toEqual({ url: `https://cash.example/${customer}?back=${back}` })
  })

  it('does not exist for an account that never bought', async () => {
    expect(saidOf(await (await subscriber(test.app)).portal())).toEqual([404, 'no_subscription'])
  })
})

describe('a processor that can only sell and cancel', () => {
  it('refuses changes, invoices and its page with a separate code, and still cancels', async () => {
    const { close, ...simple } = await createBillingApp({
      through: ({ change, resume, portal, listInvoices, ...processor }) => defineBillingProcessor(processor),
    })
    const ada = await simple.subscribed()
    expect(saidOf(await ada.change({ tier: 'team' }))).toEqual([501, 'billing_unsupported'])
    expect((await ada.change({ cancel_at_period_end: true })).statusCode).toBe(200)
    expect(saidOf(await ada.change({ cancel_at_period_end: false }))).toEqual([501, 'billing_unsupported'])
    expect(saidOf(await ada.portal())).toEqual([501, 'billing_unsupported'])
    expect(saidOf(await ada.invoices())).toEqual([501, 'billing_unsupported'])
    await close()
  })

  it('is named in the error of a service without one', async () => {
    const { app, close } = await createTestApp()
    const ada = await subscriber(app)
    expect(saidOf(await ada.invoices())).toEqual([503, 'stripe_not_configured'])
    await close()
  })
})
