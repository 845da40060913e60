import { setTimeout as sleep } from 'node:timers/promises'
import type { OptionalGroup, Stores } from '@eep/core/ports'
import { LOG_START } from '@eep/core/ports'
import { newAccount } from '@eep/core/testing'
import { type FakeStripe, startFakeStripe } from '@eep/payments-card/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, type TestApp, type TestStorage } from '../support/app.ts'
import { onPglite } from '../support/database.ts'
import { type Chance, createChance } from '../support/random.ts'
import { cardBillingOn, createPost, HEARD, orderOf, playOn } from '../support/subscription-orders.ts'

/** Set it to play the orders of a run that failed. */
const SEED = Number(process.env.ORDERS_SEED ?? Math.floor(Math.random() * 1_000_000_000))
/** CI sets 500. */
const ORDERS = Number(process.env.ORDERS ?? 20)
const AT_ONCE = 32
/** Of ten, so many are bought in two tabs. */
const IN_TWO_TABS = 2

/** Of a hundred that are bought in one tab, so many end with an answer that is old when it comes. */
const LATE = 15
const SLOW_MS = 400

const ASKING = /^GET .*subscriptions\/sub_/

const GIVES_TIER = new Set(['trialing', 'active', 'past_due'])

describe.skipIf(onPglite())(`orders of subscriptions (ORDERS_SEED=${SEED})`, () => {
  let stripe: FakeStripe
  let database: TestStorage
  const apps: TestApp[] = []
  const closers: (() => Promise<void>)[] = []

  beforeAll(async () => {
    stripe = await startFakeStripe({ slowMs: SLOW_MS })
    database = await openStorage()
    for (const storage of [database.another(), database.another()]) {
      const { app, close } = await createTestApp({ storage, subscriptions: { billing: cardBillingOn(stripe) } })
      apps.push(app)
      closers.push(close)
    }
  })
  afterAll(async () => {
    for (const close of closers) await close()
    await database.close()
    await stripe.stop()
  })

  const read = <Result>(work: (tx: Stores<OptionalGroup>) => Promise<Result>) => database.storage.transaction(work)

  async function newBuyer(): Promise<string> {
    const account = newAccount()
    await read((tx) => tx.accounts.insert(account))
    return account.id
  }

  /**
   * The answer that one instance gets is outdated on arrival: meanwhile something happened of which only the other one got a
   * message. An instance that writes it without a lease of the account stores the wrong row.
   */
  async function playLate(id: string, post: ReturnType<typeof createPost>, chance: Chance) {
    const processor = cardBillingOn(stripe)
    const [slow, quick] = chance.shuffled(apps)
    const [first, ...others] = (await playOn(stripe, processor, id, chance)).filter(({ type }) => HEARD.has(type))
    if (!(slow && quick && first)) return
    const asking = `GET /v1/subscriptions/${id}`
    stripe.failNext(new RegExp(`^${asking}$`), 'slow_after')
    const before = stripe.calls.length
    post.sendTo(slow, [first])
    await expect.poll(() => stripe.calls.includes(asking, before), { timeout: 60_000 }).toBe(true)
    post.sendTo(quick, [...others, ...(await playOn(stripe, processor, id, chance))])
    await post.sendAll()
  }

  /** The events of one account, sent to both instances in any order. */
  async function playOrder(index: number) {
    const chance = createChance(SEED + index)
    const accountId = await newBuyer()
    const processor = cardBillingOn(stripe)
    const post = createPost(stripe, apps, chance)
    const order = orderOf(accountId, chance)
    const bought: string[] = []
    const tabs = index % 10 < IN_TWO_TABS ? 2 : 1
    for (let tab = 0; tab < tabs; tab++) {
      const { id } = await processor.openCheckout({ ...order, attempt: crypto.randomUUID() })
      post.take(stripe.billing.buy(id))
      bought.push(stripe.billing.boughtOn(id))
      post.sendSome()
    }
    const [id = ''] = bought
    for (let plays = tabs === 1 ? chance.below(4) : 0; plays > 0; plays--) {
      if (chance.happens(0.05)) stripe.failNext(ASKING, 'error_before')
      post.sendSome()
      if (chance.happens(0.7)) await sleep(chance.below(100))
      post.take(await playOn(stripe, processor, id, chance))
    }
    await post.sendAll()
    if (tabs === 1 && chance.happens(LATE / 100)) await playLate(id, post, chance)
    return { accountId, order, bought }
  }

  type Played = Awaited<ReturnType<typeof playOrder>>

  /** The account, its tier, and its subscriptions as they are stored. */
  const storedOf = ({ accountId, bought }: Played) =>
    read(async (tx) => ({
      tier: (await tx.accounts.get(accountId))?.tier,
      live: (await tx.subscriptions.getLive(accountId))?.processorSubscriptionId,
      rows: await Promise.all(
        bought.map(async (id) => {
          const row = await tx.subscriptions.get('stripe', id)
          return (
            row && {
              status: row.status,
              accountId: row.accountId,
              tier: row.tier,
              currency: row.currency,
              priceAtCreationCents: row.priceAtCreationCents,
              trialEnd: row.trialEnd?.getTime() ?? null,
              currentPeriodEnd: row.currentPeriodEnd?.getTime() ?? null,
              cancelAtPeriodEnd: row.cancelAtPeriodEnd,
            }
          )
        }),
      ),
    }))

  /** The plan that is paid for at Stripe, and its price. */
  function planOf({ metadata, items }: ReturnType<FakeStripe['billing']['subscription']>) {
    const [{ price, current_period_start: start }] = items.data
    const { tier, next_tier: next, next_at: at, price_at_creation_cents: cents } = metadata
    if (next === undefined) return { tier, priceAtCreationCents: price.unit_amount }
    if (start >= Number(at)) return { tier: next, priceAtCreationCents: price.unit_amount }
    return { tier, priceAtCreationCents: Number(cents) }
  }

  /** The same as Stripe has it. */
  function trueOf({ accountId, order, bought }: Played) {
    const { currency } = order
    const all = bought.map((id) => stripe.billing.subscription(id))
    const live = all.find(({ status }) => status !== 'canceled')
    return {
      tier: live && GIVES_TIER.has(live.status) ? planOf(live).tier : 'community',
      live: live?.id,
      rows: all.map((one) => ({
        status: one.status,
        accountId,
        ...planOf(one),
        currency,
        trialEnd: one.trial_end === null ? null : one.trial_end * 1000,
        currentPeriodEnd: one.items.data[0].current_period_end * 1000,
        cancelAtPeriodEnd: one.cancel_at_period_end,
      })),
    }
  }

  /** Every invoice that was emitted, and how often. */
  async function billsTold(): Promise<Map<string, number>> {
    const told = new Map<string, number>()
    for (let after = LOG_START; ; ) {
      const { events, early } = await read((tx) => tx.events.list({ after, limit: 1_000 }))
      after = events.at(-1)?.cursor ?? after
      if (events.length + early.length === 0) return told
      for (const { type, data } of events.filter((event) => event.type.startsWith('subscriptions.bill_'))) {
        const { invoiceId, attempt } = data as { readonly invoiceId: string; readonly attempt: number }
        const bill = type === 'subscriptions.bill_paid' ? invoiceId : `${invoiceId} ${attempt}`
        told.set(bill, (told.get(bill) ?? 0) + 1)
      }
    }
  }

  it(`${ORDERS} of them lead to the right rows when two instances receive webhooks in any order and repeatedly`, async () => {
    const played: Played[] = []
    let next = 0
    const player = async () => {
      while (next < ORDERS) played.push(await playOrder(next++))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, player))
    expect(played).toHaveLength(ORDERS)

    const stored = await Promise.all(played.map(storedOf))
    for (const [index, one] of played.entries()) expect(stored[index]).toEqual(trueOf(one))

    // An account pays for one subscription, also when it bought two.
    for (const { bought } of played.filter((one) => one.bought.length > 1)) {
      expect(bought.filter((id) => stripe.billing.subscription(id).status !== 'canceled')).toHaveLength(1)
    }

    const told = await billsTold()
    expect([...told].filter(([, times]) => times !== 1)).toEqual([])
    const paid = played.flatMap(({ bought }) =>
      bought.flatMap((id) => stripe.billing.invoices(id).filter(({ amount_paid: amount }) => amount > 0)),
    )
    expect(paid.filter(({ id }) => !told.has(id))).toEqual([])
  }, 600_000)
})
