import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BillingProcessor, SubscriptionOrder } from '@eep/core/ports'
import { cardBilling } from '@eep/payments-card'
import type { FakeStripe, StripeEvent } from '@eep/payments-card/testing'
import type { TestApp } from './app.ts'
import { client } from './client.ts'
import type { Chance } from './random.ts'

/** Subscriptions through the Stripe of a test. */
export const cardBillingOn = (stripe: FakeStripe): BillingProcessor =>
  cardBilling({ secretKey: stripe.secretKey, apiBase: stripe.url, webhookSecret: stripe.webhookSecret })

/** What the service listens to. */
export const HEARD = new Set([
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.payment_succeeded',
  'invoice.payment_failed',
])
const WEBHOOK = '/stripe/subscription/webhook'
const TRIES = 60

export const hear = (app: TestApp, { body, headers }: ReturnType<FakeStripe['message']>) =>
  client(app).post(WEBHOOK, body, headers)

/** Sends a message as Stripe does: again, until the answer is 200. */
async function deliver(stripe: FakeStripe, app: TestApp, event: StripeEvent): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { statusCode } = await hear(app, stripe.message(event))
    if (statusCode === 200) return
    await sleep(5)
  }
  throw new Error(`no handler for ${event.type}`)
}

/** Sends events to instances at random: in any order, late, concurrently and repeatedly. */
export function createPost(stripe: FakeStripe, apps: readonly TestApp[], chance: Chance) {
  const waiting: StripeEvent[] = []
  const flying: Promise<void>[] = []

  const sendTo = (some: readonly TestApp[], events: readonly StripeEvent[]) => {
    for (const event of events) flying.push(deliver(stripe, chance.pick(some), event))
  }
  const send = (events: readonly StripeEvent[]) => sendTo(chance.happens(0.5) ? [chance.pick(apps)] : apps, events)

  return {
    take(events: readonly StripeEvent[]) {
      for (const event of events) {
        const copies = HEARD.has(event.type) ? 1 + Number(chance.happens(0.3)) : Number(chance.happens(0.05))
        for (let copy = 0; copy < copies; copy++) waiting.push(event)
      }
    },
    /** Sends some of what waits, and does not wait for the answers. */
    sendSome() {
      const all = chance.shuffled(waiting)
      const some = chance.below(all.length + 1)
      waiting.splice(0, waiting.length, ...all.slice(some))
      send(all.slice(0, some))
    },
    /** Sends something that does not wait with the rest, to one instance. */
    sendTo: (app: TestApp, events: readonly StripeEvent[]) => sendTo([app], events),
    async sendAll() {
      send(chance.shuffled(waiting.splice(0)))
      await Promise.all(flying)
    },
  }
}

export const orderOf = (accountId: string, chance: Chance): SubscriptionOrder => ({
  accountId,
  tier: chance.pick(['pro', 'team']),
  currency: chance.pick(['usd', 'eur']),
  priceCents: 500 + chance.below(5_000),
  trialDays: chance.happens(0.4) ? 14 : 0,
  title: 'A tier',
  email: 'other@example.com',
  successUrl: 'https://pages.example/subscribed',
  cancelUrl: 'https://pages.example/pricing',
  attempt: randomUUID(),
})

/** Asks again when the accident that was ordered for an instance has hit us. */
async function insist<Result>(work: () => Promise<Result>, tries = 5): Promise<Result> {
  return tries === 1 ? work() : work().catch(() => insist(work, tries - 1))
}

/** Subscriptions whose plan was changed. A second change without a message in between would keep the price of the first. */
const changed = new Set<string>()

/** Changes the plan: to the larger one now, to the smaller one later. */
async function changePlan(processor: BillingProcessor, id: string, tier: string | undefined, priceCents: number) {
  changed.add(id)
  const isSmaller = tier === 'team'
  const plan = { tier: isSmaller ? 'pro' : 'team', priceCents, title: 'Another tier' }
  await insist(async () => {
    await processor.change?.(id, { ...plan, when: isSmaller ? 'at_period_end' : 'now' })
  })
}

/** One more thing that may happen to a subscription as it is now; nothing happens to one that has ended. */
export async function playOn(
  { billing }: FakeStripe,
  processor: BillingProcessor,
  id: string,
  chance: Chance,
): Promise<readonly StripeEvent[]> {
  const { status } = billing.subscription(id)
  const payment = chance.happens(0.6) ? 'paid' : 'failed'
  if (status === 'canceled') return []
  if (status === 'paused') return billing.resume(id)
  if (status === 'past_due') return billing.retry(id, payment)
  if (chance.happens(0.6)) return billing.endPeriod(id, payment)
  if (chance.happens(0.4)) return billing.pause(id)
  if (chance.happens(0.3)) return billing.cancel(id)
  const before = billing.events().length
  const { metadata } = billing.subscription(id)
  const since = () =>
    billing
      .events()
      .slice(before)
      .filter(({ type, data }) => HEARD.has(type) && JSON.stringify(data.object).includes(id))
  if (!changed.has(id) && status !== 'unpaid' && chance.happens(0.6)) {
    await changePlan(processor, id, metadata.tier, 500 + chance.below(5_000))
    return since()
  }
  const when = chance.happens(0.7) ? 'at_period_end' : 'immediately'
  await insist(() => processor.cancelSubscription(id, when))
  return billing
    .events()
    .slice(before)
    .filter(({ data }) => (data.object as { readonly id?: string }).id === id)
}
