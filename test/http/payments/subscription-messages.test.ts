import { LOG_START } from '@eep/core/ports'
import type { BillingMessage } from '@eep/core/testing'
import { eventsAfter } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../../support/accounts.ts'
import { createBillingApp, subscriber, tell, tellAll } from '../../support/billing.ts'

let test: Awaited<ReturnType<typeof createBillingApp>>
beforeAll(async () => {
  test = await createBillingApp()
})
afterAll(() => test.close())

const answerOf = async (message: BillingMessage) => {
  const answer = await tell(test.app, message)
  return [answer.statusCode, answer.statusCode === 200 ? answer.json() : codeOf(answer)]
}

/** What the log holds of an account, by type. */
async function eventsOf(accountId: string): Promise<readonly string[]> {
  const events = await eventsAfter(test.storage, LOG_START)
  return events.filter((event) => event.accountId === accountId).map(({ type }) => type)
}

describe('a webhook of the processor', () => {
  it('is processed once, and answered as a duplicate when it arrives again', async () => {
    const ada = await subscriber(test.app)
    const [began] = test.fakeBilling.buy(await ada.page())
    expect(await answerOf(began as BillingMessage)).toEqual([200, { received: true, handled: true }])
    const calls = test.fakeBilling.calls.length
    expect(await answerOf(began as BillingMessage)).toEqual([200, { received: true, handled: true, duplicate: true }])
    expect(test.fakeBilling.calls.length).toBe(calls)
  })

  it.each([
    ['without a stamp', ({ body }: BillingMessage) => ({ body, headers: {} })],
    ['with the stamp of another', ({ headers }: BillingMessage) => ({ body: '{"number":1}', headers })],
    ['with one sign changed', ({ body, headers }: BillingMessage) => ({ body: `${body} `, headers })],
    ['without a body', ({ headers }: BillingMessage) => ({ body: '', headers })],
  ])('is refused %s', async (_, forge) => {
    const ada = await test.subscribed()
    test.fakeBilling.ledger.set(ada.seat, { status: 'canceled' })
    expect(await answerOf(forge(test.fakeBilling.message(ada.seat)))).toEqual([400, 'invalid_message'])
    expect(await ada.tier()).toBe('pro')
  })

  it('is rejected when it is older than five minutes', async () => {
    const ada = await test.subscribed()
    const at = new Date(test.time.clock().getTime() - 300_001)
    expect(await answerOf(test.fakeBilling.message(ada.seat, undefined, at))).toEqual([400, 'invalid_message'])
  })

  it('is rejected above a megabyte', async () => {
    const answer = await tell(test.app, { body: 'x'.repeat(1_048_577), headers: {} })
    expect([answer.statusCode, codeOf(answer)]).toEqual([413, 'payload_too_large'])
  })

  it('is ignored when it is about a subscription of another service', async () => {
    const ignored = { received: true, handled: false }
    expect(await answerOf(test.fakeBilling.message('seat-of-none'))).toEqual([200, ignored])
    const ada = await test.subscribed()
    for (const [index, changes] of [
      { accountId: '7b0c2a0e-3a54-4d1c-9d3e-0d8f2d1c0000', tier: 'pro' },
      { accountId: 'no uuid', tier: 'pro' },
      { accountId: null, tier: 'pro', customerId: 'guest-of-none' },
      { accountId: ada.id, tier: 'gold' },
      { accountId: ada.id, tier: 'community' },
      { accountId: ada.id, tier: null },
    ].entries()) {
      const known = test.fakeBilling.ledger.subscriptions.get(ada.seat)
      if (!known) throw new Error('no subscription')
      const id = `seat-of-others-${index}`
      test.fakeBilling.ledger.subscriptions.set(id, { ...known, ...changes, id })
      expect(await answerOf(test.fakeBilling.message(id))).toEqual([200, ignored])
    }
    expect(await ada.subscription()).toMatchObject({ status: 'trialing' })
  })

  it('finds the account by its customer when the order names none', async () => {
    const ada = await test.subscribed()
    await tellAll(test.app, test.fakeBilling.end(ada.seat))
    const known = test.fakeBilling.ledger.subscriptions.get(ada.seat)
    if (!known) throw new Error('no subscription')
    const id = 'seat-made-by-hand'
    test.fakeBilling.ledger.subscriptions.set(id, { ...known, id, accountId: null, status: 'active', canceledAt: null })
    expect(await answerOf(test.fakeBilling.message(id))).toEqual([200, { received: true, handled: true }])
    expect(await ada.subscription()).toMatchObject({ status: 'active', tier: 'pro' })
  })

  it('ends a subscription that the processor no longer has', async () => {
    const ada = await test.subscribed()
    test.fakeBilling.ledger.subscriptions.delete(ada.seat)
    expect(await answerOf(test.fakeBilling.message(ada.seat))).toEqual([200, { received: true, handled: true }])
    expect(await ada.subscription()).toBeNull()
    expect(await ada.tier()).toBe('community')
  })

  it('gets 500 while the processor fails, and processed when it arrives again', async () => {
    const ada = await test.subscribed()
    const [message] = test.fakeBilling.change(ada.seat, { status: 'unpaid' })
    for (const fault of [{ lose: 'request' }, { refuse: true }] as const) {
      test.fakeBilling.next('getSubscription', fault)
      expect(await answerOf(message as BillingMessage)).toEqual([500, 'internal_error'])
      expect(await ada.tier()).toBe('pro')
    }
    expect(await answerOf(message as BillingMessage)).toEqual([200, { received: true, handled: true }])
    expect(await ada.tier()).toBe('community')
  })

  it('leads to the same state in any order and with any repetition', async () => {
    const ada = await subscriber(test.app)
    const messages = [...test.fakeBilling.buy(await ada.page())]
    const seat = String(JSON.parse(messages[0]?.body ?? '').subscription)
    messages.push(
      ...test.fakeBilling.endPeriod(seat),
      ...test.fakeBilling.endPeriod(seat, 'failed'),
      ...test.fakeBilling.end(seat),
    )
    await tellAll(test.app, [...messages.toReversed(), ...messages])
    expect(await ada.subscription()).toBeNull()
    expect(await ada.tier()).toBe('community')
    const row = await test.storage.read.subscriptions.get('cash', seat)
    expect(row).toMatchObject({ status: 'canceled', priceAtCreationCents: 1_200 })
  })

  it('never revives a subscription that has ended', async () => {
    const ada = await test.subscribed()
    await tellAll(test.app, test.fakeBilling.end(ada.seat))
    await tellAll(test.app, test.fakeBilling.change(ada.seat, { status: 'active', canceledAt: null }))
    expect(await ada.subscription()).toBeNull()
    expect(await ada.tier()).toBe('community')
  })

  it('never changes the original price of a subscription while its plan stays the same', async () => {
    const ada = await test.subscribed()
    await tellAll(test.app, test.fakeBilling.change(ada.seat, { priceCents: 9_999, currency: 'eur' }))
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat))
    expect(await ada.subscription()).toMatchObject({ price_at_creation_cents: 1_200, currency: 'usd', tier: 'pro' })
  })
})

describe('the events of subscriptions', () => {
  it('are emitted once for the start, each change, the end, and each invoice above zero', async () => {
    const ada = await test.subscribed()
    const paid = test.fakeBilling.endPeriod(ada.seat)
    await tellAll(test.app, [
      ...paid,
      test.fakeBilling.message(ada.seat, { id: 'again', paid: true, amountCents: 0, attempt: 1 }),
    ])
    const [failed] = test.fakeBilling.endPeriod(ada.seat, 'failed')
    await tellAll(test.app, [failed as BillingMessage])
    const { bill } = JSON.parse((failed as BillingMessage).body)
    // The same attempt in two messages with different ids, then another attempt of the same invoice.
    await tellAll(test.app, [
      test.fakeBilling.message(ada.seat, bill),
      test.fakeBilling.message(ada.seat, { ...bill, attempt: 2 }),
    ])
    await tellAll(test.app, test.fakeBilling.end(ada.seat))
    const told = (await eventsOf(ada.id)).filter((type) => /^subscriptions|tier_changed/.test(type))
    expect(told).toEqual([
      'subscriptions.subscription_started',
      'subscriptions.trial_started',
      'accounts.tier_changed',
      'subscriptions.subscription_changed',
      'subscriptions.bill_paid',
      'subscriptions.subscription_changed',
      'subscriptions.bill_failed',
      'subscriptions.bill_failed',
      'subscriptions.subscription_ended',
      'subscriptions.subscription_cancelled',
      'accounts.tier_changed',
    ])
    const scope = { accountId: ada.id, profileId: 0, withAccount: true }
    const notified = async () =>
      (await test.storage.read.notifications.list(scope, { kinds: ['plan'] }, { limit: 9 })).items.map(
        ({ data }) => data,
      )
    await expect
      .poll(notified, { timeout: 60_000 })
      .toEqual([
        { plan: 'community' },
        { what: 'cancelled', plan: 'pro', at: null },
        { failedAttempt: 2 },
        { failedAttempt: 1 },
        { plan: 'pro' },
        { what: 'trial_started', plan: 'pro', at: expect.any(String) },
      ])
  })
})
