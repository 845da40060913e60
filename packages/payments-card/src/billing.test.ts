import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardBilling } from './card-billing.ts'
import { billingOn, newOrder, outcomeOf } from './testing/bench.ts'
import { type FakeStripe, startFakeStripe } from './testing/index.ts'

const CREATING = /^POST \/v1\/checkout\/sessions$/
const REFUNDING = /^POST \/v1\/refunds$/

let stripe: FakeStripe
let billing: ReturnType<typeof billingOn>
beforeAll(async () => {
  stripe = await startFakeStripe({ slowMs: 100 })
  billing = billingOn(stripe)
})
afterAll(() => stripe.stop())

async function bought(changes = {}) {
  const order = newOrder(changes)
  const { id: checkout } = await billing.openCheckout(order)
  stripe.billing.buy(checkout)
  return { order, id: stripe.billing.boughtOn(checkout) }
}

const backs = (id: string) => {
  const [invoice] = stripe.billing.invoices(id)
  return stripe.refunds().filter(({ amount }) => invoice && amount === invoice.amount_paid)
}

describe('a page for a subscription', () => {
  it('sends the account to Stripe with the page and the subscription', async () => {
    const { order, id } = await bought({ trialDays: 14 })
    expect(stripe.billing.subscription(id).metadata).toEqual({
      account_id: order.accountId,
      tier: 'pro',
      currency: 'usd',
      price_at_creation_cents: '800',
    })
    expect(stripe.billing.events().at(-1)?.data.object).toMatchObject({
      object: 'checkout.session',
      client_reference_id: order.accountId,
      metadata: { account_id: order.accountId, tier: 'pro' },
    })
  })

  it('opens a page for a new customer when the earlier one is deleted at Stripe', async () => {
    const { id } = await bought({ customerId: 'cus_of_another_account' })
    expect(stripe.billing.subscription(id).status).toBe('active')
  })

  it('opens a page without an email address that Stripe refuses', async () => {
    const { id } = await billing.openCheckout(newOrder({ email: 'ada@home' }))
    expect(stripe.billing.shown(id)).toMatchObject({ email: null })
  })

  it('refuses a page for a customer who pays in another currency', async () => {
    const { id } = await bought()
    const { customer: customerId } = stripe.billing.subscription(id)
    expect(await outcomeOf(billing.openCheckout(newOrder({ customerId, currency: 'eur' })))).toBe('billing_failed')
  })

  it('reports a purchase that completes while its page expires', async () => {
    const { id } = await billing.openCheckout(newOrder())
    const before = stripe.calls.length
    stripe.failNext(/GET .*sessions/, 'slow_after')
    const closing = billing.expireCheckout(id)
    while (stripe.calls.length === before) await new Promise(setImmediate)
    stripe.billing.buy(id)
    expect(await closing).toMatchObject({ state: 'complete', subscriptionId: stripe.billing.boughtOn(id) })
  })

  it('fails when Stripe times out, and finds the page when the attempt is repeated', async () => {
    const hasty = billingOn(stripe, { timeoutMs: 100 })
    const order = newOrder()
    stripe.failNext(CREATING, 'hang_after')
    expect(await outcomeOf(hasty.openCheckout(order))).toBe('billing_failed')
    const { id } = await billing.openCheckout(order)
    expect((await billing.openCheckout(order)).id).toBe(id)
  })
})

describe('a subscription', () => {
  it.each(['trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete', 'canceled', 'odd_new_word'])(
    'reads a subscription with the status %s',
    async (status) => {
      const { id } = await bought()
      // The table also has a status that the library does not know.
      stripe.billing.change(id, { status: status as never })
      expect(await billing.getSubscription(id)).toMatchObject({ id, status })
    },
  )

  it('reads a subscription as unpaid or canceled after the last attempt, as configured at Stripe', async () => {
    const { id } = await bought()
    stripe.billing.endPeriod(id, 'failed')
    for (let tries = 0; tries < 3; tries++) stripe.billing.retry(id, 'failed')
    expect(await billing.getSubscription(id)).toMatchObject({ status: 'canceled' })
  })

  it('reads the end of the period in every version of the API', async () => {
    const { id } = await bought()
    const { items } = stripe.billing.subscription(id)
    const end = items.data[0].current_period_end
    const { current_period_end: _, ...item } = items.data[0]
    // Where earlier versions of the API have the end of the period, which the types of the library lack.
    stripe.billing.change(id, { items: { data: [item] }, current_period_end: end } as never)
    expect(await billing.getSubscription(id)).toMatchObject({ currentPeriodEnd: new Date(end * 1000) })
    // As above.
    stripe.billing.change(id, { current_period_end: undefined } as never)
    expect(await billing.getSubscription(id)).toMatchObject({ currentPeriodEnd: null })
  })

  it('reads a cancellation date that was set at Stripe as the end of the period', async () => {
    const { id } = await bought()
    const [{ current_period_end: end }] = stripe.billing.subscription(id).items.data
    stripe.billing.change(id, { cancel_at: end })
    expect(await billing.getSubscription(id)).toMatchObject({ cancelAtPeriodEnd: true })
    stripe.billing.change(id, { cancel_at: end + 1_000_000 })
    expect(await billing.getSubscription(id)).toMatchObject({ cancelAtPeriodEnd: false })
  })

  it.each(['incomplete', 'unpaid'] as const)(
    'cancels an unpaid subscription (%s) immediately, also when the end of the period was requested',
    async (status) => {
      const { id } = await bought()
      stripe.billing.change(id, { status })
      expect(await billing.cancelSubscription(id, 'at_period_end')).toMatchObject({ status: 'canceled' })
    },
  )

  it('does not report a subscription as missing when the key is of the other mode', async () => {
    const { id } = await bought()
    const { id: page } = await billing.openCheckout(newOrder())
    for (const ask of [
      () => billing.getSubscription(id),
      () => billing.cancelSubscription(id, 'immediately'),
      () => billing.cancelSubscription(id, 'at_period_end'),
      () => billing.getCheckout(page),
      () => billing.expireCheckout(page),
    ]) {
      stripe.failNext(/./, 'other_mode')
      expect(await outcomeOf(ask())).toBe('billing_unavailable')
    }
    expect(await billing.getSubscription(id)).toMatchObject({ status: 'active' })
  })

  it.each(['error_before', 'error_after', 'bad_key'] as const)(
    'refunds once on the repeat when the refund failed at the cancellation (%s)',
    async (fault) => {
      const { id } = await bought({ priceCents: { error_before: 901, error_after: 902, bad_key: 903 }[fault] })
      stripe.failNext(REFUNDING, fault)
      const code = fault === 'bad_key' ? 'billing_unavailable' : 'billing_failed'
      expect(await outcomeOf(billing.cancelSubscription(id, 'immediately'))).toBe(code)
      stripe.forgetKeys()
      expect(await billing.cancelSubscription(id, 'immediately')).toMatchObject({ status: 'canceled' })
      expect(backs(id)).toHaveLength(1)
    },
  )
})

describe('a message', () => {
  const read = (processor: ReturnType<typeof billingOn>, message: ReturnType<FakeStripe['message']>) =>
    processor.readMessage(Buffer.from(message.body), message.headers)

  it('reads the subscription of an invoice from an endpoint with an API version before 2025', () => {
    const invoice = { id: 'in_1', object: 'invoice', subscription: 'sub_1', amount_due: 800, attempt_count: 2 }
    const event = stripe.event('invoice.payment_failed', invoice)
    expect(read(billing, stripe.message(event))).toEqual({
      id: event.id,
      type: 'invoice.payment_failed',
      subscriptionId: 'sub_1',
      invoice: { id: 'in_1', paid: false, amountCents: 800, attempt: 2 },
    })
  })

  it('accepts a message that is signed with one of several secrets, and no other', () => {
    const rotating = billingOn(stripe, { webhookSecret: ['whsec_new', stripe.webhookSecret] })
    const event = stripe.event('customer.subscription.updated', { id: 'sub_1' })
    for (const secret of ['whsec_new', stripe.webhookSecret]) {
      expect(read(rotating, stripe.message(event, { secret }))).toMatchObject({ id: event.id })
    }
    expect(() => read(rotating, stripe.message(event, { secret: 'whsec_other' }))).toThrow()
  })
})

describe('cardBilling', () => {
  it('names the option that is wrong', () => {
    expect(() => cardBilling({ secretKey: 'pk_test_1' })).toThrow('card billing: secretKey')
  })

  it('checks the key at the start', async () => {
    stripe.failNext(/subscriptions$/, 'bad_key')
    expect(await outcomeOf(billing.ping?.() ?? Promise.resolve())).toBe('billing_unavailable')
    expect(await outcomeOf(billing.ping?.() ?? Promise.resolve())).toBe('settled')
  })

  it('puts the product name before the name of the tier, and uses the configured API version', async () => {
    const named = billingOn(stripe, { productName: 'Example', apiVersion: '2026-10-28.endive' })
    const { id } = await named.openCheckout(newOrder())
    expect(stripe.billing.shown(id)).toMatchObject({ name: 'Example Pro', amount: 800, trialDays: 0 })
  })
})
