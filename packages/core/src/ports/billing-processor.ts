import { defineError } from '../kernel/errors.ts'
import type { MoneyKind } from './money-kind.ts'
import type { MessageHeaders } from './payment-processor.ts'

/** An order for a subscription. */
export interface SubscriptionOrder {
  readonly accountId: string
  /** `pro`, `team`. */
  readonly tier: string
  /** ISO 4217, lower case: `usd`, `eur`. */
  readonly currency: string
  /** For a month, in the smallest unit of the currency. */
  readonly priceCents: number
  /** 0 when the account is not eligible for a trial. */
  readonly trialDays: number
  /** The title on the page: `Pro`. */
  readonly title: string
  readonly email: string
  /** Absent at the first purchase of the account in this currency. */
  readonly customerId?: string | undefined
  /** `{CHECKOUT_ID}` in it is replaced by the id of the page. */
  readonly successUrl: string
  readonly cancelUrl: string
  /** The idempotency key of the attempt. Repeated calls with the same key open one page. */
  readonly attempt: string
}

/** A checkout page of the processor for a subscription. */
export interface BillingCheckout {
  readonly id: string
  readonly url: string | null
  readonly state: 'open' | 'complete' | 'expired'
  /** Null until the checkout is complete. */
  readonly subscriptionId: string | null
  readonly expiresAt: Date
}

/** The current state of a subscription at the processor. */
export interface BilledSubscription {
  readonly id: string
  readonly customerId: string
  /** The account of the order; null for subscriptions that were created at the processor by hand. */
  readonly accountId: string | null
  /** The plan that is paid for now, also after a change. */
  readonly tier: string | null
  readonly currency: string
  /** The price of `tier` for a month, in the smallest unit of the currency. */
  readonly priceCents: number
  /** The plan of the next period and its price for a month, when it is another one. */
  readonly next?: { readonly tier: string; readonly priceCents: number } | undefined
  /** The status at the processor: `trialing`, `active`, `past_due`, `unpaid`, `paused`, `incomplete`, `canceled`, … */
  readonly status: string
  readonly trialEnd: Date | null
  readonly currentPeriodEnd: Date | null
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: Date | null
  readonly createdAt: Date
  /** The refund that failed permanently when the subscription ended, which needs manual action. */
  readonly notGivenBack?: string | undefined
}

/** Another plan for a running subscription. */
export interface PlanChange {
  readonly tier: string
  /** For a month, in the smallest unit of the currency of the subscription. */
  readonly priceCents: number
  /** The title on invoices: `Team`. */
  readonly title: string
  /** `now` charges the difference for the rest of the period immediately. `at_period_end` charges the price with the next period. */
  readonly when: 'now' | 'at_period_end'
}

/** An invoice of a customer. */
export interface BillingInvoice {
  readonly id: string
  /** The number that the processor printed on it. */
  readonly number: string | null
  readonly createdAt: Date
  /** In the smallest unit of the currency; negative for a credit. */
  readonly totalCents: number
  /** ISO 4217, lower case. */
  readonly currency: string
  readonly status: 'open' | 'paid' | 'uncollectible' | 'void'
  /** A page of the processor that shows the invoice. */
  readonly url: string | null
  /** The invoice as a PDF. */
  readonly pdfUrl: string | null
}

/** A page of invoices, the latest first. */
export interface BillingInvoices {
  readonly invoices: readonly BillingInvoice[]
  /** The `after` of the next page; null on the last one. */
  readonly next: string | null
}

/** A webhook message of the processor about a subscription. */
export interface BillingEvent {
  /** Unique. A repeated message has the same id. */
  readonly id: string
  readonly type: string
  readonly subscriptionId: string
  /** The invoice of the message, whether it was paid, and the number of attempts. */
  readonly invoice?:
    | { readonly id: string; readonly paid: boolean; readonly amountCents: number; readonly attempt: number }
    | undefined
}

/**
 * Sells monthly subscriptions. Only `getSubscription` is authoritative. Messages only report that something changed, in any
 * order and possibly more than once.
 *
 * Methods throw `billingUnavailable` for configuration errors (a wrong key, a missing permission), and `billingFailed` for
 * all others.
 */
export interface BillingProcessor {
  /** Its name in paths and error codes: `stripe`. */
  readonly id: string
  /**
   * What its money is worth, see `PaymentRail.moneyKind`.
   * @default 'real'
   */
  readonly moneyKind?: MoneyKind | undefined
  /** Opens a checkout page for an order. Nothing is charged until the buyer pays on it. */
  openCheckout(order: SubscriptionOrder): Promise<BillingCheckout>
  /** Undefined when it does not exist. */
  getCheckout(id: string): Promise<BillingCheckout | undefined>
  /**
   * Expires a page and returns its final state, because it may have been paid just before. Undefined when it does not exist.
   */
  expireCheckout(id: string): Promise<BillingCheckout | undefined>
  /**
   * Undefined when it does not exist. A subscription that was ended immediately must not be reported as ended before its
   * refund, because this may be the last call.
   */
  getSubscription(id: string): Promise<BilledSubscription | undefined>
  /**
   * `at_period_end` keeps the paid period, and may end an unpaid one immediately. `immediately` ends the subscription
   * and refunds the payment of the current period; repeated calls refund once. A subscription that has ended is
   * returned unchanged. Undefined when it does not exist.
   */
  cancelSubscription(id: string, when: 'at_period_end' | 'immediately'): Promise<BilledSubscription | undefined>
  /**
   * Changes the plan of an active subscription or trial. A repeated call charges nothing. The current plan in place of a later one
   * keeps the current plan, without a charge. A subscription that has ended is returned unchanged. Undefined when it does not exist.
   * Without this method, plans cannot be changed.
   *
   * @throws `billingDeclined` when the difference was not paid; nothing is changed then
   */
  change?(id: string, plan: PlanChange): Promise<BilledSubscription | undefined>
  /**
   * Continues a subscription that was cancelled at the end of its period. One that has ended or is not cancelled is returned
   * unchanged. Undefined when it does not exist. Without this method, cancelled plans cannot be continued.
   */
  resume?(id: string): Promise<BilledSubscription | undefined>
  /**
   * Opens a page of the processor on which a customer changes the means of payment. It leads back to `returnUrl`. Without this
   * method, there is no such page.
   */
  portal?(customerId: string, returnUrl: string): Promise<{ readonly url: string }>
  /** Lists the invoices of a customer, without drafts. Without this method, invoices are not listed. */
  listInvoices?(
    customerId: string,
    page: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<BillingInvoices>
  /**
   * Verifies and parses a message. Returns undefined when it is about something else.
   *
   * @throws `invalidMessage` when the processor did not sign it, signed it too long ago, or no secret is configured
   */
  readMessage(body: Uint8Array, headers: MessageHeaders): BillingEvent | undefined
  /** Throws when the processor cannot be used now. Part of `/health/ready`. */
  ping?(): Promise<void>
  /** Releases the resources of the processor. Called once, after background work has ended. */
  close?(): Promise<void>
}

/** Creates the error for an unusable response of a billing processor: 502 `billing_failed`. */
export const billingFailed = defineError('billing_failed', 502, 'The payment processor returned an error')
/** Creates the error for a charge that the bank or the buyer has to permit first: 409 `plan_payment_declined`. */
export const billingDeclined = defineError(
  'plan_payment_declined',
  409,
  'The payment was declined, so the plan stays as it is; choose another means of payment',
)
/** Core returns 503 `<processor>_not_configured`. */
export const billingUnavailable = defineError('billing_unavailable', 503, 'Subscriptions are not configured correctly')

/**
 * Returns a processor with its type checked.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/billing.md
 * @example
 * export const ownBilling = () => defineBillingProcessor({ id: 'own', ...methods })
 */
export const defineBillingProcessor = (processor: BillingProcessor): BillingProcessor => processor
