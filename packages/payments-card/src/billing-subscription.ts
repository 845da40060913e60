import type { BilledSubscription } from '@eep/core/ports'
import type { Stripe } from 'stripe'
import type { BillingContext } from './billing-checkout.ts'
import { expectObject, idOf, isMissing, isRefused } from './billing-error.ts'
import { RefundFailed, refundIntent } from './refund.ts'

type Subscription = Stripe.Subscription

/** Before 2025-03-31 the end of the period was at the top level. */
type AnySubscription = Subscription & { readonly current_period_end?: number | null }

/** Written by the call that ends a subscription, so that a repeated call knows about the pending refund. */
const GIVE_BACK = 'eep: ended at once, the present period is given back'

const ENDED = new Set(['canceled', 'incomplete_expired'])

/** Nothing is paid for that could be kept to the end of the period. */
const UNPAID = new Set(['incomplete', 'unpaid'])

const at = (seconds: number | null | undefined): Date | null =>
  typeof seconds === 'number' && Number.isFinite(seconds) ? new Date(seconds * 1000) : null

function periodEndOf({ items, current_period_end: end }: AnySubscription): number | null {
  const ends = items.data.map((item) => item.current_period_end).filter(Number.isSafeInteger)
  return ends.length === 0 ? (end ?? null) : Math.max(...ends)
}

/** Reads a subscription out of an answer; throws when it is none. */
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
    throw new Error('Stripe answered with half a subscription')
  }
  const periodEnd = periodEndOf(answer)
  const endsWithPeriod = one.cancel_at !== null && one.cancel_at !== undefined && one.cancel_at <= (periodEnd ?? 0)
  return {
    id,
    customerId,
    accountId: metadata?.account_id ?? null,
    tier: metadata?.tier ?? null,
    currency,
    priceCents: items.reduce((sum, { price, quantity = 1 }) => sum + (price.unit_amount ?? 0) * quantity, 0),
    status,
    trialEnd: at(one.trial_end),
    currentPeriodEnd: at(periodEnd),
    cancelAtPeriodEnd: !ENDED.has(status) && (one.cancel_at_period_end || endsWithPeriod),
    canceledAt: at(one.canceled_at),
    createdAt: new Date(created * 1000),
  }
}

async function find({ stripe }: BillingContext, id: string): Promise<Subscription | undefined> {
  try {
    return expectObject(await stripe.subscriptions.retrieve(id), 'subscription')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** No repeat helps: the bank took it back in a dispute, the card is closed. An empty balance may be full tomorrow. */
const isForGood = (error: unknown): boolean =>
  error instanceof RefundFailed || (isRefused(error) && error.code !== 'balance_insufficient')

/**
 * Refunds the payments of the last invoice, each once, however often it is called. Returns a payment that cannot
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

/** The state of a subscription; it is not reported as over before its refund. */
async function settled(context: BillingContext, one: Subscription): Promise<BilledSubscription> {
  const owes = ENDED.has(one.status) && one.cancellation_details?.comment === GIVE_BACK
  const notGivenBack = owes ? await giveBack(context, one) : undefined
  return { ...readSubscription(one), ...(notGivenBack !== undefined && { notGivenBack }) }
}

/** undefined when there is none. */
export async function findSubscription(context: BillingContext, id: string): Promise<BilledSubscription | undefined> {
  const found = await find(context, id)
  return found && settled(context, found)
}

/** What a call that Stripe refuses has to say: that the subscription ended before, or that there is none. */
async function unlessEnded(context: BillingContext, id: string, work: () => Promise<Subscription>) {
  try {
    return expectObject(await work(), 'subscription')
  } catch (error) {
    const standing = isRefused(error) ? await find(context, id) : undefined
    if (standing ? ENDED.has(standing.status) : isMissing(error)) return standing
    throw error
  }
}

/** Ends a subscription now. Its mark is made by the same call that ends it: a crash in between leaves no money behind. */
export async function endAtOnce(context: BillingContext, id: string): Promise<BilledSubscription | undefined> {
  const ended = await unlessEnded(context, id, () =>
    context.stripe.subscriptions.cancel(id, { cancellation_details: { comment: GIVE_BACK } }),
  )
  return ended && settled(context, ended)
}

/** Lets a subscription run out. One that is not paid for has no period to keep and ends now. */
export async function endWithPeriod(context: BillingContext, id: string): Promise<BilledSubscription | undefined> {
  const standing = await find(context, id)
  if (standing && UNPAID.has(standing.status)) return endAtOnce(context, id)
  if (!standing || ENDED.has(standing.status) || standing.cancel_at_period_end)
    return standing && settled(context, standing)
  const updated = await unlessEnded(context, id, () =>
    context.stripe.subscriptions.update(id, { cancel_at_period_end: true }),
  )
  return updated && settled(context, updated)
}
