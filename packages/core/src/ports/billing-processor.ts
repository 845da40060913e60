import { defineError } from '../kernel/errors.ts'
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
  /** 0 when the account has no trial, or had one. */
  readonly trialDays: number
  /** What the buyer reads on the page: `Pro`. */
  readonly title: string
  readonly email: string
  /** Absent at the first purchase of the account in this currency. */
  readonly customerId?: string | undefined
  /** `{CHECKOUT_ID}` in it is replaced by the id of the page. */
  readonly successUrl: string
  readonly cancelUrl: string
  /** The same for each try of one attempt, so that a lost answer opens one page. */
  readonly attempt: string
}

/** A page of the processor on which a subscription is bought. */
export interface BillingCheckout {
  readonly id: string
  readonly url: string | null
  readonly state: 'open' | 'complete' | 'expired'
  /** Once it is complete. */
  readonly subscriptionId: string | null
  readonly expiresAt: Date
}

/** A subscription as the processor knows it now. */
export interface BilledSubscription {
  readonly id: string
  readonly customerId: string
  /** What the order said; null for one that was made by hand at the processor. */
  readonly accountId: string | null
  readonly tier: string | null
  readonly currency: string
  /** For a month, in the smallest unit of the currency. */
  readonly priceCents: number
  /** The word of the processor: `trialing`, `active`, `past_due`, `unpaid`, `paused`, `incomplete`, `canceled`, … */
  readonly status: string
  readonly trialEnd: Date | null
  readonly currentPeriodEnd: Date | null
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: Date | null
  readonly createdAt: Date
  /** A refund that failed permanently when the subscription ended: it needs manual action. */
  readonly notGivenBack?: string | undefined
}

/** A message of the processor that is about a subscription. */
export interface BillingEvent {
  /** Unique; a message that is sent again has the same. */
  readonly id: string
  readonly type: string
  readonly subscriptionId: string
  /** A bill that was paid or not, and how often that was tried. */
  readonly invoice?:
    | { readonly id: string; readonly paid: boolean; readonly amountCents: number; readonly attempt: number }
    | undefined
}

/**
 * Sells monthly subscriptions. Only `getSubscription` is authoritative; messages only report that
 * something changed, in any order and more than once.
 *
 * Whatever fails is `billingUnavailable` when the fault is ours (a wrong key, a permission), and `billingFailed` otherwise.
 */
export interface BillingProcessor {
  /** Its name in paths and error codes: `stripe`. */
  readonly id: string
  /** Opens a page on which the subscription of an order is bought. Nothing is taken until the page is paid. */
  openCheckout(order: SubscriptionOrder): Promise<BillingCheckout>
  /** undefined when there is none. */
  getCheckout(id: string): Promise<BillingCheckout | undefined>
  /**
   * Expires a page and returns its final state, because it may have been paid just before. Undefined when it does not exist.
   */
  expireCheckout(id: string): Promise<BillingCheckout | undefined>
  /**
   * Undefined when it does not exist. A subscription that was ended immediately is not reported as over before its refund: this
   * may be the last call.
   */
  getSubscription(id: string): Promise<BilledSubscription | undefined>
  /**
   * `at_period_end` keeps the paid period, and may immediately end an unpaid one. `at_once` ends it and gives
   * back the payment of the current period, once however often it is called. One that has ended is returned unchanged;
   * undefined when there is none.
   */
  cancelSubscription(id: string, when: 'at_period_end' | 'at_once'): Promise<BilledSubscription | undefined>
  /**
   * Reads a message; undefined when it is about something else.
   *
   * @throws `invalidMessage` when the processor did not sign it, signed it too long ago, or no secret is configured
   */
  readMessage(body: Uint8Array, headers: MessageHeaders): BillingEvent | undefined
  ping?(): Promise<void>
  close?(): Promise<void>
}

/** Creates the error of a billing processor whose response is unusable: 502 `billing_failed`. */
export const billingFailed = defineError('billing_failed', 502, 'The payment processor does not answer as it should')
/** Core answers 503 `<processor>_not_configured`. */
export const billingUnavailable = defineError('billing_unavailable', 503, 'Subscriptions are not set up properly')

/**
 * Gives a processor its type.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/billing.md
 * @example
 * export const ownBilling = () => defineBillingProcessor({ id: 'own', ...methods })
 */
export const defineBillingProcessor = (processor: BillingProcessor): BillingProcessor => processor
