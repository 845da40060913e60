import { randomUUID } from 'node:crypto'
import type { OpenCheckout, Subscription } from '../ports/storage/subscriptions.ts'
import { freshName } from './records.ts'

const moment = new Date('2026-03-04T05:06:07.089Z')

/** A subscription to `pro` that is paid. */
export const newSubscription = (accountId: string, changes: Partial<Subscription> = {}): Subscription => ({
  id: randomUUID(),
  accountId,
  tier: 'pro',
  processor: 'stripe',
  processorSubscriptionId: freshName('sub'),
  processorCustomerId: null,
  status: 'active',
  currency: 'usd',
  priceAtCreationCents: 1_200,
  nextTier: null,
  nextPriceCents: null,
  trialEnd: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  canceledAt: null,
  createdAt: moment,
  updatedAt: moment,
  ...changes,
})

/** A checkout page for `pro`. */
export const newCheckout = (accountId: string, changes: Partial<OpenCheckout> = {}): OpenCheckout => ({
  accountId,
  processor: 'stripe',
  attempt: randomUUID(),
  checkoutId: freshName('cs'),
  url: 'https://pay.example/page',
  tier: 'pro',
  currency: 'usd',
  priceCents: 1_200,
  trialDays: 14,
  createdAt: moment,
  ...changes,
})
