import { z } from 'zod'
import { DAY_MS } from '../../../../kernel/durations.ts'
import type { BilledSubscription, BillingCheckout, BillingEvent } from '../../../../ports/billing-processor.ts'
import type { SandboxPlan } from '../../../../ports/storage/sandbox.ts'
import { validUntil } from '../../../access/receipts/index.ts'

// The rules of the play processor, without a storage. Times in details are milliseconds of the plan's own time, which `aheadMs` moves
// ahead of the clock.

/** After so many failed attempts in a row, a subscription ends. */
const MAX_ATTEMPTS = 4
const RETRY_MS = 3 * DAY_MS

const moment = z.int()

const billSchema = z.object({ id: z.string(), at: moment, amountCents: z.int(), paid: z.boolean() })

const subscriptionSchema = z.object({
  status: z.enum(['trialing', 'active', 'past_due', 'canceled']),
  startedAt: moment,
  trialEnd: moment.nullable(),
  periodEnd: moment,
  cancelAtPeriodEnd: z.boolean(),
  canceledAt: moment.nullable(),
  /** How much of the current period was paid and not given back. */
  paidCents: z.int(),
  /** How much was paid and not given back since the start. */
  takenCents: z.int(),
  /** How many invoices there were, and how often the last one was tried. */
  invoices: z.int(),
  attempt: z.int(),
  /** When an invoice that was not paid is tried again. */
  retryAt: moment.nullable(),
  /** Whether a person chose that the next payment fails. */
  failsNext: z.boolean(),
  /** The plan of the next period, when it is another one. */
  next: z.object({ tier: z.string(), title: z.string(), priceCents: z.int() }).optional(),
  /** The latest invoices, the latest first. */
  bills: z.array(billSchema).default([]),
})

const detailsSchema = z.object({
  url: z.string(),
  page: z.enum(['open', 'complete', 'expired']),
  expiresAt: moment,
  tier: z.string(),
  currency: z.string(),
  priceCents: z.int(),
  trialDays: z.int(),
  title: z.string(),
  customerId: z.string(),
  successUrl: z.string(),
  cancelUrl: z.string(),
  subscription: subscriptionSchema.nullable(),
})

/** What the play processor knows of an order and of the subscription that it became. */
export type PlanDetails = z.infer<typeof detailsSchema>

export type PlanSubscription = NonNullable<PlanDetails['subscription']>

/** An order of a plan, with its details read. */
export interface Plan extends Omit<SandboxPlan, 'details'> {
  readonly details: PlanDetails
  /** The subscription that the order became. */
  readonly subscription: PlanSubscription | null
}

export function readPlan(stored: SandboxPlan): Plan {
  const details = detailsSchema.parse(stored.details)
  return { ...stored, details, subscription: details.subscription }
}

/** What a change makes of a plan. */
export interface PlanChange {
  readonly details: PlanDetails
  readonly subscriptionId: string | null
  readonly aheadMs: number
  /** The invoice that it made or tried again. */
  readonly invoice?: BillingEvent['invoice']
  /** Whether a payment was declined, so that only `failsNext` changed. */
  readonly isDeclined?: boolean
}

/** The time of a plan. */
export const timeOf = ({ aheadMs }: Plan, now: Date): number => now.getTime() + aheadMs

const unchangedExcept = ({ details, subscriptionId, aheadMs }: Plan, changes: Partial<PlanChange>): PlanChange => ({
  details,
  subscriptionId,
  aheadMs,
  ...changes,
})

export const withSubscription = (
  plan: Plan,
  subscription: PlanSubscription,
  changes: Partial<PlanChange> = {},
): PlanChange => unchangedExcept(plan, { details: { ...plan.details, subscription }, ...changes })

const MAX_BILLS = 100

/** Adds an invoice, or replaces it after another attempt. */
export const withBill = (
  bills: PlanSubscription['bills'],
  bill: PlanSubscription['bills'][number],
): PlanSubscription['bills'] => [bill, ...bills.filter(({ id }) => id !== bill.id)].slice(0, MAX_BILLS)

const aMonthAfter = (time: number): number => validUntil('month', new Date(time))?.getTime() ?? time

/** The state of the page of a plan. */
export function checkoutOf(plan: Plan, now: Date): BillingCheckout {
  const { id, details, subscriptionId } = plan
  const isOver = details.page === 'open' && details.expiresAt <= now.getTime()
  const state = isOver ? 'expired' : details.page
  const url = state === 'open' ? details.url : null
  return { id, url, state, subscriptionId, expiresAt: new Date(details.expiresAt) }
}

/** A subscription, which has a period from its begin. */
type PlanBilled = BilledSubscription & { readonly currentPeriodEnd: Date }

/** The subscription of a plan, in the time of the clock. */
export function subscriptionOf({
  subscriptionId,
  accountId,
  aheadMs,
  details,
  subscription,
}: Plan): PlanBilled | undefined {
  if (!subscription || subscriptionId === null) return undefined
  const at = (time: number) => new Date(time - aheadMs)
  const atOrNull = (time: number | null) => (time === null ? null : at(time))
  return {
    id: subscriptionId,
    customerId: details.customerId,
    accountId,
    tier: details.tier,
    currency: details.currency,
    priceCents: details.priceCents,
    next: subscription.next && { tier: subscription.next.tier, priceCents: subscription.next.priceCents },
    status: subscription.status,
    trialEnd: atOrNull(subscription.trialEnd),
    currentPeriodEnd: at(subscription.periodEnd),
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    canceledAt: atOrNull(subscription.canceledAt),
    createdAt: at(subscription.startedAt),
  }
}

/** Expires an open page. Undefined when there is nothing to change. */
export const expired = (plan: Plan): PlanChange | undefined =>
  plan.details.page === 'open' ? unchangedExcept(plan, { details: { ...plan.details, page: 'expired' } }) : undefined

/** Completes an open page: the subscription begins, with its trial or its first payment. Undefined when the page is not open. */
export function started(plan: Plan, subscriptionId: string, now: Date): PlanChange | undefined {
  if (checkoutOf(plan, now).state !== 'open') return undefined
  const { details } = plan
  const time = timeOf(plan, now)
  const trialEnd = details.trialDays > 0 ? time + details.trialDays * DAY_MS : null
  const paidCents = trialEnd === null ? details.priceCents : 0
  const subscription: PlanSubscription = {
    status: trialEnd === null ? 'active' : 'trialing',
    startedAt: time,
    trialEnd,
    periodEnd: trialEnd ?? aMonthAfter(time),
    cancelAtPeriodEnd: false,
    canceledAt: null,
    paidCents,
    takenCents: paidCents,
    invoices: 1,
    attempt: 1,
    retryAt: null,
    failsNext: false,
    bills: [{ id: invoiceId(subscriptionId, 1), at: time, amountCents: paidCents, paid: true }],
  }
  const invoice = { id: invoiceId(subscriptionId, 1), paid: true, amountCents: paidCents, attempt: 1 }
  return withSubscription(plan, subscription, {
    details: { ...details, page: 'complete', subscription },
    subscriptionId,
    invoice,
  })
}

export const invoiceId = (subscriptionId: string, count: number) => `${subscriptionId}_invoice_${count}`

/** When something happens to a subscription next, in the time of the plan. */
const dueAt = ({ status, retryAt, periodEnd }: PlanSubscription): number =>
  status === 'canceled' ? Number.POSITIVE_INFINITY : (retryAt ?? periodEnd)

const ended = (subscription: PlanSubscription, time: number): PlanSubscription => ({
  ...subscription,
  status: 'canceled',
  canceledAt: time,
  cancelAtPeriodEnd: false,
  retryAt: null,
})

/** Makes the next period and its payment, tries a payment again, or ends a cancelled subscription. */
function turned(before: Plan, { next: nextPlan, ...subscription }: PlanSubscription, aheadMs: number): PlanChange {
  const time = dueAt(subscription)
  if (subscription.cancelAtPeriodEnd) return withSubscription(before, ended(subscription, time), { aheadMs })
  const plan = nextPlan ? { ...before, details: { ...before.details, ...nextPlan } } : before
  const { priceCents } = plan.details
  const isRetry = subscription.retryAt !== null
  const attempt = isRetry ? subscription.attempt + 1 : 1
  const invoices = subscription.invoices + (isRetry ? 0 : 1)
  const id = invoiceId(plan.subscriptionId ?? '', invoices)
  const paid = !subscription.failsNext || priceCents === 0
  const next: PlanSubscription = {
    ...subscription,
    status: paid ? 'active' : 'past_due',
    periodEnd: isRetry ? subscription.periodEnd : aMonthAfter(subscription.periodEnd),
    paidCents: paid ? priceCents : 0,
    takenCents: subscription.takenCents + (paid ? priceCents : 0),
    invoices,
    attempt,
    retryAt: paid ? null : time + RETRY_MS,
    failsNext: false,
    bills: withBill(subscription.bills, { id, at: time, amountCents: priceCents, paid }),
  }
  const invoice = { id, paid, amountCents: priceCents, attempt }
  const isGivenUp = !paid && attempt >= MAX_ATTEMPTS
  return withSubscription(plan, isGivenUp ? ended(next, time) : next, { aheadMs, invoice })
}

/** Makes the next payment, or ends a subscription, when that is due. Undefined otherwise. */
export function turnedIfDue(plan: Plan, now: Date): PlanChange | undefined {
  const { subscription, aheadMs } = plan
  return subscription && dueAt(subscription) <= timeOf(plan, now) ? turned(plan, subscription, aheadMs) : undefined
}

/** Moves the time of a plan to what is due next. Undefined when its subscription has ended. */
export function turnedNow(plan: Plan, now: Date): PlanChange | undefined {
  const { subscription, aheadMs } = plan
  if (!subscription || subscription.status === 'canceled') return undefined
  return turned(plan, subscription, Math.max(aheadMs, dueAt(subscription) - now.getTime()))
}

/** Lets the next payment fail. Undefined when the subscription has ended. */
export function failingNext(plan: Plan): PlanChange | undefined {
  const { subscription } = plan
  if (!subscription || subscription.status === 'canceled' || subscription.failsNext) return undefined
  return withSubscription(plan, { ...subscription, failsNext: true })
}

/**
 * Ends a subscription. `at_period_end` ends an unpaid one now; `immediately` gives the payment of the period back, `unpaid` does not.
 * Undefined when there is nothing to change.
 */
export function cancelled(
  plan: Plan,
  when: 'at_period_end' | 'immediately' | 'unpaid',
  now: Date,
): PlanChange | undefined {
  const { subscription } = plan
  if (!subscription || subscription.status === 'canceled') return undefined
  const time = timeOf(plan, now)
  if (when === 'at_period_end' && subscription.status !== 'past_due') {
    if (subscription.cancelAtPeriodEnd) return undefined
    return withSubscription(plan, { ...subscription, cancelAtPeriodEnd: true, canceledAt: time })
  }
  const over = ended(subscription, time)
  if (when !== 'immediately') return withSubscription(plan, over)
  return withSubscription(plan, { ...over, paidCents: 0, takenCents: over.takenCents - over.paidCents })
}
