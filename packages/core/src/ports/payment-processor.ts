import type { Json } from '../kernel/json.ts'
import type { Credential, Purchase } from './purchase.ts'

/** A hosted payment page of a processor. */
export interface HostedCheckout<Proof extends Json = Json> {
  readonly url: string
  /** After this time the page can no longer be paid. */
  readonly expiresAt: Date
  /** The credential of the payment on that page. Core stores it, and `recover` determines its outcome. */
  readonly credential: Credential<Proof>
}

/** Where a hosted page redirects to. */
export interface CheckoutReturn {
  /** `{CHECKOUT_ID}` in it is replaced by the id of the credential. */
  readonly successUrl: string
  readonly cancelUrl: string
}

/** The headers of a webhook request, by lower-case name. */
export type MessageHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A refund that the service did not initiate. */
export interface RefundNotice {
  /** The id of the credential that was paid with. */
  readonly credentialId: string
  /** The id of the refund at the processor. */
  readonly reference: string
  /** Whether the processor could not complete it, after it may have been reported as refunded. Default: false. */
  readonly failed?: boolean | undefined
}

/** A payment that its payer disputes at the bank. */
export interface DisputeNotice {
  /** The id of the credential that was paid with. */
  readonly credentialId: string
  /** The id of the dispute at the processor. */
  readonly reference: string
  /** `won`: the money stays with the seller. `lost`: the bank gave it back to the payer. */
  readonly state: 'opened' | 'won' | 'lost'
  /**
   * Whether a decided dispute is open again, because a party appealed: what the payment granted is suspended again, and the next decision
   * counts. Needs `at`. Default: false.
   */
  readonly isAppeal?: boolean | undefined
  /** When the processor reported the state, by which older reports are left out. Default: now. */
  readonly at?: Date | undefined
  /**
   * Whether nothing remains of the payment without the disputed amount: that amount, refunds and other lost disputes are at least what was received.
   * When a dispute about a part is lost, access continues and no refund is recorded. Default: true.
   */
  readonly isWhole?: boolean | undefined
}

/** The processor of a rail with hosted payment pages and webhooks. Core handles HTTP, the rail handles the protocol. */
export interface PaymentProcessor<Proof extends Json = Json> {
  /** Its name in the helper routes: `/eep/payment/stripe/checkout-human`. */
  readonly name: string
  /**
   * The origins of its pages: `https://checkout.example`. Forms of this service may redirect to them without a further step;
   * for pages elsewhere, buyers get a link. Default: none.
   */
  readonly pageOrigins?: readonly string[] | undefined
  /** Opens a page for one payment of a purchase. Nothing is charged until the buyer pays on it. */
  openCheckout(purchase: Purchase, back: CheckoutReturn): Promise<HostedCheckout<Proof>>
  /**
   * Expires a page. A page that was paid or has expired is unchanged: see `recover`. Throws when the processor does not
   * confirm it. Without this method, a buyer who requests a page twice gets two pages and may pay both.
   */
  expireCheckout?(credential: Credential<Proof>): Promise<void>
  /**
   * Verifies and parses a message. Returns the id of the credential whose payment may have an outcome now; undefined when
   * the message is about something else. Throws `invalidMessage` when the processor did not sign it, or signed it too long
   * ago.
   */
  readMessage(body: Uint8Array, headers: MessageHeaders): string | undefined
  /**
   * Verifies a message about a refund. Returns the refunded payment when all of it was refunded, or when such a refund
   * failed later; undefined for partial refunds and other messages. Throws `invalidMessage`, and `paymentUnknown` when the
   * processor does not confirm the refund.
   */
  readRefund?(body: Uint8Array, headers: MessageHeaders): Promise<RefundNotice | undefined>
  /**
   * Verifies a message about a dispute. Returns the disputed payment when the dispute was opened or decided; undefined for
   * inquiries without consequences and other messages. The seller and the administrators are notified; access is suspended
   * while a dispute is open, and ends when a dispute about the whole payment is lost. Messages may be repeated and come in any
   * order. Throws `invalidMessage`, and `paymentUnknown` when the processor does not answer. Default: disputes are ignored.
   */
  readDispute?(body: Uint8Array, headers: MessageHeaders): Promise<DisputeNotice | undefined>
}
