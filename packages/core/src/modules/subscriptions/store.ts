import type { Tier } from '../accounts/index.ts'

/** What a tier costs those who subscribe from now on: whole numbers of cents, 0 is free. */
export interface TierPricing {
  readonly tier: Tier
  readonly priceUsdMonthlyCents: number
  readonly priceEurMonthlyCents: number
  readonly priceUsdcYearlyCents: number
  readonly trialDays: number
}

/** The words of Stripe, which processors of others say in the same sense; and what is none of them. */
export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'
  | 'other'

/** What an account has subscribed to. */
export interface Subscription {
  /** UUID. */
  readonly id: string
  readonly accountId: string
  readonly tier: Tier
  /** `stripe`; `usdc` for a year that was paid in stablecoins. */
  readonly processor: string
  /** Unique within the processor; of a paid year, the id of its first receipt. */
  readonly processorSubscriptionId: string
  readonly processorCustomerId: string | null
  readonly status: SubscriptionStatus
  readonly currency: string
  /** What it cost when it began; later prices do not change it. */
  readonly priceAtCreationCents: number
  readonly trialEnd: Date | null
  readonly currentPeriodEnd: Date | null
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A page on which an account may be paying right now. */
export interface OpenCheckout {
  readonly accountId: string
  readonly processor: string
  /** Names the attempt; the processor opens one page for it. */
  readonly attempt: string
  /** Null until the processor has answered. */
  readonly checkoutId: string | null
  readonly url: string | null
  readonly tier: Tier
  readonly currency: string
  readonly priceCents: number
  readonly trialDays: number
  readonly createdAt: Date
}
