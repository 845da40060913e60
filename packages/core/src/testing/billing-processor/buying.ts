import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { bought, newOrder, type Story, standing, takenBy } from './shared.ts'

const DAY_MS = 86_400_000
const near = (date: Date | null, days: number, from: Date) => {
  assert.ok(date, 'there is a date')
  assert.ok(Math.abs(date.getTime() - from.getTime() - days * DAY_MS) <= 2 * DAY_MS, `${date.toISOString()} is far off`)
}

/** Checkouts and first invoices. */
export const buying: Story = (it, bench) => {
  it('has a name that can be part of a path', () => {
    assert.match(bench().processor.id, /^[a-z][a-z0-9_]{0,31}$/)
  })

  it('opens a checkout page without taking money', async () => {
    const { processor } = bench()
    const taken = await takenBy(bench(), async () => {
      const checkout = await processor.openCheckout(newOrder(bench()))
      assert.equal(checkout.state, 'open')
      assert.equal(checkout.subscriptionId, null)
      assert.ok(URL.canParse(checkout.url ?? ''), 'an open page has an address')
      assert.ok(checkout.expiresAt.getTime() > Date.now() - DAY_MS)
      assert.deepEqual(await processor.getCheckout(checkout.id), checkout)
    })
    assert.equal(taken, 0n)
  })

  it('opens one checkout page per attempt, however often it is requested', async () => {
    const { processor } = bench()
    const order = newOrder(bench())
    const first = await processor.openCheckout(order)
    assert.equal((await processor.openCheckout(order)).id, first.id)
    assert.notEqual((await processor.openCheckout({ ...order, attempt: randomUUID() })).id, first.id)
  })

  it('sells the ordered plan to the ordering account', async () => {
    const before = await bench().taken()
    const { order, now } = await bought(bench())
    const subscription = await now()
    const { accountId, tier, currency, priceCents } = order
    assert.deepEqual(
      {
        accountId: subscription.accountId,
        tier: subscription.tier,
        currency: subscription.currency,
        priceCents: subscription.priceCents,
        status: subscription.status,
        trialEnd: subscription.trialEnd,
        cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
        canceledAt: subscription.canceledAt,
      },
      {
        accountId,
        tier,
        currency,
        priceCents,
        status: 'active',
        trialEnd: null,
        cancelAtPeriodEnd: false,
        canceledAt: null,
      },
    )
    assert.ok(subscription.customerId)
    near(subscription.currentPeriodEnd, 30, subscription.createdAt)
    assert.equal((await bench().taken()) - before, BigInt(priceCents))
  })

  it('takes no money before the end of a trial, and the price at its end', async () => {
    const { trialDays = 14 } = bench().order ?? {}
    const { order, id } = await bought(bench(), { trialDays }).then(async (one) => {
      const subscription = await one.now()
      assert.equal(subscription.status, 'trialing')
      near(subscription.trialEnd, trialDays, subscription.createdAt)
      near(subscription.currentPeriodEnd, trialDays, subscription.createdAt)
      return one
    })
    const taken = await takenBy(bench(), async () => bench().endPeriod(id, 'paid'))
    assert.equal(taken, BigInt(order.priceCents))
    const paid = await standing(bench(), id)
    assert.equal(paid.status, 'active')
    near(paid.currentPeriodEnd, trialDays + 30, paid.createdAt)
  })

  it('takes the price of each further month, and keeps a subscription whose invoice is unpaid at first', async () => {
    const { order, id } = await bought(bench())
    const month = async (payment: 'paid' | 'failed') => takenBy(bench(), async () => bench().endPeriod(id, payment))
    assert.equal(await month('paid'), BigInt(order.priceCents))
    assert.equal((await standing(bench(), id)).status, 'active')
    assert.equal(await month('failed'), 0n)
    assert.equal((await standing(bench(), id)).status, 'past_due')
  })

  it('recognizes a returning customer', async () => {
    const one = await bought(bench())
    const { customerId } = await one.now()
    await bench().end(one.id)
    const { accountId, email } = one.order
    const again = await bought(bench(), { accountId, email, customerId })
    assert.notEqual(again.id, one.id)
    assert.equal((await again.now()).customerId, customerId)
  })

  it('expires an open checkout page permanently', async () => {
    const { processor } = bench()
    const checkout = await processor.openCheckout(newOrder(bench()))
    assert.equal((await processor.expireCheckout(checkout.id))?.state, 'expired')
    assert.equal((await processor.expireCheckout(checkout.id))?.state, 'expired')
    await assert.rejects(async () => bench().buy(checkout))
    assert.equal((await processor.getCheckout(checkout.id))?.subscriptionId, null)
  })

  it('reports a purchase that was completed just before its page should expire', async () => {
    const { checkout, id } = await bought(bench())
    const after = await bench().processor.expireCheckout(checkout.id)
    assert.equal(after?.state, 'complete')
    assert.equal(after.subscriptionId, id)
  })

  it('returns undefined for unknown pages and subscriptions', async () => {
    const { processor } = bench()
    assert.equal(await processor.getCheckout('nothing'), undefined)
    assert.equal(await processor.expireCheckout('nothing'), undefined)
    assert.equal(await processor.getSubscription('nothing'), undefined)
    assert.equal(await processor.cancelSubscription('nothing', 'at_period_end'), undefined)
    assert.equal(await processor.cancelSubscription('nothing', 'immediately'), undefined)
  })
}
