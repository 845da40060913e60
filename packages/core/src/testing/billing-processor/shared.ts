import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { isEepError } from '../../kernel/errors.ts'
import type { BilledSubscription, SubscriptionOrder } from '../../ports/billing-processor.ts'
import type { TestRunner } from '../runner.ts'
import type { BillingProcessorSubject } from './subject.ts'

export type Story = (it: TestRunner['it'], bench: () => BillingProcessorSubject) => void

/** An order of an account that has not bought before. */
export function newOrder(
  { order }: BillingProcessorSubject,
  changes: Partial<SubscriptionOrder> = {},
): SubscriptionOrder {
  const accountId = randomUUID()
  return {
    accountId,
    tier: 'pro',
    currency: 'usd',
    priceCents: 800,
    title: 'Pro',
    email: `${accountId}@mail.example`,
    successUrl: 'https://pages.example/subscribed?checkout={CHECKOUT_ID}',
    cancelUrl: 'https://pages.example/pricing',
    attempt: randomUUID(),
    ...order,
    trialDays: 0,
    ...changes,
  }
}

/** Completes a purchase. Returns the order, the resulting messages and the subscription. */
export async function bought(bench: BillingProcessorSubject, changes: Partial<SubscriptionOrder> = {}) {
  const { processor } = bench
  const order = newOrder(bench, changes)
  const checkout = await processor.openCheckout(order)
  const messages = await bench.buy(checkout)
  const after = await processor.getCheckout(checkout.id)
  assert.equal(after?.state, 'complete')
  assert.ok(after.subscriptionId, 'a completed page names the subscription')
  const id = after.subscriptionId
  return { order, checkout, messages, id, now: () => standing(bench, id) }
}

export async function standing({ processor }: BillingProcessorSubject, id: string): Promise<BilledSubscription> {
  const subscription = await processor.getSubscription(id)
  assert.ok(subscription, `there is a subscription ${id}`)
  return subscription
}

/** The amount that some work takes. */
export async function takenBy(bench: BillingProcessorSubject, work: () => Promise<unknown>): Promise<bigint> {
  const before = await bench.taken()
  await work()
  return (await bench.taken()) - before
}

export const has =
  (code: string) =>
  (error: unknown): boolean =>
    isEepError(error) && error.code === code
