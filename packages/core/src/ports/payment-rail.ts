import { defineError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { PaymentProcessor } from './payment-processor.ts'
import type { Credential, Payer, Purchase } from './purchase.ts'

export type { Credential, Payer, Per, Purchase } from './purchase.ts'
export { SERVICE_PROFILE_ID } from './purchase.ts'

/** One way to pay, as a 402 names it. A rail gives one or both. */
export interface RailOffer {
  /** An entry of `accepts[]` in `PAYMENT-REQUIRED` (x402 v2): scheme, network, asset, amount, payTo, … */
  readonly accept?: JsonObject | undefined
  /** Further entries of `accepts[]`, the best first: other networks and tokens of the same rail. */
  readonly alternatives?: readonly JsonObject[] | undefined
  /**
   * The parameters of a `WWW-Authenticate: Payment` challenge, or a function that returns them: it is called for every 402
   * so that no two have the same id. Keep it fast: it is on the hot path.
   */
  readonly challenge?: ChallengeParameters | ((context: ChallengeContext) => ChallengeParameters) | undefined
}

type ChallengeParameters = Readonly<Record<string, string>>

/** The 402 that a challenge is made for. */
export interface ChallengeContext {
  /** Where the credential will come; not in `Authorization` when that carries who the caller is. */
  readonly field: 'Authorization' | 'Payment-Authorization'
}

/** The challenge of an offer for one 402; undefined when it has none. */
export const challengeIn = (
  { challenge }: RailOffer,
  context: ChallengeContext = { field: 'Authorization' },
): ChallengeParameters | undefined => (typeof challenge === 'function' ? challenge(context) : challenge)

/** The request headers a credential may travel in, each as sent or absent. */
export interface CredentialHeaders {
  readonly authorization?: string | undefined
  readonly paymentAuthorization?: string | undefined
  readonly paymentSignature?: string | undefined
  /** `Accept-Payment`: the methods of the scheme `Payment` that the client has. */
  readonly acceptPayment?: string | undefined
}

/** Money that has moved. */
export interface Settlement {
  /** Finds the payment at the rail: a transaction hash, a payment intent. */
  readonly reference: string
  readonly transaction?: string | undefined
  /** CAIP-2, or the rail's own name with a colon: `stripe:live`. */
  readonly network: string
  readonly amount: {
    /** An integer of the smallest unit, as text. */
    readonly atomic: string
    readonly decimal: string
    readonly asset: string
    readonly currency: string
  }
  /** The payer. The entitlement belongs to this wallet on this network. */
  readonly payer: Payer & { readonly wallet: string; readonly network: string }
  /**
   * The email address that the payer entered where they paid, verified or not. Core keeps only a keyed hash of it, by which
   * a mailed link finds the purchase again.
   */
  readonly payerEmail?: string | undefined
  readonly settledAt: Date
  /** Headers for the answer that carries the content, for example `Payment-Receipt`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The description of a rail in discovery documents. */
export interface RailInfo {
  /** Which headers carry it: `x402` for `PAYMENT-REQUIRED`, `mpp` for `WWW-Authenticate: Payment`. */
  readonly protocol: 'x402' | 'mpp'
  readonly accepts: readonly {
    /** CAIP-2, or the rail's own name with a colon. */
    readonly network: string
    readonly asset: string
    /** The currencies of a price that it pays. */
    readonly currencies: readonly string[]
  }[]
  readonly facilitatorUrl?: string | undefined
}

/** A transfer that a seller names as the refund of a settlement. */
export interface RefundTransfer {
  /** As the seller wrote it: a transaction hash. */
  readonly reference: string
  readonly settlement: {
    readonly reference: string
    readonly transaction: string | null
    /** CAIP-2, or the rail's own name with a colon. */
    readonly network: string
    readonly asset: string
    /** An integer of the smallest unit, as text. */
    readonly atomic: string
    /** The wallet that paid, and that a refund must pay. */
    readonly payerWallet: string
  }
}

/** What a rail found out about a transfer that a seller named as a refund. */
export type RefundProof =
  /** The payer got the money back. One `key` confirms one refund: it names the transfer, however it was written. */
  | { readonly is: 'proven'; readonly key: string; readonly refundedAt: Date }
  /** Not decided yet: the transfer is not visible, or the rail could not look. It is asked again later. */
  | { readonly is: 'pending'; readonly reason: string }
  /** The transfer is visible and is not this refund. */
  | { readonly is: 'refuted'; readonly reason: string }

/** How often the content of a payment for a single request may be sent, when no answer reaches its end. */
export const MAX_DELIVERIES = 3
/** How long after the end of its credential the content of a payment may be sent again. */
export const REDELIVERY_MS = 3_600_000

/** What `verify` found out and `settle` and `recover` want to know again. */
export type Checkpoint = Json

/**
 * A way to take money. A rail knows its protocol and never the tables: core keeps the credential from being spent
 * twice, calls `settle` outside of any transaction, and stores receipt and entitlement.
 *
 * Every method fails in one of three ways, and the difference is money: `paymentRefused` says that nothing was taken
 * and nothing will be, `paymentUnknown` that it may have been. `railUnavailable` is a refusal too, which reports that
 * the fault is ours. Anything else thrown by `settle` or `recover` counts as unknown, and thrown by the others as a fault.
 */
export interface PaymentRail<Proof extends Json = Json> {
  /** Its name in receipts and in `X-EEP-Agent-Capabilities`: `x402`. */
  readonly id: string
  /** Its description in discovery documents. Default: its id only. */
  readonly info?: RailInfo | undefined
  /** The ways to buy this; `undefined` when the rail cannot sell it, for example in this currency. */
  offer(purchase: Purchase): Promise<RailOffer | undefined>
  /** The credential in a request; `undefined` when there is none of this rail. Throws `paymentRefused` on a broken one. */
  read(headers: CredentialHeaders): Credential<Proof> | undefined
  /** Whether a credential was made for this purchase. Several purchases may match; the first is taken. */
  matches(credential: Credential<Proof>, purchase: Purchase): boolean
  /** Checks all that can be checked without taking money. What it returns is kept with the payment. */
  verify(credential: Credential<Proof>, purchase: Purchase): Promise<Checkpoint>
  /**
   * Whether `verify` found the credential in a public place, such as a chain. It pays like any other, but
   * says nothing about who presents it. Without this it never does.
   */
  isPublic?(checkpoint: Checkpoint): boolean
  /** Takes the money of a credential that core has claimed. Called once for each claim. */
  settle(credential: Credential<Proof>, purchase: Purchase, checkpoint: Checkpoint): Promise<Settlement>
  /**
   * Finds out what became of a credential whose outcome is unknown, and finishes it where that is safe: it must never
   * take the money twice. Called after a crash, a timeout or a lost answer, from any process, any number of times.
   */
  recover(credential: Credential<Proof>, purchase: Purchase, checkpoint: Checkpoint): Promise<Settlement>
  /**
   * Refunds a settlement completely. The same `key` refunds once, however often it
   * is called; an existing refund is not an error. Throws `railUnavailable` for problems of the service; any other error
   * leaves the outcome open: it is called again.
   */
  refund?(refund: { readonly reference: string; readonly key: string }): Promise<{ readonly reference: string }>
  /**
   * Proves a refund that the seller made outside of the service, for a rail without `refund`: a transfer of the same asset
   * and amount, from the receiver of the settlement to its payer, made after the settlement. Without this method
   * the seller's word stays a claim, which changes nothing until an administrator confirms it. What it throws counts as
   * `pending`.
   */
  verifyRefund?(transfer: RefundTransfer): Promise<RefundProof>
  /** The company that takes the money, if it has payment pages and sends webhooks. */
  readonly processor?: PaymentProcessor<Proof> | undefined
  /** Ready to sell. Called by the readiness check. */
  ping?(): Promise<void>
  /** Releases what the rail holds. */
  close?(): Promise<void>
}

/**
 * Gives a rail its types: the type of its proof flows from `read` into `settle`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/payment-rail.md
 * @example
 * export const lightningRail = (options: LightningRailOptions) =>
 *   definePaymentRail<LightningProof>({ id: 'lightning', offer, read, verify, settle, recover })
 */
export const definePaymentRail = <Proof extends Json>(rail: PaymentRail<Proof>): PaymentRail<Proof> => rail

const refused = defineError('payment_refused', 402, 'The payment was not accepted')
/** A message to a webhook that its processor did not sign. */
export const invalidMessage = defineError('invalid_message', 400, 'This message is not signed by the processor')
/** Nothing was taken, and the rail cannot be used until its configuration or service is fixed. */
export const railUnavailable = defineError(
  'rail_unavailable',
  503,
  'This way to pay is not set up properly; nothing was taken',
)
/** The response while the outcome of a payment is unknown. */
export const settlementPending = defineError(
  'settlement_pending',
  503,
  'The outcome of this payment is not known yet; repeat the same request with the same payment',
)

/**
 * Nothing was taken, and this credential will take nothing.
 *
 * @param reason - a word of the scheme that a client can compare: `insufficient_funds`
 */
export const paymentRefused = (reason: string, payer?: Payer) => refused({ details: { reason, ...payer } })

/** The money may have moved. Core keeps the claim and asks `recover`. */
export const paymentUnknown = (options: { readonly transaction?: string | undefined; readonly cause?: unknown } = {}) =>
  settlementPending({
    headers: { 'Retry-After': '5' },
    details: { reason: 'settlement_pending', transaction: options.transaction },
    cause: options.cause,
  })

/** The reason inside a `paymentRefused` or `paymentUnknown`. */
export function paymentReason(error: { readonly details: unknown }): string {
  const { details } = error
  return typeof details === 'object' && details !== null && 'reason' in details
    ? String(details.reason)
    : 'unexpected_error'
}
