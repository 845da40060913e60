import type { AuditEntry, Plan, Subscription } from '@eep/core/ports'
import type { ColumnType } from 'kysely'
import type { Bigint, BigintId, BigintOrNull } from './columns.ts'

export interface SubscriptionTable {
  id: string
  account_id: string
  tier: Plan
  processor: string
  processor_subscription_id: string
  processor_customer_id: string | null
  status: Subscription['status']
  currency: string
  price_at_creation_cents: Bigint
  next_tier: Plan | null
  next_price_cents: BigintOrNull
  trial_end: Date | null
  current_period_end: Date | null
  cancel_at_period_end: boolean
  canceled_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SubscriptionLeaseTable {
  account_id: string
  holder: string
  lease_until: Date
}

export interface SubscriptionCheckoutTable {
  account_id: string
  processor: string
  attempt: string
  checkout_id: string | null
  url: string | null
  tier: Plan
  currency: string
  price_cents: Bigint
  trial_days: number
  created_at: Date
}

export interface BillingMessageTable {
  processor: string
  id: string
  state: 'processing' | 'done'
  tries: ColumnType<number, never, number>
  seen_at: Date
}

export interface TierPricingTable {
  tier: Plan
  price_usd_monthly_cents: number
  price_eur_monthly_cents: number
  price_usdc_yearly_cents: number
  trial_days: number
  updated_at: Date
}

export interface PrepaidPlanTable {
  challenge_id: string
  receipt_id: string
  account_id: string
  tier: Plan
  price_cents: number
  paid_at: Date
  starts_at: Date | null
  ends_at: Date | null
}

export interface SubscriptionReminderTable {
  subscription_id: string
  ends_at: Date
  days: number
}

export interface AdminAuditTable {
  id: BigintId
  actor_account_id: string | null
  action: string
  target: string
  before: AuditEntry['before']
  after: AuditEntry['after']
  at: Date
}
