/** A Customer as the API shows it. */
export interface FakeCustomer {
  readonly id: string
  readonly object: 'customer'
  readonly created: number
  readonly email: string | null
}

/** The status of a subscription at the fake Stripe, with the names of Stripe. */
export type FakeSubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'

/** An item of a subscription: its price and its paid period. */
export interface FakeSubscriptionItem {
  readonly id: string
  readonly object: 'subscription_item'
  readonly quantity: 1
  price: {
    readonly id: string
    readonly object: 'price'
    readonly currency: string
    readonly unit_amount: number
    readonly recurring: { readonly interval: 'month'; readonly interval_count: 1 }
  }
  current_period_start: number
  current_period_end: number
}

/** A subscription as the API shows it. */
export interface FakeSubscription {
  readonly id: string
  readonly object: 'subscription'
  readonly customer: string
  readonly currency: string
  readonly created: number
  readonly livemode: false
  metadata: Readonly<Record<string, string>>
  readonly items: { readonly object: 'list'; readonly data: readonly [FakeSubscriptionItem]; readonly has_more: false }
  status: FakeSubscriptionStatus
  trial_start: number | null
  trial_end: number | null
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  ended_at: number | null
  cancellation_details: { comment: string | null }
  latest_invoice: string | null
}

/** An invoice as the API shows it. */
export interface FakeInvoice {
  readonly id: string
  readonly object: 'invoice'
  readonly customer: string
  readonly currency: string
  readonly created: number
  readonly billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  readonly number: string
  readonly total: number
  readonly hosted_invoice_url: string
  readonly invoice_pdf: string
  readonly amount_due: number
  readonly parent: {
    readonly type: 'subscription_details'
    readonly subscription_details: {
      readonly subscription: string
      readonly metadata: Readonly<Record<string, string>>
    }
  }
  amount_paid: number
  attempt_count: number
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
}

/** A payment of an invoice. */
export interface FakeInvoicePayment {
  readonly id: string
  readonly object: 'invoice_payment'
  readonly invoice: string
  readonly status: 'paid'
  readonly amount_paid: number
  readonly payment: { readonly type: 'payment_intent'; readonly payment_intent: string }
}

/** The parameters of a checkout page for a subscription. */
export interface SubscriptionRequest {
  /** The text for the buyer. */
  readonly name: string
  readonly currency: string
  readonly amount: number
  readonly trialDays: number
  readonly email: string | null
  readonly customer: string | null
  readonly metadata: Readonly<Record<string, string>>
}
