import type { Tier } from '../accounts/index.ts'
import type { SubscriptionStatus } from './subscription-status.ts'

interface Standing {
  readonly accountId: string
  /** Of the row at this service. */
  readonly subscriptionId: string
  readonly tier: Tier
  readonly processor: string
  readonly status: SubscriptionStatus
}

interface Bill {
  readonly accountId: string
  readonly subscriptionId: string
  readonly processor: string
  /** The name of the bill at the processor. */
  readonly invoiceId: string
  readonly amountCents: number
  readonly currency: string
  /** How often it was tried. */
  readonly attempt: number
}

/** They are about an account, and nobody else hears of them. */
export interface SubscriptionEvents {
  'subscriptions.subscription_started': Standing
  'subscriptions.subscription_changed': Standing
  'subscriptions.subscription_ended': Standing
  /** A bill over more than nothing was paid. */
  'subscriptions.bill_paid': Bill
  /** The processor tries again, or gives up. */
  'subscriptions.bill_failed': Bill
  /** What a tier costs those who subscribe from now on. */
  'subscriptions.pricing_changed': { readonly tier: Tier }
}
