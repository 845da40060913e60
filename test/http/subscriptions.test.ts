import { newSubscription } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createBillingApp, subscriber, tellAll } from '../support/billing.ts'
import { client } from '../support/client.ts'

let test: Awaited<ReturnType<typeof createBillingApp>>
beforeAll(async () => {
  test = await createBillingApp()
})
afterAll(() => test.close())

const orderOf = (page: string) => test.fakeBilling.ledger.desks.get(page)?.order

describe('a checkout page', () => {
  it('sells the requested plan with its trial, and returns to the frontend with the id of the page', async () => {
    const ada = await subscriber(test.app)
    const answer = await ada.start({ tier: 'team', currency: 'eur' })
    expect(answer.statusCode, answer.body).toBe(200)
    const { checkout_url, checkout_id, ...rest } = answer.json()
    expect(rest).toEqual({})
    expect(checkout_url).toBe(`https://cash.example/${checkout_id}`)
    expect(orderOf(checkout_id)).toMatchObject({
      accountId: ada.id,
      tier: 'team',
      title: 'Team',
      currency: 'eur',
      priceCents: 4_500,
      trialDays: 14,
      successUrl: 'https://profiles.example/account/subscription?checkout_id={CHECKOUT_ID}',
      cancelUrl: 'https://profiles.example/pricing',
    })
    expect(await ada.subscription()).toBeNull()
    expect(await ada.tier()).toBe('community')
  })

  it.each([
    ['tier=gold&currency=usd'],
    ['tier=community&currency=usd'],
    ['tier=pro&currency=gbp'],
    ['tier=pro'],
    ['currency=usd'],
    [''],
    ['tier=pro&currency=USD'],
  ])('opens no checkout page for %s', async (query) => {
    const { headers } = await subscriber(test.app)
    const answer = await client(test.app).with(headers).post(`/checkout/start-trial?${query}`)
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'validation_failed'])
  })

  it('reuses the checkout page for a repeated request, and opens another for another plan or currency', async () => {
    const ada = await subscriber(test.app)
    const first = await ada.page()
    expect(await ada.page()).toBe(first)
    const second = await ada.page({ currency: 'eur' })
    expect(second).not.toBe(first)
    expect(test.fakeBilling.ledger.desks.get(first)?.checkout.state).toBe('expired')
    expect(await ada.page({ currency: 'eur' })).toBe(second)
  })

  it('opens a new checkout page when the earlier one has expired or is unknown', async () => {
    const ada = await subscriber(test.app)
    const first = await ada.page()
    test.fakeBilling.ledger.close(first, { state: 'expired' })
    const second = await ada.page()
    test.fakeBilling.ledger.desks.delete(second)
    const third = await ada.page()
    expect(new Set([first, second, third]).size).toBe(3)
  })

  it('opens one page when the response of the processor was lost', async () => {
    const ada = await subscriber(test.app)
    test.fakeBilling.next('openCheckout', { lose: 'answer' })
    const lost = await ada.start()
    expect([lost.statusCode, codeOf(lost)]).toEqual([502, 'billing_failed'])
    const page = await ada.page()
    const pages = [...test.fakeBilling.ledger.desks.values()].filter(({ order }) => order.accountId === ada.id)
    expect(pages.map(({ checkout }) => checkout.id)).toEqual([page])
  })

  it('notices a completed checkout before any webhook arrives', async () => {
    const ada = await subscriber(test.app)
    test.fakeBilling.buy(await ada.page())
    const again = await ada.start()
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'already_subscribed'])
    expect(await ada.subscription()).toMatchObject({ status: 'trialing', tier: 'pro' })
    expect(await ada.tier()).toBe('pro')
  })

  it('grants one trial per account, whatever became of the first subscription', async () => {
    const ada = await test.subscribed()
    await tellAll(test.app, test.fakeBilling.end(ada.seat))
    expect(await ada.subscription()).toBeNull()
    expect(await ada.tier()).toBe('community')
    const page = await ada.page({ tier: 'team' })
    expect(orderOf(page)?.trialDays).toBe(0)
    await tellAll(test.app, test.fakeBilling.buy(page))
    expect(await ada.subscription()).toMatchObject({ status: 'active', trial_end: null })
  })

  it("reuses the processor's customer for a later subscription in the same currency", async () => {
    const ada = await test.subscribed()
    const customer = test.fakeBilling.ledger.subscriptions.get(ada.seat)?.customerId
    await tellAll(test.app, test.fakeBilling.end(ada.seat))
    expect(orderOf(await ada.page())?.customerId).toBe(customer)
    expect(orderOf(await ada.page({ currency: 'eur' }))?.customerId).toBeUndefined()
  })

  it('distinguishes a failing processor from one that is not configured', async () => {
    const ada = await subscriber(test.app)
    test.fakeBilling.next('openCheckout', { lose: 'request' })
    const failed = await ada.start()
    expect([failed.statusCode, codeOf(failed)]).toEqual([502, 'billing_failed'])
    test.fakeBilling.next('openCheckout', { refuse: true })
    const refused = await ada.start()
    expect([refused.statusCode, codeOf(refused)]).toEqual([503, 'cash_not_configured'])
  })
})

describe('the subscription of an account', () => {
  it('shows the subscription as it was bought, without details of the processor', async () => {
    const ada = await test.subscribed()
    const answer = await ada.get()
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.json()).toEqual({
      subscription: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tier: 'pro',
        processor: 'cash',
        status: 'trialing',
        currency: 'usd',
        price_at_creation_cents: 1_200,
        next_tier: null,
        next_price_cents: null,
        trial_end: test.time.day(14).toISOString(),
        current_period_end: test.time.day(14).toISOString(),
        cancel_at_period_end: false,
        canceled_at: null,
        created_at: test.time.day(0).toISOString(),
        updated_at: test.time.day(0).toISOString(),
      },
    })
  })

  it('applies the tier of a subscription immediately to sessions, keys and limits', async () => {
    const ada = await test.subscribed({ tier: 'team' })
    expect(await ada.tier()).toBe('team')
    const limits = await client(test.app).as(ada).get('/manage/limits')
    expect(limits.json()).toMatchObject({ max_files: 10_000, commission_bps: 200 })
  })

  it.each([
    ['incomplete', 'community', true],
    ['trialing', 'pro', true],
    ['active', 'pro', true],
    ['past_due', 'pro', true],
    ['unpaid', 'community', true],
    ['paused', 'community', true],
    ['a word of tomorrow', 'community', true],
    ['canceled', 'community', false],
    ['incomplete_expired', 'community', false],
  ])('maps the status %s to the tier %s', async (status, tier, shown) => {
    const ada = await test.subscribed()
    await tellAll(test.app, test.fakeBilling.change(ada.seat, { status }))
    expect(await ada.tier()).toBe(tier)
    const found = await ada.subscription()
    expect(found?.status ?? null).toBe(shown ? (status === 'a word of tomorrow' ? 'other' : status) : null)
  })

  it('shows the subscription to a buyer who returns before the webhook arrives', async () => {
    const ada = await subscriber(test.app)
    const page = await ada.page()
    const messages = test.fakeBilling.buy(page)
    expect(await ada.subscription()).toBeNull()
    expect((await ada.get('another-page')).json()).toEqual({ subscription: null })
    expect((await ada.get(page)).json().subscription).toMatchObject({ status: 'trialing' })
    expect(await ada.tier()).toBe('pro')
    const before = await ada.subscription()
    await tellAll(test.app, messages)
    expect(await ada.subscription()).toEqual(before)
  })

  it('shows null while the processor is unavailable, and the subscription later', async () => {
    const ada = await subscriber(test.app)
    const page = await ada.page()
    const messages = test.fakeBilling.buy(page)
    test.fakeBilling.next('getCheckout', { lose: 'request' })
    expect((await ada.get(page)).json()).toEqual({ subscription: null })
    await tellAll(test.app, messages)
    expect((await ada.get(page)).json().subscription).toMatchObject({ status: 'trialing' })
  })

  it('shows null for the checkout page of another account', async () => {
    const [ada, bert] = [await subscriber(test.app), await subscriber(test.app)]
    const page = await ada.page()
    test.fakeBilling.buy(page)
    expect((await bert.get(page)).json()).toEqual({ subscription: null })
    expect(await bert.tier()).toBe('community')
  })
})

describe('canceling a subscription', () => {
  it('cancels at the end of the paid period, and answers a repeated request the same', async () => {
    const ada = await test.subscribed()
    const first = await ada.cancel()
    expect(first.statusCode, first.body).toBe(200)
    expect(first.json()).toMatchObject({ status: 'trialing', cancel_at_period_end: true })
    const second = await ada.cancel()
    expect([second.statusCode, second.json()]).toEqual([200, first.json()])
    expect(test.fakeBilling.ledger.subscriptions.get(ada.seat)?.cancelAtPeriodEnd).toBe(true)
    expect(await ada.tier()).toBe('pro')
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat))
    expect(await ada.subscription()).toBeNull()
    expect(await ada.tier()).toBe('community')
  })

  it('returns 404 without a subscription, and after its end', async () => {
    const none = await (await subscriber(test.app)).cancel()
    expect([none.statusCode, codeOf(none)]).toEqual([404, 'no_subscription'])
    const ada = await test.subscribed()
    // Its end was not reported yet.
    test.fakeBilling.end(ada.seat)
    const over = await ada.cancel()
    expect([over.statusCode, codeOf(over)]).toEqual([404, 'no_subscription'])
    expect(await ada.tier()).toBe('community')
  })

  it('fails when the processor fails, and succeeds when repeated', async () => {
    const ada = await test.subscribed()
    for (const lose of ['request', 'answer'] as const) {
      test.fakeBilling.next('cancelSubscription', { lose })
      const failed = await ada.cancel()
      expect([failed.statusCode, codeOf(failed)]).toEqual([502, 'billing_failed'])
    }
    expect((await ada.cancel()).json()).toMatchObject({ cancel_at_period_end: true })
  })

  it('cancels a subscription immediately when the host configures it', async () => {
    const own = await createBillingApp({ subscriptions: { cancelSubscriptions: 'immediately' } })
    const ada = await own.subscribed()
    expect((await ada.cancel()).json()).toMatchObject({ status: 'canceled' })
    expect(await ada.tier()).toBe('community')
    expect(own.fakeBilling.balance()).toBe(0n)
    await own.close()
  })
})

describe('a prepaid year', () => {
  const prepaidPlan = async (id: string) => {
    const year = { processor: 'usdc', currency: 'usdc', currentPeriodEnd: new Date('2027-01-01T00:00:00.000Z') }
    await test.storage.transaction((tx) => tx.subscriptions.put(newSubscription(id, year)))
  }

  it('shows and cancels a prepaid year like a subscription, and refuses another one beside it', async () => {
    const ada = await subscriber(test.app)
    await prepaidPlan(ada.id)
    const calls = test.fakeBilling.calls.length
    expect(await ada.subscription()).toMatchObject({ processor: 'usdc', cancel_at_period_end: false })
    const start = await ada.start()
    expect([start.statusCode, codeOf(start)]).toEqual([409, 'already_subscribed'])
    const first = await ada.cancel()
    expect(first.json()).toMatchObject({ status: 'active', cancel_at_period_end: true })
    expect((await ada.cancel()).json()).toEqual(first.json())
    await test.sweep()
    expect(await ada.subscription()).toEqual(first.json())
    expect(test.fakeBilling.calls.length).toBe(calls)
  })

  it('keeps the year and refunds a subscription that is bought as well', async () => {
    const ada = await subscriber(test.app)
    await test.storage.transaction((tx) => tx.accounts.save(ada.id, { hadTrial: true }))
    const page = await ada.page()
    await prepaidPlan(ada.id)
    const before = test.fakeBilling.balance()
    await tellAll(test.app, test.fakeBilling.buy(page))
    expect(test.fakeBilling.balance()).toBe(before)
    expect(await ada.subscription()).toMatchObject({ processor: 'usdc', status: 'active' })
  })
})
