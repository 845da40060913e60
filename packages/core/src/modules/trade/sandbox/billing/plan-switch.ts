import { DAY_MS } from '../../../../kernel/durations.ts'
import type { BillingInvoice, BillingInvoices, PlanChange as WantedPlan } from '../../../../ports/billing-processor.ts'
import { invoiceId, type Plan, type PlanChange, timeOf, withBill, withSubscription } from './plan-state.ts'

// Changes of running plans at the play processor, and their invoices.

/** The length of a period, by which the rest of it is charged. */
const PERIOD_MS = 30 * DAY_MS

/**
 * Changes the plan of a subscription: immediately, with a charge of the difference for the rest of the period, or with the next period. The
 * current plan drops a later one. Undefined when there is nothing to change.
 */
export function switched(plan: Plan, { tier, priceCents, title, when }: WantedPlan, now: Date): PlanChange | undefined {
  const { subscription, details } = plan
  if (!subscription || subscription.status === 'canceled') return undefined
  const { next, ...kept } = subscription
  if (when === 'at_period_end') {
    if (next?.tier === tier && next.priceCents === priceCents) return undefined
    return withSubscription(plan, { ...kept, next: { tier, title, priceCents } })
  }
  if (details.tier === tier) return next && withSubscription(plan, kept)
  const time = timeOf(plan, now)
  const rest = Math.min(1, Math.max(0, (subscription.periodEnd - time) / PERIOD_MS))
  const due = subscription.status === 'trialing' ? 0 : Math.round((priceCents - details.priceCents) * rest)
  if (due > 0 && subscription.failsNext) {
    return withSubscription(plan, { ...subscription, failsNext: false }, { isDeclined: true })
  }
  const invoices = subscription.invoices + (due === 0 ? 0 : 1)
  const bill = { id: invoiceId(plan.subscriptionId ?? '', invoices), at: time, amountCents: due, paid: true }
  const after = {
    ...kept,
    paidCents: kept.paidCents + due,
    takenCents: kept.takenCents + due,
    invoices,
    bills: due === 0 ? kept.bills : withBill(kept.bills, bill),
  }
  return withSubscription({ ...plan, details: { ...details, tier, priceCents, title } }, after)
}

/** Continues a cancelled subscription. Undefined when there is nothing to change. */
export function resumed(plan: Plan): PlanChange | undefined {
  const { subscription } = plan
  if (!subscription?.cancelAtPeriodEnd) return undefined
  return withSubscription(plan, { ...subscription, cancelAtPeriodEnd: false, canceledAt: null })
}

/** The invoices of a plan, in the time of the clock. */
const invoicesOf = ({ aheadMs, details, subscription }: Plan): readonly BillingInvoice[] =>
  (subscription?.bills ?? []).map(({ id, at, amountCents, paid }) => ({
    id,
    number: null,
    createdAt: new Date(at - aheadMs),
    totalCents: amountCents,
    currency: details.currency,
    status: paid ? 'paid' : subscription?.status === 'canceled' ? 'void' : 'open',
    url: null,
    pdfUrl: null,
  }))

/** A page of the invoices of the plans of a customer, the latest first. */
export function invoicePage(
  plans: readonly Plan[],
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): BillingInvoices {
  const all = plans.flatMap(invoicesOf).toSorted((left, right) => right.createdAt.getTime() - left.createdAt.getTime())
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const invoices = all.slice(start, start + limit)
  return { invoices, next: start + limit < all.length ? (invoices.at(-1)?.id ?? null) : null }
}
