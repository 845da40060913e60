import { randomUUID } from 'node:crypto'
import { PLANS, type Plan } from '../../../model/plan.ts'
import { isLive, statusOf } from '../../../model/subscription-status.ts'
import type { BilledSubscription } from '../../../ports/billing-processor.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'

/** The account and plan of a processor's subscription, if it is stored or its order named them. */
export interface Ownership {
  readonly accountId: string
  readonly tier: Plan
  readonly processor: string
}

/** Returns the paid plan with this name. */
export const paidPlanNamed = (name: string | null | undefined): Plan | undefined =>
  PLANS.find((tier) => tier === name && tier !== 'community')

/** Maps the subscription of a processor to the row to store. */
export function mapSubscription(
  billed: BilledSubscription,
  { accountId, tier, processor }: Ownership,
  before: Subscription | undefined,
  now: Date,
): Subscription {
  const status = statusOf(billed.status)
  // The price of another plan is a new one. The price of the same plan stays, whatever was changed at the processor.
  const priced = before?.tier === tier ? before : undefined
  const nextTier = isLive({ status }) ? (paidPlanNamed(billed.next?.tier) ?? null) : null
  return {
    id: before?.id ?? randomUUID(),
    accountId,
    tier,
    processor,
    processorSubscriptionId: billed.id,
    processorCustomerId: billed.customerId,
    status,
    currency: before?.currency ?? billed.currency,
    priceAtCreationCents: priced?.priceAtCreationCents ?? billed.priceCents,
    nextTier,
    nextPriceCents: nextTier === null ? null : (billed.next?.priceCents ?? null),
    trialEnd: billed.trialEnd,
    currentPeriodEnd: billed.currentPeriodEnd,
    cancelAtPeriodEnd: billed.cancelAtPeriodEnd,
    canceledAt: billed.canceledAt ?? (isLive({ status }) ? null : now),
    createdAt: before?.createdAt ?? billed.createdAt,
    updatedAt: now,
  }
}

/** A subscription that the processor no longer has. */
export const goneSubscription = (before: Subscription, now: Date): Subscription => ({
  ...before,
  status: 'canceled',
  canceledAt: before.canceledAt ?? now,
  updatedAt: now,
})

const COMPARED = [
  'tier',
  'priceAtCreationCents',
  'nextTier',
  'nextPriceCents',
  'processorCustomerId',
  'status',
  'trialEnd',
  'currentPeriodEnd',
  'cancelAtPeriodEnd',
  'canceledAt',
] as const satisfies readonly (keyof Subscription)[]

const plain = (value: Subscription[keyof Subscription]) => (value instanceof Date ? value.getTime() : value)

/** Whether all mutable fields are equal. */
export const isSame = (left: Subscription, right: Subscription): boolean =>
  COMPARED.every((field) => plain(left[field]) === plain(right[field]))

/** The one that began later; with equal times, deterministically one of them. */
export function newerOf(left: Subscription, right: Subscription): Subscription {
  const difference = left.createdAt.getTime() - right.createdAt.getTime()
  if (difference !== 0) return difference > 0 ? left : right
  return left.processorSubscriptionId > right.processorSubscriptionId ? left : right
}
