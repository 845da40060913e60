import type { BillingCheckout, BillingProcessor, SubscriptionOrder } from '../../ports/billing-processor.ts'
import type { BillingMessage } from '../cash/fake-billing.ts'

/** A processor on its bench: what it sells, and whoever buys, pays late and ends things there. */
export interface BillingProcessorSubject {
  readonly processor: BillingProcessor
  /** What the processor can sell, where it is not 8.00 usd. */
  readonly order?: Partial<Pick<SubscriptionOrder, 'currency' | 'priceCents' | 'trialDays'>> | undefined
  /** Plays the buyer on the page of a checkout: the messages that follow. Throws where nobody can buy any more. */
  buy(checkout: BillingCheckout): Promise<readonly BillingMessage[]> | readonly BillingMessage[]
  /** Lets the period of a subscription end, or its trial, with the next bill paid or not: the messages that follow. */
  endPeriod(
    subscriptionId: string,
    payment: 'paid' | 'failed',
  ): Promise<readonly BillingMessage[]> | readonly BillingMessage[]
  /** Ends a subscription at the processor, not through the port: the messages that follow. */
  end(subscriptionId: string): Promise<readonly BillingMessage[]> | readonly BillingMessage[]
  /** What was taken so far and not given back, in the smallest unit of the currency. */
  taken(): Promise<bigint> | bigint
  /** A message of the processor's that was signed too long ago. */
  oldMessage?(): BillingMessage
  /** Messages that the processor signs and that are about something else than a subscription. */
  foreign?(): readonly BillingMessage[]
  /** The same processor, where no secret for messages is configured. */
  readonly withoutSecret?: BillingProcessor | undefined
  /** Lets the answer of the next call get lost after it was carried out. */
  loseAnswer?(): void
  /** The ways in which the next call fails, by name, and the code that tells of it. */
  readonly faults?:
    | Readonly<Record<string, { readonly code: 'billing_failed' | 'billing_unavailable'; order(): void }>>
    | undefined
  close?(): Promise<void>
}
