import type { BillingProcessor } from '@eep/core/ports'
import { cashBilling, createFakeBilling } from '@eep/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, type TestApp } from '../../support/app.ts'
import { subscriber, tell, tellAll } from '../../support/billing.ts'
import { client } from '../../support/client.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** Two instances of one service, and an account that has paid for a plan. */
async function paidPlan(tier: 'pro' | 'team', through = (processor: BillingProcessor) => processor) {
  const database = await openStorage()
  closers.push(() => database.close())
  const fakeBilling = createFakeBilling()
  const start = async (billing: BillingProcessor) => {
    const { app, close } = await createTestApp({ storage: database.another(), subscriptions: { billing } })
    closers.push(close)
    return app
  }
  const first = await start(through(cashBilling({ fakeBilling })))
  const second = await start(cashBilling({ fakeBilling }))
  const ada = await subscriber(first)
  await database.storage.transaction((tx) => tx.accounts.save(ada.id, { hadTrial: true }))
  const page = await ada.page({ tier })
  await tellAll(first, fakeBilling.buy(page))
  const seat = fakeBilling.ledger.desks.get(page)?.checkout.subscriptionId ?? ''
  const change = (app: TestApp, body: object) => client(app).patch('/account/subscription', body, ada.headers)
  return { first, second, ada, seat, fakeBilling, change }
}

describe('changes of one plan at the same time', () => {
  it('to the same larger plan on two instances are charged once', async () => {
    const { first, second, change, fakeBilling, ada } = await paidPlan('pro')
    const before = fakeBilling.balance()
    const answers = await Promise.all([first, second, first, second].map((app) => change(app, { tier: 'team' })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(fakeBilling.balance() - before).toBe(1_850n)
    expect(fakeBilling.calls.filter((call) => call === 'change')).toHaveLength(1)
    expect(await ada.tier()).toBe('team')
  })

  it('to a smaller plan and back end in what the processor has', async () => {
    const { first, second, change, fakeBilling, ada, seat } = await paidPlan('team')
    const answers = await Promise.all([change(first, { tier: 'pro' }), change(second, { tier: 'team' })])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const { tier, next_tier: next } = await ada.subscription()
    expect([tier, next]).toEqual(['team', fakeBilling.ledger.subscriptions.get(seat)?.next?.tier ?? null])
    expect(fakeBilling.balance()).toBe(4_900n)
  })

  it('that cancel and continue it end in what the processor has', async () => {
    const { first, second, change, fakeBilling, ada, seat } = await paidPlan('pro')
    const ends = [true, false, true, false, true, false]
    const answers = await Promise.all(
      ends.map((cancel, index) => change(index % 2 ? first : second, { cancel_at_period_end: cancel })),
    )
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    const { cancel_at_period_end: isCancelled } = await ada.subscription()
    expect(isCancelled).toBe(fakeBilling.ledger.subscriptions.get(seat)?.cancelAtPeriodEnd)
  })
})

describe('a webhook beside a change', () => {
  it('waits for it, so that neither stores an older state', async () => {
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const { first, second, change, fakeBilling, ada, seat } = await paidPlan('pro', (processor) => ({
      ...processor,
      async change(id, plan) {
        const answer = await processor.change?.(id, plan)
        asked.resolve()
        await released.promise
        return answer
      },
    }))
    const changing = change(first, { tier: 'team' })
    await asked.promise
    const [failed] = fakeBilling.endPeriod(seat, 'failed')
    if (!failed) throw new Error('no message')
    let done = false
    const telling = tell(second, failed).finally(() => {
      done = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(done).toBe(false)
    released.resolve()
    expect([(await changing).statusCode, (await telling).statusCode]).toEqual([200, 200])
    expect(await ada.subscription()).toMatchObject({ tier: 'team', status: 'past_due' })
  })

  it.each([
    ['as they were sent', 0],
    ['the other way round', 1],
  ])('arrives late, %s, and the state is the same', async (_order, turn) => {
    const { first, second, change, fakeBilling, ada, seat } = await paidPlan('team')
    const early = fakeBilling.message(seat)
    await change(first, { tier: 'pro' })
    const changed = fakeBilling.message(seat)
    const messages = [early, changed, ...fakeBilling.endPeriod(seat)]
    for (const message of turn ? messages.toReversed() : messages) await tellAll(second, [message])
    expect(await ada.subscription()).toMatchObject({ tier: 'pro', next_tier: null, price_at_creation_cents: 1_200 })
    expect(await ada.tier()).toBe('pro')
  })
})
