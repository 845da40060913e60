import { defineError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { MoneyKind } from './money-kind.ts'
import type { PaymentProcessor } from './payment-processor.ts'
import type { Credential, Payer, Purchase } from './purchase.ts'

export type { BoundRequest, Credential, Payer, Per, Purchase, PurchaseListing } from './purchase.ts'
export { SERVICE_PROFILE_ID } from './purchase.ts'

/** One way to pay, as listed in a 402. A rail sets `accept`, `challenge` or both. */
export interface RailOffer {
  /** An entry of `accepts[]` in `PAYMENT-REQUIRED` (x402 v2): scheme, network, asset, amount, payTo, … */
  readonly accept?: JsonObject | undefined
  /** Further entries of `accepts[]`, in order of preference: other networks and tokens of the same rail. */
  readonly alternatives?: readonly JsonObject[] | undefined
  /**
   * Entries of `accepts[]` in the JSON body of a 402, which clients of x402 version 1 read: with the name of that version for the
   * network, and `maxAmountRequired`. At most one for each network, because a payment of version 1 names no token.
   */
  readonly v1?: readonly JsonObject[] | undefined
  /**
   * The parameters of a `WWW-Authenticate: Payment` challenge, or a function that returns them. The function is called for
   * every 402, so that each challenge has a unique id. Keep it fast.
   */
  readonly challenge?: ChallengeParameters | ((context: ChallengeContext) => ChallengeParameters) | undefined
}

type ChallengeParameters = Readonly<Record<string, string>>

/** The 402 that a challenge is made for. */
export interface ChallengeContext {
  /**
   * The header that the client must send the credential in: not `Authorization` when it already identifies the caller. With
   * `Payment-Authorization`, add the parameter `header="Payment-Authorization"` to the challenge.
   */
  readonly field: 'Authorization' | 'Payment-Authorization'
}

/** Returns the challenge of an offer for one 402; undefined when it has none. */
export const challengeIn = (
  { challenge }: RailOffer,
  context: ChallengeContext = { field: 'Authorization' },
): ChallengeParameters | undefined => (typeof challenge === 'function' ? challenge(context) : challenge)

/** The request headers that may contain a credential; undefined when absent. */
export interface CredentialHeaders {
  readonly authorization?: string | undefined
  readonly paymentAuthorization?: string | undefined
  readonly paymentSignature?: string | undefined
  /** `X-PAYMENT`: the header of x402 version 1. `PAYMENT-SIGNATURE` decides when both are present; see {@link x402PaymentIn}. */
  readonly xPayment?: string | undefined
  /** `Accept-Payment`: the methods of the scheme `Payment` that the client supports. */
  readonly acceptPayment?: string | undefined
  /** `crawler-max-price`: the highest price of the credential beside it. Core compares it; rails need not read it. */
  readonly crawlerMaxPrice?: string | undefined
  /** `crawler-exact-price`: the only price of the credential beside it. */
  readonly crawlerExactPrice?: string | undefined
}

/**
 * Returns the x402 payment of a request; undefined when it has none. `PAYMENT-SIGNATURE` decides, and `X-PAYMENT` is not read beside
 * it. Either header may carry either version of x402: the envelope names its own.
 */
export const x402PaymentIn = ({ paymentSignature, xPayment }: CredentialHeaders): string | undefined =>
  paymentSignature ?? xPayment

/** A settled payment. */
export interface Settlement {
  /** The id of the payment at the rail: a transaction hash, a payment intent. */
  readonly reference: string
  readonly transaction?: string | undefined
  /** CAIP-2, or a name with a colon that the rail defines: `stripe:live`. */
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
   * The email address that the payer entered when they paid, verified or not. Core stores a keyed hash, to recover the
   * purchase by an emailed link, and the address itself only for payers who share it with the seller.
   */
  readonly payerEmail?: string | undefined
  readonly settledAt: Date
  /** Headers of the response with the content, for example `Payment-Receipt`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The prices in one currency that a rail takes. Amounts are decimals in units of the currency. */
export interface PriceLimits {
  readonly minimum: string
  /** Default: none. */
  readonly maximum?: string | undefined
  /** The largest number of decimals. */
  readonly decimals: number
}

/** The description of a rail in discovery documents. */
export interface RailInfo {
  /** The protocol: `x402` for `PAYMENT-REQUIRED`, `mpp` for `WWW-Authenticate: Payment`. */
  readonly protocol: 'x402' | 'mpp'
  readonly accepts: readonly {
    /** CAIP-2, or the rail's own name with a colon. */
    readonly network: string
    readonly asset: string
    /** The x402 scheme of its entries in `accepts[]`. Default: `exact`. */
    readonly scheme?: string | undefined
    /** The currencies of prices that it accepts. */
    readonly currencies: readonly string[]
    /**
     * The limits of prices by currency. Owners cannot save a price that no rail takes. Default: a rail takes every price in its
     * currencies.
     */
    readonly limits?: Readonly<Record<string, PriceLimits>> | undefined
  }[]
  readonly facilitatorUrl?: string | undefined
  /**
   * The networks, CAIP-2, on which it takes payments of x402 version 1. Core reports a payment of that version that no rail has read
   * as `invalid_x402_version` when no rail takes any. Default: none.
   */
  readonly v1Networks?: readonly string[] | undefined
}

/** A settlement as it is recorded by the service. */
export interface RecordedSettlement {
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

/** A transfer that a seller reports as the refund of a settlement. */
export interface RefundTransfer {
  /** As the seller wrote it: a transaction hash. */
  readonly reference: string
  readonly settlement: RecordedSettlement
}

/** A payment to look up at the rail. */
export interface InspectedPayment<Proof extends Json = Json> {
  /** Its proof is null when the account that sold was erased. */
  readonly credential: Credential<Proof> | Credential<null>
  readonly purchase: Purchase
  /** Null when the account that sold was erased. */
  readonly checkpoint: Checkpoint
  /** Undefined unless the service recorded that the money was taken. */
  readonly settlement?: RecordedSettlement | undefined
}

/** What the remote side of a rail has recorded of a payment. */
export type RailRecord =
  | {
      /** The money was taken. */
      readonly is: 'taken'
      readonly reference: string
      readonly asset: string
      /** An integer of the smallest unit, as text. */
      readonly atomic: string
      /** How much of it was given back. Undefined when the rail cannot know. */
      readonly refundedAtomic?: string | undefined
    }
  /** No money was taken, and none will be. */
  | { readonly is: 'none'; readonly reason: string }
  /** It is under way, or can still be paid. */
  | { readonly is: 'open' }
  /** The rail cannot find out, for example because no chain is configured. */
  | { readonly is: 'unchecked'; readonly reason: string }

/** A payment that the remote side of a rail has recorded. */
export interface ListedPayment {
  readonly credentialId: string
  /** The seller that the payment names. Several services may share an account of a processor. */
  readonly sellerDid: string
  readonly reference: string
  readonly asset: string
  /** An integer of the smallest unit, as text. */
  readonly atomic: string
  readonly takenAt: Date
}

/** The result of verifying a transfer that a seller reported as a refund. */
export type RefundProof =
  /** The payer got the money back. `key` is the canonical id of the transfer; one transfer confirms one refund. */
  | { readonly is: 'proven'; readonly key: string; readonly refundedAt: Date }
  /** Not decided yet: the transfer is not visible, or the rail could not check. Core calls it again later. */
  | { readonly is: 'pending'; readonly reason: string }
  /** The transfer is visible and is not this refund. */
  | { readonly is: 'refuted'; readonly reason: string }

/** What the catalogue of a facilitator does with the resource of a payment. */
export interface CatalogueNotice {
  readonly status: 'success' | 'processing' | 'rejected'
  /** Why it was rejected, at most 200 characters. */
  readonly reason?: string | undefined
}

/** How often the content of a payment for a single request may be sent when no response is delivered completely. */
export const MAX_DELIVERIES = 3
/** How long the content of a payment may be sent again after its credential has expired, or after it was recorded later. */
export const REDELIVERY_MS = 3_600_000
/** How long a payment with an unknown outcome may prevent further payments of its open key. */
export const BLOCKING_MS = 86_400_000

/** What core knows beside a credential when it asks a rail to verify it. */
export interface VerifyContext<Proof extends Json = Json> {
  /**
   * Other payments of the same payer that are reserved and will be taken soon. A rail that knows the balance of a payer counts those of
   * the same asset against it.
   */
  readonly reserved: readonly { readonly credential: Credential<Proof>; readonly purchase: Purchase }[]
}

/** The result of `verify`, stored and passed to `settle` and `recover`. */
export type Checkpoint = Json

/**
 * A way to take money. A rail implements a payment protocol and does not access the storage: core makes sure that a
 * credential is spent once, calls `settle` outside transactions, and stores receipts and entitlements.
 *
 * Methods fail in one of three ways. `paymentRefused` means that nothing was taken and nothing will be. `railUnavailable`
 * means the same, because of a problem of the service. `paymentUnknown` means that the money may have been taken. Any other
 * error of `settle` or `recover` counts as unknown; any other error of the other methods counts as an internal error.
 */
export interface PaymentRail<Proof extends Json = Json> {
  /** The name in receipts and in `X-EEP-Agent-Capabilities`: `x402`. */
  readonly id: string
  /** The description in discovery documents. Default: the id only. */
  readonly info?: RailInfo | undefined
  /**
   * What its money is worth. A service has rails of one kind, and a database keeps the kind of its first ones. Default: that of the
   * networks in `info`, see `moneyKindOf`; a rail without `info` takes real money.
   */
  readonly moneyKind?: MoneyKind | undefined
  /** Returns the offer for a purchase; undefined when the rail cannot sell it, for example in this currency. */
  offer(purchase: Purchase): Promise<RailOffer | undefined>
  /**
   * Parses the credential of a request; undefined when it has none for this rail. Throws `paymentRefused` when it is
   * malformed.
   */
  read(headers: CredentialHeaders): Credential<Proof> | undefined
  /** Whether a credential is for this purchase. If several purchases match, core uses the first. */
  matches(credential: Credential<Proof>, purchase: Purchase): boolean
  /** Checks everything that can be checked without taking money. The result is stored with the payment. */
  verify(credential: Credential<Proof>, purchase: Purchase, context?: VerifyContext<Proof>): Promise<Checkpoint>
  /**
   * Until when a verified credential can be settled, for routes that charge after the handler answered. Undefined when it cannot wait:
   * core then settles it first. Default: no credential can wait.
   */
  settleBy?(credential: Credential<Proof>): Date | undefined
  /**
   * Whether `verify` found that the credential is public, for example on a chain. It can pay, but does not prove who
   * presents it. Default: no credential is public.
   */
  isPublic?(checkpoint: Checkpoint): boolean
  /**
   * The reasons of refusals by `settle` and `recover` that cost the service something although the payer paid nothing, such
   * as the fee of a transaction that failed. Core refuses further payments of a wallet after the first refusal of such a
   * reason, with that reason. Default: none.
   */
  readonly barringReasons?: readonly string[] | undefined
  /** Takes the money of a claimed credential. Called once per claim. */
  settle(credential: Credential<Proof>, purchase: Purchase, checkpoint: Checkpoint): Promise<Settlement>
  /**
   * Determines the outcome of a credential whose outcome is unknown, and completes the payment if that is safe. Must never
   * take the money twice. Called after a crash, a timeout or a lost response, from any process, any number of times.
   */
  recover(credential: Credential<Proof>, purchase: Purchase, checkpoint: Checkpoint): Promise<Settlement>
  /**
   * Refunds a settlement completely. Idempotent by `key`; an existing refund is not an error. Throws `railUnavailable` for
   * problems of the service. After any other error the outcome is unknown, and core calls it again.
   */
  refund?(refund: { readonly reference: string; readonly key: string }): Promise<{ readonly reference: string }>
  /**
   * Verifies a refund that the seller made outside the service, for rails without `refund`: a transfer of the same asset
   * and amount, from the receiver of the settlement to its payer, made after the settlement. Without this method the refund
   * remains a claim without effect until an administrator confirms it. An error counts as `pending`.
   */
  verifyRefund?(transfer: RefundTransfer): Promise<RefundProof>
  /**
   * Looks up what the remote side has recorded of a payment, to compare it with the books, and before recovering a payment to a
   * deleted profile. Never takes, refunds or cancels
   * anything. Without `settlement`, `none` is returned only if `recover` would refuse the payment too. Default: the payments of
   * this rail cannot be compared. An error counts as `unchecked`.
   */
  inspect?(payment: InspectedPayment<Proof>): Promise<RailRecord>
  /**
   * Lists the payments that this rail took since a time, in any order, as the remote side has recorded them. Default: payments
   * that the service has no record of are not found.
   */
  listTaken?(since: Date): AsyncIterable<ListedPayment>
  /**
   * Calls a listener whenever the facilitator of a payment states what its catalogue does with the resource. Called before the first
   * payment. Default: the rail knows no catalogue.
   */
  onCatalogueNotice?(listen: (notice: CatalogueNotice) => void): void
  /** The payment processor, if it has hosted pages and webhooks. */
  readonly processor?: PaymentProcessor<Proof> | undefined
  /** Throws when the rail cannot sell now. Part of the readiness check. */
  ping?(): Promise<void>
  /** Releases the resources of the rail. */
  close?(): Promise<void>
}

/**
 * Returns a rail with its types checked: the type of its proof flows from `read` into `settle`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/payment-rail.md
 * @example
 * export const lightningRail = (options: LightningRailOptions) =>
 *   definePaymentRail<LightningProof>({ id: 'lightning', offer, read, verify, settle, recover })
 */
export const definePaymentRail = <Proof extends Json>(rail: PaymentRail<Proof>): PaymentRail<Proof> => rail

const refused = defineError('payment_refused', 402, 'The payment was not accepted')
/** Creates the error for a webhook message that the processor did not sign. */
export const invalidMessage = defineError('invalid_message', 400, 'The payment processor did not sign this message')
/** Creates the error for a rail that cannot be used until its configuration or service is fixed. Nothing was taken. */
export const railUnavailable = defineError(
  'rail_unavailable',
  503,
  'This payment method is not configured correctly; nothing was charged',
)
/** The response while the outcome of a payment is unknown. */
export const settlementPending = defineError(
  'settlement_pending',
  503,
  'The outcome of this payment is not known yet; retry the same request with the same payment',
)

/**
 * Creates the error for a refused payment: nothing was taken, and nothing will be with this credential.
 *
 * @param reason - a machine-readable code of the scheme: `insufficient_funds`
 */
export const paymentRefused = (reason: string, payer?: Payer) => refused({ details: { reason, ...payer } })

/** The error of a rail that cannot refund a payment, because its payer disputes it at the bank. */
export const refundOfDisputed = defineError(
  'payment_disputed',
  409,
  'The payer disputes this payment at the bank, which decides whether the money goes back',
)

/** Creates the error for an unknown outcome: the money may have been taken. Core keeps the claim and calls `recover`. */
export const paymentUnknown = (
  options: {
    readonly transaction?: string | undefined
    readonly cause?: unknown
    /** `checkout_open`: the credential is a checkout page that was not paid yet. Default: `settlement_pending`. */
    readonly reason?: 'settlement_pending' | 'checkout_open' | undefined
  } = {},
) =>
  settlementPending({
    retryAfterMs: 5_000,
    details: { reason: options.reason ?? 'settlement_pending', transaction: options.transaction },
    cause: options.cause,
  })

/** Returns the reason of a `paymentRefused` or `paymentUnknown`. */
export function paymentReason(error: { readonly details: unknown }): string {
  const { details } = error
  return typeof details === 'object' && details !== null && 'reason' in details
    ? String(details.reason)
    : 'unexpected_error'
}
