import type { OpenCheckout, Subscription } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Row } from '../database.ts'
import { toDate, toDateOrNull } from '../rows.ts'

/** Written like the condition of the partial indexes on live subscriptions, so that the planner uses them. */
export const isLive = sql<boolean>`subscriptions.status not in ('canceled', 'incomplete_expired')`

export const toSubscription = (row: Row<'subscriptions'>): Subscription => ({
  id: row.id,
  accountId: row.account_id,
  tier: row.tier,
  processor: row.processor,
  processorSubscriptionId: row.processor_subscription_id,
  processorCustomerId: row.processor_customer_id,
  status: row.status,
  currency: row.currency,
  priceAtCreationCents: Number(row.price_at_creation_cents),
  nextTier: row.next_tier,
  nextPriceCents: row.next_price_cents === null ? null : Number(row.next_price_cents),
  trialEnd: toDateOrNull(row.trial_end),
  currentPeriodEnd: toDateOrNull(row.current_period_end),
  cancelAtPeriodEnd: row.cancel_at_period_end,
  canceledAt: toDateOrNull(row.canceled_at),
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})

export const toCheckoutRow = (one: OpenCheckout) => ({
  account_id: one.accountId,
  processor: one.processor,
  attempt: one.attempt,
  checkout_id: one.checkoutId,
  url: one.url,
  tier: one.tier,
  currency: one.currency,
  price_cents: one.priceCents,
  trial_days: one.trialDays,
  created_at: one.createdAt,
})

export const toCheckout = (row: Row<'subscription_checkouts'>): OpenCheckout => ({
  accountId: row.account_id,
  processor: row.processor,
  attempt: row.attempt,
  checkoutId: row.checkout_id,
  url: row.url,
  tier: row.tier,
  currency: row.currency,
  priceCents: Number(row.price_cents),
  trialDays: row.trial_days,
  createdAt: toDate(row.created_at),
})
