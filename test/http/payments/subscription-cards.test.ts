import { type FakeStripe, type StripeEvent, startFakeStripe } from '@eep/payments-card/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../../support/accounts.ts'
import { createTestApp, type TestApp } from '../../support/app.ts'
import { cardRailOn } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { createChance } from '../../support/random.ts'
import { cardBillingOn, hear, orderOf } from '../../support/subscription-orders.ts'

/** Endpoints for the messages of Stripe. Each receives the event types that the operator chose. */
const OF_PAGES = '/eep/payment/stripe/webhook'
const OF_SUBSCRIPTIONS = '/stripe/subscription/webhook'

let stripe: FakeStripe
let test: Awaited<ReturnType<typeof createTestApp>>
let app: TestApp
beforeAll(async () => {
  stripe = await startFakeStripe()
  test = await createTestApp({
    payments: { rails: [cardRailOn(stripe)] },
    subscriptions: { billing: cardBillingOn(stripe) },
  })
  app = test.app
})
afterAll(async () => {
  await test.close()
  await stripe.stop()
})

const current = async (headers: Record<string, string>) =>
  (await client(app).get('/account/subscription', headers)).json().subscription

/** A user who has just bought on a page of Stripe, before any message has arrived. */
async function bought(tier = 'pro', currency = 'usd') {
  const { headers, account } = await signUp(app)
  const page = await client(app).with(headers).post(`/checkout/start-trial?tier=${tier}&currency=${currency}`)
  expect(page.statusCode).toBe(200)
  const checkout = stripe.billing.pages().at(-1) ?? ''
  const events = stripe.billing.buy(checkout)
  return { headers, account, events, id: stripe.billing.boughtOn(checkout) }
}

const last = (events: readonly StripeEvent[], type: string) =>
  events.findLast((event) => event.type === type) as StripeEvent

const tellAll = async (events: readonly StripeEvent[]) => {
  for (const event of events) expect((await hear(app, stripe.message(event))).statusCode).toBe(200)
}

describe('a subscription by card', () => {
  it("starts on Stripe's checkout page, and follows its webhooks to the end", async () => {
    const { headers, events, id } = await bought()
    await tellAll(events)
    expect(await current(headers)).toMatchObject({ tier: 'pro', status: 'trialing', processor: 'stripe' })

    await tellAll(stripe.billing.endPeriod(id))
    expect(await current(headers)).toMatchObject({ status: 'active' })
    await tellAll(stripe.billing.endPeriod(id, 'failed'))
    expect(await current(headers)).toMatchObject({ status: 'past_due' })
    await tellAll(stripe.billing.retry(id))
    expect(await current(headers)).toMatchObject({ status: 'active' })

    const ended = await client(app).delete('/account/subscription', headers)
    expect(ended.json()).toMatchObject({ status: 'active', cancel_at_period_end: true })
    await tellAll(stripe.billing.endPeriod(id))
    expect(await current(headers)).toBeNull()
  })
})

describe('a webhook of Stripe about a subscription', () => {
  const old = () => Math.floor(Date.now() / 1000) - 301

  it.each([
    ['that is not signed', { signature: null }],
    ['whose signature is nonsense', { signature: 't=1,v1=00' }],
    ['signed with another secret', { secret: 'whsec_other' }],
    ['that was signed more than five minutes ago', { timestamp: old() }],
  ])('%s is refused, and changes nothing', async (_, delivery) => {
    const { headers, events } = await bought()
    const message = stripe.message(last(events, 'checkout.session.completed'), delivery)
    const response = await hear(app, message)
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'invalid_message'])
    expect(await current(headers)).toBeNull()
  })

  it('is rejected when no secret is configured', async () => {
    const { secretKey, url } = stripe
    const { cardBilling } = await import('@eep/payments-card')
    const other = await createTestApp({
      storage: test.storage,
      subscriptions: { billing: cardBilling({ secretKey, apiBase: url }) },
    })
    const { events } = await bought()
    const response = await hear(other.app, stripe.message(last(events, 'checkout.session.completed')))
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'invalid_message'])
    await other.app.close()
  })

  it.each(['error_before', 'no_json_after', 'redirect_before', 'rate_limit', 'bad_key', 'other_mode'] as const)(
    'returns 500 for a message without details when Stripe is unreachable (%s), and processes the repeated message',
    async (fault) => {
      const { headers, events } = await bought()
      const message = stripe.message(last(events, 'customer.subscription.created'))
      stripe.failNext(/^GET .*subscriptions\/sub_/, fault)
      const response = await hear(app, message)
      expect([response.statusCode, codeOf(response)]).toEqual([500, 'internal_error'])
      expect(response.body).not.toMatch(/stripe|api key|unknown error/i)
      expect(await current(headers)).toBeNull()

      expect((await hear(app, message)).json()).toEqual({ received: true, handled: true })
      expect((await hear(app, message)).json()).toEqual({ received: true, handled: true, duplicate: true })
      expect(await current(headers)).toMatchObject({ status: 'trialing' })
    },
  )

  it('is ignored when it has another type or is about a foreign subscription', async () => {
    const foreign = [
      stripe.event('customer.created', { id: 'cus_1', object: 'customer' }),
      stripe.event('customer.subscription.updated', { id: 'sub_of_another_service', object: 'subscription' }),
      stripe.event('invoice.payment_failed', { id: 'in_1', object: 'invoice', parent: null }),
    ]
    for (const event of foreign) {
      const response = await hear(app, stripe.message(event))
      expect([response.statusCode, response.json()]).toEqual([200, { received: true, handled: false }])
    }
  })

  it('ends a subscription that Stripe no longer has', async () => {
    const { headers, events, id } = await bought('team', 'eur')
    await tellAll(events)
    expect(await current(headers)).toMatchObject({ tier: 'team', currency: 'eur' })
    stripe.billing.forget(id)
    await tellAll([stripe.event('customer.subscription.deleted', { id, object: 'subscription' })])
    expect(await current(headers)).toBeNull()
  })

  it('refunds a second subscription when a retry follows a failed refund', async () => {
    const { account, events, headers, id } = await bought()
    await tellAll(events)
    const priceCents = 4_321
    const order = { ...orderOf(account.id, createChance(1)), priceCents, trialDays: 0 }
    const page = await cardBillingOn(stripe).openCheckout(order)
    const told = stripe.billing.buy(page.id)
    const second = stripe.billing.boughtOn(page.id)
    stripe.billing.change(second, { created: stripe.billing.subscription(second).created + 60 })
    const back = () => stripe.refunds().filter(({ amount }) => amount === priceCents)

    stripe.failNext(/^POST \/v1\/refunds$/, 'error_before')
    const refused = await hear(app, stripe.message(last(told, 'customer.subscription.created')))
    expect([refused.statusCode, stripe.billing.subscription(second).status]).toEqual([500, 'canceled'])
    expect(back()).toEqual([])
    await tellAll([...told, ...stripe.billing.events().slice(-1)])
    expect(back()).toHaveLength(1)
    expect(await current(headers)).toMatchObject({ status: 'trialing' })
    expect(stripe.billing.subscription(id).status).toBe('trialing')
  })

  it('cancels a second subscription although its refund fails, and notifies the operator', async () => {
    const errors: object[] = []
    const logger = { info() {}, warn() {}, error: (details: object) => void errors.push(details) }
    const other = await createTestApp({ subscriptions: { billing: cardBillingOn(stripe) }, logger })
    const { account } = await signUp(other.app)
    const order = { ...orderOf(account.id, createChance(1)), trialDays: 0 }
    const seats: string[] = []
    for (const attempt of ['first', 'second']) {
      const page = await cardBillingOn(stripe).openCheckout({ ...order, attempt: `${account.id} ${attempt}` })
      stripe.billing.buy(page.id)
      seats.push(stripe.billing.boughtOn(page.id))
    }
    const [first = '', second = ''] = seats
    stripe.billing.change(second, { created: stripe.billing.subscription(first).created + 60 })
    stripe.failRefunds(1)
    for (const id of seats) {
      const event = stripe.event('customer.subscription.updated', { id, object: 'subscription' })
      expect((await hear(other.app, stripe.message(event))).statusCode).toBe(200)
    }
    const live = await other.storage.read.subscriptions.getLive(account.id)
    expect([live?.processorSubscriptionId, stripe.billing.subscription(second).status]).toEqual([first, 'canceled'])
    const refused = { processor: 'stripe', subscription: second, payment: expect.stringMatching(/^pi_/) }
    expect(errors).toContainEqual(expect.objectContaining(refused))
    await other.close()
  })

  it('does no harm where messages about pages are read, nor those about pages here', async () => {
    const { headers, events } = await bought()
    for (const event of events) {
      const { body, headers: signed } = stripe.message(event)
      const response = await client(app).post(OF_PAGES, body, signed)
      expect([response.statusCode, response.json()]).toEqual([200, { received: true, handled: false }])
    }
    expect(await current(headers)).toBeNull()

    const page = stripe.event('checkout.session.completed', {
      id: 'cs_test_1',
      object: 'checkout.session',
      mode: 'payment',
      metadata: { eep_checkout: 'true' },
    })
    const response = await app.inject({ method: 'POST', url: OF_SUBSCRIPTIONS, ...asPayload(page) })
    expect([response.statusCode, response.json()]).toEqual([200, { received: true, handled: false }])
  })
})

function asPayload(event: StripeEvent) {
  const { body: payload, headers } = stripe.message(event)
  return { payload, headers }
}
