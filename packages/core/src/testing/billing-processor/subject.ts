import type { BillingCheckout, BillingProcessor, SubscriptionOrder } from '../../ports/billing-processor.ts'
import type { BillingMessage } from '../cash/fake-billing.ts'

/** A processor under test, with functions that act as buyer and as remote side. */
export interface BillingProcessorSubject {
  readonly processor: BillingProcessor
  /** A price that the processor can sell. Default: 8.00 usd. */
  readonly order?: Partial<Pick<SubscriptionOrder, 'currency' | 'priceCents' | 'trialDays'>> | undefined
  /** Acts as the buyer on a checkout page. Returns the resulting messages. Throws when the page is closed. */
  buy(checkout: BillingCheckout): Promise<readonly BillingMessage[]> | readonly BillingMessage[]
  /** Ends the period or trial of a subscription, with the next invoice paid or not. Returns the resulting messages. */
  endPeriod(
    subscriptionId: string,
    payment: 'paid' | 'failed',
  ): Promise<readonly BillingMessage[]> | readonly BillingMessage[]
  /** Cancels a subscription at the processor, not through the port. Returns the resulting messages. */
  end(subscriptionId: string): Promise<readonly BillingMessage[]> | readonly BillingMessage[]
  /** The amount that was taken and not refunded, in the smallest unit of the currency. */
  taken(): Promise<bigint> | bigint
  /** A genuine message that was signed too long ago. */
  oldMessage?(): BillingMessage
  /** Signed messages that are not about a subscription. */
  foreign?(): readonly BillingMessage[]
  /** The same processor without a configured webhook secret. */
  readonly withoutSecret?: BillingProcessor | undefined
  /** Makes the bank decline the next charge of a subscription. */
  declineNext?(subscriptionId: string): unknown
  /** Loses the response of the next call after it was carried out. */
  loseAnswer?(): void
  /** Failures of the next call by name, with the expected error code. */
  readonly faults?:
    | Readonly<Record<string, { readonly code: 'billing_failed' | 'billing_unavailable'; order(): void }>>
    | undefined
  close?(): Promise<void>
}
