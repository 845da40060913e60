import type { BilledSubscription } from '@eep/core/ports'
import type { Stripe } from 'stripe'
import type { BillingContext } from './billing-checkout.ts'
import { expectObject, idOf, isMissing, isRefused } from './billing-error.ts'
import { currentPlan } from './plan-metadata.ts'
import { RefundFailed, refundIntent } from './refund.ts'

type Subscription = Stripe.Subscription

/** Before 2025-03-31 the end of the period was at the top level. */
type AnySubscription = Subscription & { readonly current_period_end?: number | null }

/** Set by the call that cancels a subscription, so that a repeated call detects the pending refund. */
const GIVE_BACK = 'eep: ended at once, the present period is given back'

/** States of subscriptions that have ended. */
export const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])

/** States without a paid period that could be kept. */
const UNPAID = new Set(['incomplete', 'unpaid'])

const at = (seconds: number | null | undefined): Date | null =>
  typeof seconds === 'number' && Number.isFinite(seconds) ? new Date(seconds * 1000) : null

function periodEndOf({ items, current_period_end: end }: AnySubscription): number | null {
  const ends = items.data.map((item) => item.current_period_end).filter(Number.isSafeInteger)
  return ends.length === 0 ? (end ?? null) : Math.max(...ends)
}

/** Parses a subscription. Throws when the response is not one. */
function readSubscription(answer: Subscription): BilledSubscription {
  const { id, customer, metadata, currency, status, created, ...one } = expectObject(answer, 'subscription')
  const customerId = idOf(customer)
  const items = one.items?.data
  if (
    customerId === undefined ||
    typeof status !== 'string' ||
    !Array.isArray(items) ||
    !Number.isSafeInteger(created)
  ) {
    throw new Error('Stripe returned an incomplete subscription')
  }
  const periodEnd = periodEndOf(answer)
  const endsWithPeriod = one.cancel_at !== null && one.cancel_at !== undefined && one.cancel_at <= (periodEnd ?? 0)
  return {
    id,
    customerId,
    accountId: metadata?.account_id ?? null,
    ...currentPlan(answer),
    currency,
    status,
    trialEnd: at(one.trial_end),
    currentPeriodEnd: at(periodEnd),
    cancelAtPeriodEnd: !ENDED.has(status) && (one.cancel_at_period_end || endsWithPeriod),
    canceledAt: at(one.canceled_at),
    createdAt: new Date(created * 1000),
  }
}

/** Retrieves a subscription. Returns undefined for an unknown one. */
export async function find({ stripe }: BillingContext, id: string): Promise<Subscription | undefined> {
  try {
    return expectObject(await stripe.subscriptions.retrieve(id), 'subscription')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Permanent failures of a refund, such as a dispute or a closed card. An insufficient balance is temporary. */
const isForGood = (error: unknown): boolean =>
  error instanceof RefundFailed || (isRefused(error) && error.code !== 'balance_insufficient')

/**
 * Refunds each payment of the last invoice once, however often it is called. Returns a payment that cannot
 * be refunded.
 */
async function giveBack(
  { stripe }: BillingContext,
  { latest_invoice: invoice }: Subscription,
): Promise<string | undefined> {
  const id = idOf(invoice)
  if (id === undefined) return undefined
  const { data } = await stripe.invoicePayments.list({ invoice: id, status: 'paid', limit: 100 })
  let left: string | undefined
  for (const { id: key, payment } of data) {
    const reference = idOf(payment.payment_intent)
    if (reference === undefined) continue
    try {
      await refundIntent(stripe, { reference, key })
    } catch (error) {
      if (!isForGood(error)) throw error
      left = reference
    }
  }
  return left
}

/** Returns the state of a subscription. It is not reported as ended before its refund. */
export async function settled(context: BillingContext, one: Subscription): Promise<BilledSubscription> {
  const owes = ENDED.has(one.status) && one.cancellation_details?.comment === GIVE_BACK
  const notGivenBack = owes ? await giveBack(context, one) : undefined
  return { ...readSubscription(one), ...(notGivenBack !== undefined && { notGivenBack }) }
}

/** Returns undefined for an unknown subscription. */
export async function findSubscription(context: BillingContext, id: string): Promise<BilledSubscription | undefined> {
  const found = await find(context, id)
  return found && settled(context, found)
}

/** Returns the result of a refused call: the subscription has already ended, or does not exist. */
export async function unlessEnded(context: BillingContext, id: string, work: () => Promise<Subscription>) {
  try {
    return expectObject(await work(), 'subscription')
  } catch (error) {
    const standing = isRefused(error) ? await find(context, id) : undefined
    if (standing ? ENDED.has(standing.status) : isMissing(error)) return standing
    throw error
  }
}

/** Cancels a subscription immediately. The same call marks the refund as pending, so that a crash cannot lose it. */
export async function endImmediately(context: BillingContext, id: string): Promise<BilledSubscription | undefined> {
  const ended = await unlessEnded(context, id, () =>
    context.stripe.subscriptions.cancel(id, { cancellation_details: { comment: GIVE_BACK } }),
  )
  return ended && settled(context, ended)
}

/** Cancels a subscription at the end of its paid period, or immediately without one. */
export async function endWithPeriod(context: BillingContext, id: string): Promise<BilledSubscription | undefined> {
  const standing = await find(context, id)
  if (standing && UNPAID.has(standing.status)) return endImmediately(context, id)
  if (!standing || ENDED.has(standing.status) || standing.cancel_at_period_end)
    return standing && settled(context, standing)
  const updated = await unlessEnded(context, id, () =>
    context.stripe.subscriptions.update(id, { cancel_at_period_end: true }),
  )
  return updated && settled(context, updated)
}
