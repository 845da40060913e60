import assert from 'node:assert/strict'
import { bought, type Story, standing, takenBy } from './shared.ts'

/** Cancellations and refunds. */
export const ending: Story = (it, bench) => {
  it('cancels a subscription at the end of its paid period, without another charge', async () => {
    const { id, now } = await bought(bench())
    const { processor } = bench()
    const before = await now()
    const taken = await takenBy(bench(), async () => {
      const ended = await processor.cancelSubscription(id, 'at_period_end')
      assert.equal(ended?.status, 'active')
      assert.equal(ended.cancelAtPeriodEnd, true)
      assert.deepEqual(ended.currentPeriodEnd, before.currentPeriodEnd)
      assert.deepEqual(await processor.cancelSubscription(id, 'at_period_end'), ended)
      await bench().endPeriod(id, 'paid')
    })
    assert.equal(taken, 0n)
    const after = await now()
    assert.equal(after.status, 'canceled')
    assert.ok(after.canceledAt)
  })

  it('cancels a subscription immediately, and refunds its current period once', async () => {
    const { order, id, now } = await bought(bench())
    const { processor } = bench()
    await bench().endPeriod(id, 'paid')
    const taken = await takenBy(bench(), async () => {
      assert.equal((await processor.cancelSubscription(id, 'immediately'))?.status, 'canceled')
      assert.equal((await processor.cancelSubscription(id, 'immediately'))?.status, 'canceled')
    })
    assert.equal(taken, -BigInt(order.priceCents))
    assert.equal((await now()).status, 'canceled')
  })

  it('cancels a trial immediately without a refund', async () => {
    const { id } = await bought(bench(), { trialDays: 7 })
    const taken = await takenBy(bench(), () => bench().processor.cancelSubscription(id, 'immediately'))
    assert.equal(taken, 0n)
    assert.equal((await standing(bench(), id)).status, 'canceled')
  })

  it('cancels a subscription with an unpaid invoice without a refund', async () => {
    const { id } = await bought(bench())
    await bench().endPeriod(id, 'failed')
    const taken = await takenBy(bench(), () => bench().processor.cancelSubscription(id, 'immediately'))
    assert.equal(taken, 0n)
  })

  it('does not change or refund a subscription that has ended at the processor', async () => {
    const { id, now } = await bought(bench())
    await bench().end(id)
    const ended = await now()
    assert.equal(ended.status, 'canceled')
    const taken = await takenBy(bench(), async () => {
      assert.deepEqual(await bench().processor.cancelSubscription(id, 'at_period_end'), ended)
      assert.deepEqual(await bench().processor.cancelSubscription(id, 'immediately'), ended)
    })
    assert.equal(taken, 0n)
  })

  it('refunds after a lost answer when only the state is requested again', async () => {
    const { order, id, now } = await bought(bench())
    const taken = await takenBy(bench(), async () => {
      bench().loseAnswer?.()
      await bench()
        .processor.cancelSubscription(id, 'immediately')
        .catch(() => undefined)
      assert.equal((await now()).status, 'canceled')
      assert.equal((await now()).status, 'canceled')
    })
    assert.equal(taken, -BigInt(order.priceCents))
  })

  it('refunds once when a cancellation is repeated after a lost answer', async () => {
    const { order, id } = await bought(bench())
    const { processor } = bench()
    const taken = await takenBy(bench(), async () => {
      bench().loseAnswer?.()
      await processor.cancelSubscription(id, 'immediately').catch(() => undefined)
      assert.equal((await processor.cancelSubscription(id, 'immediately'))?.status, 'canceled')
    })
    assert.equal(taken, -BigInt(order.priceCents))
  })
}
