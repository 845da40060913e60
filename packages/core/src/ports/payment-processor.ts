import type { Json } from '../kernel/json.ts'
import type { Credential, Purchase } from './purchase.ts'

/** A page of a processor on which a person pays. */
export interface HostedCheckout<Proof extends Json = Json> {
  readonly url: string
  /** After this time the page cannot be paid any longer. */
  readonly expiresAt: Date
  /** Stands for the payment on that page. Core keeps it; `recover` finds out what became of it. */
  readonly credential: Credential<Proof>
}

/** Where a hosted page leads to. */
export interface CheckoutReturn {
  /** `{CHECKOUT_ID}` in it is replaced by the id of the credential. */
  readonly successUrl: string
  readonly cancelUrl: string
}

/** The headers of a webhook request, by lower-case name. */
export type MessageHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Money that a processor gave back without being asked by this service. */
export interface RefundNotice {
  /** The id of the credential that was paid with. */
  readonly credentialId: string
  /** Finds the refund at the processor. */
  readonly reference: string
}

/** The far side of a rail that has pages for payers and sends messages. Core owns HTTP, the rail the protocol. */
export interface PaymentProcessor<Proof extends Json = Json> {
  /** Its name in the helper routes: `/eep/payment/stripe/checkout-human`. */
  readonly name: string
  /** Opens a page for one payment of a purchase. Nothing is taken until the page is paid. */
  openCheckout(purchase: Purchase, back: CheckoutReturn): Promise<HostedCheckout<Proof>>
  /**
   * Expires a page. A page that was paid or has expired is unchanged: see `recover`. Throws when
   * the processor did not confirm it. Without this method, a buyer who requests a page twice gets two, and may pay both.
   */
  expireCheckout?(credential: Credential<Proof>): Promise<void>
  /**
   * Reads a message: the id of the credential whose payment may have an outcome now, and undefined when it is about
   * something else. Throws `invalidMessage` when it was not signed by the processor, or too long ago.
   */
  readMessage(body: Uint8Array, headers: MessageHeaders): string | undefined
  /**
   * Asks about a message that money went back: which payment's, when all of it did, and undefined when it is about
   * something else or about a part. Throws `invalidMessage`, and `paymentUnknown` when the processor does not say.
   */
  readRefund?(body: Uint8Array, headers: MessageHeaders): Promise<RefundNotice | undefined>
}
