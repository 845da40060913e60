import type { PostgresStorage } from '@eep/adapters-postgres'
import type { BillingProcessor, SubscriptionStore } from '@eep/core/ports'
import { LOG_START } from '@eep/core/ports'
import { type BillingMessage, cashBilling, createFakeBilling, eventsAfter } from '@eep/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { codeOf } from '../../support/accounts.ts'
import { createTestApp, openStorage, type TestApp } from '../../support/app.ts'
import { subscriber, tell, tellAll } from '../../support/billing.ts'
import { client } from '../../support/client.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

interface Instance {
  /** Wraps its billing processor. */
  readonly through?: (processor: BillingProcessor) => BillingProcessor
  readonly storage?: (storage: PostgresStorage) => PostgresStorage
}

/** Instances of one service, which share the storage and the billing processor. */
async function instances(...wanted: readonly Instance[]) {
  const database = await openStorage()
  closers.push(() => database.close())
  const fakeBilling = createFakeBilling()
  const apps: TestApp[] = []
  for (const { through, storage } of wanted) {
    const [shared, processor] = [database.another(), cashBilling({ fakeBilling })]
    const { app, close } = await createTestApp({
      storage: storage?.(shared) ?? shared,
      subscriptions: { billing: through?.(processor) ?? processor },
    })
    closers.push(close)
    apps.push(app)
  }
  const [first, second = first] = apps
  if (!first || !second) throw new Error('there are no instances')
  return { first, second, fakeBilling, storage: database.storage }
}

/** A storage in which leases of accounts are short while `isShort`. */
const withLeases = (storage: PostgresStorage, isShort: () => boolean): PostgresStorage => ({
  ...storage,
  transaction: (work) =>
    storage.transaction((tx) => {
      const takeLease: SubscriptionStore['takeLease'] = (accountId, holder, leaseMs) =>
        tx.subscriptions.takeLease(accountId, holder, isShort() ? 1 : leaseMs)
      return work({ ...tx, subscriptions: { ...tx.subscriptions, takeLease } })
    }),
})

const seatIn = ([message]: readonly BillingMessage[]) => String(JSON.parse(message?.body ?? '{}').subscription)

/** A processor whose next answer about a subscription is on its way until it is let go. */
function slowAnswer() {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let held = false
  return {
    asked: asked.promise,
    release: released.resolve,
    arm: () => {
      held = true
    },
    wrap: (processor: BillingProcessor): BillingProcessor => ({
      ...processor,
      async getSubscription(id) {
        const answer = await processor.getSubscription(id)
        if (!held) return answer
        held = false
        asked.resolve()
        await released.promise
        return answer
      },
    }),
  }
}

describe('two checkout pages', () => {
  it('are the same one for concurrent requests on two instances', async () => {
    const { first, second, fakeBilling } = await instances({}, {})
    const ada = await subscriber(first)
    const url = '/checkout/start-trial?tier=pro&currency=usd'
    const clicks = [first, second, first, second].map((app) => client(app).as(ada).post(url))
    const answers = await Promise.all(clicks)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map((answer) => answer.json().checkout_id)).size).toBe(1)
    expect(fakeBilling.ledger.desks.size).toBe(1)
  })

  it('leave only the latest one open when the requests differ', async () => {
    const { first, second, fakeBilling } = await instances({}, {})
    const ada = await subscriber(first)
    const wish = (app: TestApp, tier: string) =>
      client(app).as(ada).post(`/checkout/start-trial?tier=${tier}&currency=usd`)
    await Promise.all([wish(first, 'pro'), wish(second, 'team'), wish(first, 'team'), wish(second, 'pro')])
    const open = [...fakeBilling.ledger.desks.values()].filter(({ checkout }) => checkout.state === 'open')
    expect(open.length).toBe(1)
  })

  it('both paid keep the older subscription, and refund the newer one', async () => {
    for (const order of ['as they were bought', 'the other way round', 'concurrently'] as const) {
      const { first, second, fakeBilling, storage } = await instances({}, {})
      const ada = await subscriber(first)
      // Neither has a trial, so both are paid.
      await storage.transaction((tx) => tx.accounts.save(ada.id, { hadTrial: true }))
      const page = await ada.page()
      const desk = fakeBilling.ledger.desks.get(page)
      if (!desk) throw new Error('no page')
      const other = fakeBilling.ledger.open({ ...desk.order, attempt: 'another tab', tier: 'team', priceCents: 4_900 })
      const older = fakeBilling.buy(page)
      fakeBilling.ledger.set(seatIn(older), { createdAt: new Date(Date.now() - 5_000) })
      const newer = fakeBilling.buy(other.id)
      if (order === 'concurrently') {
        const told = await Promise.all([...older, ...newer].map((one, index) => tell(index % 2 ? first : second, one)))
        expect(told.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
      } else {
        await tellAll(first, order === 'as they were bought' ? [...older, ...newer] : [...newer, ...older])
      }
      expect(await ada.subscription(), order).toMatchObject({ tier: 'pro', status: 'active' })
      expect(await ada.tier(), order).toBe('pro')
      expect(fakeBilling.ledger.subscriptions.get(seatIn(newer))?.status, order).toBe('canceled')
      expect(fakeBilling.balance(), order).toBe(1_200n)
      expect(await storage.read.subscriptions.get('cash', seatIn(newer)), order).toMatchObject({ status: 'canceled' })
    }
  })

  it('do not end a new subscription before the end of the old one was reported', async () => {
    const { first, fakeBilling } = await instances({})
    const ada = await subscriber(first)
    const page = await ada.page()
    const older = fakeBilling.buy(page)
    await tellAll(first, older)
    fakeBilling.end(seatIn(older))
    const desk = fakeBilling.ledger.desks.get(page)
    if (!desk) throw new Error('no page')
    const newer = fakeBilling.buy(fakeBilling.ledger.open({ ...desk.order, attempt: 'later', tier: 'team' }).id)
    await tellAll(first, newer)
    expect(await ada.subscription()).toMatchObject({ tier: 'team' })
    expect(await ada.tier()).toBe('team')
  })
})

describe('a slow response of the processor', () => {
  it('delays later webhooks of the same subscription, so that the latest state is stored last', async () => {
    const slow = slowAnswer()
    const { first, second, fakeBilling } = await instances({ through: slow.wrap }, {})
    const ada = await subscriber(first)
    const bought = fakeBilling.buy(await ada.page())
    await tellAll(first, bought)
    const seat = seatIn(bought)

    slow.arm()
    const [older] = fakeBilling.change(seat, { status: 'past_due' })
    const slowly = tell(first, older as BillingMessage)
    await slow.asked
    const [newer] = fakeBilling.end(seat)
    let done = false
    const quickly = tell(second, newer as BillingMessage).finally(() => {
      done = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(done).toBe(false)
    slow.release()
    expect([(await slowly).statusCode, (await quickly).statusCode]).toEqual([200, 200])
    expect(await ada.subscription()).toBeNull()
    expect(await ada.tier()).toBe('community')
  })

  it('is discarded when another instance took over, and its webhook is processed again', async () => {
    const slow = slowAnswer()
    let isShort = false
    const storage = (shared: PostgresStorage) => withLeases(shared, () => isShort)
    const { first, second, fakeBilling } = await instances({ through: slow.wrap, storage }, {})
    const ada = await subscriber(first)
    const bought = fakeBilling.buy(await ada.page())
    await tellAll(first, bought)
    const seat = seatIn(bought)

    slow.arm()
    const [older] = fakeBilling.change(seat, { status: 'past_due' })
    isShort = true
    const slowly = tell(first, older as BillingMessage)
    await slow.asked
    // Its lease of a moment runs out, and the second waits for that.
    isShort = false
    const [newer] = fakeBilling.change(seat, { status: 'unpaid' })
    expect((await tell(second, newer as BillingMessage)).statusCode).toBe(200)
    slow.release()
    const answer = await slowly
    expect([answer.statusCode, codeOf(answer)]).toEqual([500, 'internal_error'])
    expect(await ada.subscription()).toMatchObject({ status: 'unpaid' })
    expect((await tell(first, older as BillingMessage)).statusCode).toBe(200)
    expect(await ada.subscription()).toMatchObject({ status: 'unpaid' })
  })
})

describe('a webhook and a returning buyer', () => {
  it('store one subscription when they arrive concurrently', async () => {
    const { first, second, fakeBilling, storage } = await instances({}, {})
    const ada = await subscriber(first)
    const page = await ada.page()
    const messages = fakeBilling.buy(page)
    const answers = await Promise.all([
      ...messages.map((message) => tell(second, message)),
      ada.get(page),
      ada.get(page),
      ada.start(),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 409])
    expect(await ada.subscription()).toMatchObject({ status: 'trialing' })
    const events = await eventsAfter(storage, LOG_START)
    expect(events.filter(({ type }) => type === 'subscriptions.subscription_started').length).toBe(1)
  })
})
