import assert from 'node:assert/strict'
import { bought, type Story, standing, takenBy } from './shared.ts'

/** How subscriptions end, and what becomes of the money. */
export const ending: Story = ({ it }, bench) => {
  it('lets a subscription run out: it stands to the end of what was paid for, and nothing more is taken', async () => {
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

  it('ends a subscription at once and gives its present period back, once', async () => {
    const { order, id, now } = await bought(bench())
    const { processor } = bench()
    await bench().endPeriod(id, 'paid')
    const taken = await takenBy(bench(), async () => {
      assert.equal((await processor.cancelSubscription(id, 'at_once'))?.status, 'canceled')
      assert.equal((await processor.cancelSubscription(id, 'at_once'))?.status, 'canceled')
    })
    assert.equal(taken, -BigInt(order.priceCents))
    assert.equal((await now()).status, 'canceled')
  })

  it('ends a trial at once, for which nothing is given back', async () => {
    const { id } = await bought(bench(), { trialDays: 7 })
    const taken = await takenBy(bench(), () => bench().processor.cancelSubscription(id, 'at_once'))
    assert.equal(taken, 0n)
    assert.equal((await standing(bench(), id)).status, 'canceled')
  })

  it('ends one whose last bill was not paid, and gives nothing back for it', async () => {
    const { id } = await bought(bench())
    await bench().endPeriod(id, 'failed')
    const taken = await takenBy(bench(), () => bench().processor.cancelSubscription(id, 'at_once'))
    assert.equal(taken, 0n)
  })

  it('leaves one as it is that has ended at the processor, and gives nothing back', async () => {
    const { id, now } = await bought(bench())
    await bench().end(id)
    const ended = await now()
    assert.equal(ended.status, 'canceled')
    const taken = await takenBy(bench(), async () => {
      assert.deepEqual(await bench().processor.cancelSubscription(id, 'at_period_end'), ended)
      assert.deepEqual(await bench().processor.cancelSubscription(id, 'at_once'), ended)
    })
    assert.equal(taken, 0n)
  })

  it('gives money back when the answer was lost and somebody asks no more than how it stands', async () => {
    const { order, id, now } = await bought(bench())
    const taken = await takenBy(bench(), async () => {
      bench().loseAnswer?.()
      await bench()
        .processor.cancelSubscription(id, 'at_once')
        .catch(() => undefined)
      assert.equal((await now()).status, 'canceled')
      assert.equal((await now()).status, 'canceled')
    })
    assert.equal(taken, -BigInt(order.priceCents))
  })

  it('gives money back once when the answer was lost and it is asked again', async () => {
    const { order, id } = await bought(bench())
    const { processor } = bench()
    const taken = await takenBy(bench(), async () => {
      bench().loseAnswer?.()
      await processor.cancelSubscription(id, 'at_once').catch(() => undefined)
      assert.equal((await processor.cancelSubscription(id, 'at_once'))?.status, 'canceled')
    })
    assert.equal(taken, -BigInt(order.priceCents))
  })
}
