import assert from 'node:assert/strict'
import { isEepError } from '../../kernel/errors.ts'
import { bought, has, newOrder, type Story } from './shared.ts'

/** Errors of the remote side. */
export const failing: Story = (it, bench) => {
  it('maps each failure to its error code, without the remote message', async () => {
    const { processor, faults = {} } = bench()
    for (const [fault, { code, order }] of Object.entries(faults)) {
      const { id, checkout } = await bought(bench())
      const open = await processor.openCheckout(newOrder(bench()))
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        openCheckout: () => processor.openCheckout(newOrder(bench())),
        getCheckout: () => processor.getCheckout(checkout.id),
        expireCheckout: () => processor.expireCheckout(open.id),
        getSubscription: () => processor.getSubscription(id),
        'cancelSubscription at_period_end': () => processor.cancelSubscription(id, 'at_period_end'),
        'cancelSubscription immediately': () => processor.cancelSubscription(id, 'immediately'),
      }
      for (const [name, call] of Object.entries(calls)) {
        order()
        const error: unknown = await call().then(
          () => assert.fail(`${fault}: ${name} did not fail`),
          (reason: unknown) => reason,
        )
        assert.ok(has(code)(error), `${fault}: ${name} failed with ${error}`)
        assert.ok(isEepError(error) && error.details === undefined && Object.keys(error.body).length === 0)
      }
    }
  })

  it('opens one checkout page when the request is repeated after a lost answer', async () => {
    const { processor, loseAnswer } = bench()
    const order = newOrder(bench())
    loseAnswer?.call(bench())
    const lost = await processor.openCheckout(order).catch(() => undefined)
    const [one, two] = [await processor.openCheckout(order), await processor.openCheckout(order)]
    assert.equal(two.id, one.id)
    if (lost) assert.equal(lost.id, one.id)
  })
}
