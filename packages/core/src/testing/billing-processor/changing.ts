import assert from 'node:assert/strict'
import type { PlanChange } from '../../ports/billing-processor.ts'
import { bought, has, type Story, standing, takenBy } from './shared.ts'

/** Changes of running plans, invoices, and the page on which customers change how they pay. Each case passes without its method. */
export const changing: Story = (it, bench) => {
  /** A plan at three times the price. */
  const larger = (priceCents: number): PlanChange => ({
    tier: 'team',
    priceCents: priceCents * 3,
    title: 'Team',
    when: 'now',
  })

  it('changes to a larger plan immediately, and charges the difference for the rest of the period once', async () => {
    const { processor } = bench()
    if (!processor.change) return
    const { order, id, now } = await bought(bench())
    const before = await now()
    const plan = larger(order.priceCents)
    const taken = await takenBy(bench(), async () => {
      const changed = await processor.change?.(id, plan)
      assert.deepEqual([changed?.tier, changed?.priceCents, changed?.next], ['team', plan.priceCents, undefined])
      assert.deepEqual(await processor.change?.(id, plan), changed)
    })
    assert.ok(taken > 0n && taken <= BigInt(plan.priceCents - order.priceCents), `${taken} is the difference`)
    assert.deepEqual((await now()).currentPeriodEnd, before.currentPeriodEnd)
    const next = await takenBy(bench(), async () => bench().endPeriod(id, 'paid'))
    assert.equal(next, BigInt(plan.priceCents))
  })

  it('changes to a larger plan in a trial without a charge, and charges its price at the end of the trial', async () => {
    const { processor } = bench()
    if (!processor.change) return
    const { order, id, now } = await bought(bench(), { trialDays: 7 })
    const before = await now()
    const plan = larger(order.priceCents)
    const taken = await takenBy(bench(), async () => processor.change?.(id, plan))
    assert.equal(taken, 0n)
    const { tier, status, trialEnd } = await now()
    assert.deepEqual({ tier, status, trialEnd }, { tier: 'team', status: 'trialing', trialEnd: before.trialEnd })
    assert.equal(await takenBy(bench(), async () => bench().endPeriod(id, 'paid')), BigInt(plan.priceCents))
  })

  it('changes to a smaller plan with the next period, without a charge or a credit', async () => {
    const { processor } = bench()
    if (!processor.change) return
    const { order, id, now } = await bought(bench(), { tier: 'team' })
    const smaller: PlanChange = { tier: 'pro', priceCents: 300, title: 'Pro', when: 'at_period_end' }
    const taken = await takenBy(bench(), async () => {
      const changed = await processor.change?.(id, smaller)
      assert.deepEqual([changed?.tier, changed?.priceCents], ['team', order.priceCents])
      assert.deepEqual(changed?.next, { tier: 'pro', priceCents: 300 })
      assert.deepEqual(await processor.change?.(id, smaller), changed)
    })
    assert.equal(taken, 0n)
    assert.equal(await takenBy(bench(), async () => bench().endPeriod(id, 'paid')), 300n)
    const { tier, priceCents, next } = await now()
    assert.deepEqual({ tier, priceCents, next }, { tier: 'pro', priceCents: 300, next: undefined })
  })

  it('keeps the plan when it is chosen again before the smaller one begins, without a charge', async () => {
    const { processor } = bench()
    if (!processor.change) return
    const { order, id, now } = await bought(bench(), { tier: 'team' })
    const before = await now()
    const { tier, priceCents, title } = order
    const taken = await takenBy(bench(), async () => {
      await processor.change?.(id, { tier: 'pro', priceCents: 300, title: 'Pro', when: 'at_period_end' })
      await processor.change?.(id, { tier, priceCents, title, when: 'now' })
    })
    assert.equal(taken, 0n)
    const after = await now()
    assert.deepEqual([after.tier, after.priceCents, after.next], [before.tier, before.priceCents, undefined])
    assert.equal(await takenBy(bench(), async () => bench().endPeriod(id, 'paid')), BigInt(priceCents))
  })

  it('changes nothing when the difference is declined', async () => {
    const { processor, declineNext } = bench()
    if (!processor.change || !declineNext) return
    const { order, id, now } = await bought(bench())
    const before = await now()
    const plan = larger(order.priceCents)
    const taken = await takenBy(bench(), async () => {
      await declineNext.call(bench(), id)
      await assert.rejects(async () => processor.change?.(id, plan), has('plan_payment_declined'))
    })
    assert.equal(taken, 0n)
    assert.deepEqual(await now(), before)
    assert.equal((await processor.change(id, plan))?.tier, 'team')
  })

  it('continues a cancelled subscription, and charges its next period', async () => {
    const { processor } = bench()
    if (!processor.resume) return
    const { order, id, now } = await bought(bench())
    const before = await now()
    await processor.cancelSubscription(id, 'at_period_end')
    const resumed = await processor.resume(id)
    assert.deepEqual(resumed, before)
    assert.deepEqual(await processor.resume(id), before)
    assert.equal(await takenBy(bench(), async () => bench().endPeriod(id, 'paid')), BigInt(order.priceCents))
    assert.equal((await standing(bench(), id)).status, 'active')
  })

  it('neither changes nor continues a subscription that has ended, or that is unknown', async () => {
    const { processor } = bench()
    const { order, id, now } = await bought(bench())
    await bench().end(id)
    const ended = await now()
    const plan = larger(order.priceCents)
    if (processor.change) {
      assert.deepEqual(await processor.change(id, plan), ended)
      assert.equal(await processor.change('nothing', plan), undefined)
    }
    if (processor.resume) {
      assert.deepEqual(await processor.resume(id), ended)
      assert.equal(await processor.resume('nothing'), undefined)
    }
  })

  it('lists the invoices of a customer, the latest first, in pages', async () => {
    const { processor } = bench()
    if (!processor.listInvoices) return
    const { order, id, now } = await bought(bench())
    await bought(bench())
    await bench().endPeriod(id, 'paid')
    const { customerId } = await now()
    const first = await processor.listInvoices(customerId, { limit: 1 })
    assert.ok(first.next !== null && first.invoices.length === 1)
    const second = await processor.listInvoices(customerId, { limit: 1, after: first.next })
    const all = [...first.invoices, ...second.invoices]
    assert.equal(second.next, null)
    assert.deepEqual(
      all.map(({ totalCents, currency, status }) => [totalCents, currency, status]),
      [order, order].map(({ priceCents, currency }) => [priceCents, currency, 'paid']),
    )
    const [latest, oldest] = all
    assert.ok(latest && oldest && latest.id !== oldest.id && latest.createdAt >= oldest.createdAt)
    assert.deepEqual((await processor.listInvoices(customerId, { limit: 9 })).invoices, all)
  })

  it('opens a page on which a customer changes how to pay', async () => {
    const { processor } = bench()
    if (!processor.portal) return
    const { now } = await bought(bench())
    const { url } = await processor.portal((await now()).customerId, 'https://pages.example/account/plan')
    assert.ok(URL.canParse(url))
  })
}
