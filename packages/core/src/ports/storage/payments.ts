import type { Json } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Payer, Per, Purchase, Settlement } from '../payment-rail.ts'
import type { Customer } from './customers.ts'
import type { ErasedAccount } from './erasure.ts'

/**
 * `reserved`: claimed, the handler of a paid request runs, no money has moved. `settling`: claimed, a process is taking the money.
 * `unknown`: the outcome is not known. `settled`: the money was taken, receipt and entitlement are written. `refused`: nothing was
 * taken; the same credential may be tried again.
 */
export type PaymentState = 'reserved' | 'settling' | 'unknown' | 'settled' | 'refused'

/**
 * What the times of an offer are: those of the challenge that the credential answers, the making of a checkout page, or the
 * arrival of the request that presented the credential.
 */
export type TimelineBasis = 'challenge' | 'checkout' | 'request'

/** The payment of one credential. */
export interface Payment {
  /** UUID. */
  readonly id: string
  readonly rail: string
  /** Unique within the rail. */
  readonly credentialId: string
  readonly fingerprint: string
  readonly expiresAt: Date | null
  readonly payer: Payer
  readonly purchase: Purchase
  readonly proof: Json
  readonly checkpoint: Json
  readonly state: PaymentState
  /** Why it was refused, or what is known about an unknown outcome. */
  readonly reason: string | null
  readonly receiptId: string | null
  readonly settlement: Settlement | null
  /** The account that was signed in when it paid. */
  readonly payerAccountId: string | null
  /** An agent that proved its DID when it paid. */
  readonly payerDid: string | null
  /** The operator whose signature was on the request that paid (Web Bot Auth): an origin, or the URL of its keys. */
  readonly payerBot: string | null
  /** Keyed hash of the email address that the payer entered at the rail; null where none was entered. See `buyerOf`. */
  readonly buyer: string | null
  /**
   * The account that owned the profile when this was claimed, which remains the seller after a transfer; `ERASED_DID` once
   * that account is erased. Null for sales of the service itself.
   */
  readonly sellerAccountId: string | null
  readonly gateHitAt: Date
  readonly challengeIssuedAt: Date
  /** What these two times are. */
  readonly timelineBasis: TimelineBasis
  readonly createdAt: Date
  /** When the content was delivered. */
  readonly deliveredAt: Date | null
}

/** A credential to claim. */
export interface NewPayment
  extends Pick<
    Payment,
    | 'id'
    | 'rail'
    | 'credentialId'
    | 'fingerprint'
    | 'expiresAt'
    | 'payer'
    | 'purchase'
    | 'proof'
    | 'checkpoint'
    | 'payerAccountId'
    | 'payerDid'
    | 'payerBot'
    | 'gateHitAt'
    | 'challengeIssuedAt'
    | 'timelineBasis'
    | 'createdAt'
  > {
  /**
   * Payer and resource as one string, or null when the payer is not known before settlement. Only one payment of a key may
   * be open (`reserved`, `settling` or `unknown`) at a time. A payment that is marked as unknown `BLOCKING_MS` after it was created loses
   * its key, so that a payment whose outcome is never found does not lock out its payer.
   */
  readonly openKey: string | null
}

/** The result of claiming a credential. */
export type Claim =
  /** The caller may settle the credential until its lease expires. */
  | { readonly outcome: 'claimed'; readonly payment: Payment }
  /** The credential was claimed before. */
  | { readonly outcome: 'exists'; readonly payment: Payment }
  /** Another payment of the same open key is under way. */
  | { readonly outcome: 'open'; readonly payment: Payment }

/**
 * The outcome of a delivery of a payment for a single request. `unsent`: no content was sent, so the attempt does not
 * count.
 */
export type DeliveryOutcome = 'delivered' | 'broken' | 'unsent'

/**
 * The result of reserving a delivery. `busy`: another request holds it, or the payment is not settled. `over`: it must not
 * be delivered again, because it was delivered or refunded, or too many deliveries broke.
 */
export type HoldOutcome = 'reserved' | 'busy' | 'over'

/**
 * Identifies a payment:
 *
 * - its id, or its credential;
 * - `{ openKey, is: 'open' }`: the payment of an open key that is `reserved`, `settling` or `unknown`;
 * - `{ openKey, is: 'undelivered' }`: a settled payment of an open key for a single request whose content may still be
 *   delivered, those that no request holds first;
 * - a {@link RefusalKey}: a payment of a wallet that was refused for one of some reasons.
 */
export type PaymentKey =
  | string
  | { readonly rail: string; readonly credentialId: string }
  | { readonly openKey: string; readonly is: 'open' | 'undelivered' }
  | RefusalKey

/** Identifies the refused payments of a wallet by their reason. */
export interface RefusalKey {
  readonly rail: string
  readonly wallet: string
  readonly network: string
  readonly refusedFor: readonly string[]
}

/** Payments, for reading. */
export interface PaymentReader {
  /** The payment of a key; the oldest if there are several. */
  get(key: PaymentKey): Promise<Payment | undefined>
  /**
   * Payments that are `reserved`, `settling` or `unknown` without a running lease, those first that were claimed or taken over longest
   * ago, so that payments that never end do not starve the others.
   */
  listAbandoned(limit: number): Promise<readonly Payment[]>
}

/** Payments. Each change has one winner, however many calls are concurrent. */
export interface PaymentStore extends PaymentReader {
  /**
   * Claims a credential for one payment, with a lease of `leaseMs` by the clock of the database. Exactly one of concurrent
   * calls gets `claimed`. A `refused` credential with the same fingerprint may be claimed again. The current owner of the
   * profile is stored with the payment.
   */
  claim(payment: NewPayment, leaseMs: number): Promise<Claim>
  /**
   * Takes over a payment that is `settling` or `unknown` without a running lease: one caller wins, the others get
   * `undefined`. No money of a `reserved` payment has moved, so taking it over refuses it, as `interrupted`.
   */
  takeOver(id: string, leaseMs: number): Promise<Payment | undefined>
  /**
   * Records that the money was taken. Overrides a refusal, because the process that recorded the refusal may have known
   * less. `undefined` when the payment is settled already; then no second receipt may be written.
   */
  settle(
    id: string,
    result: {
      readonly receiptId: string
      readonly settlement: Settlement
      readonly buyer?: string | undefined
      /** The address of a payer who shared it with the seller. It belongs to the sale, and is erased with the account of either. */
      readonly toldEmail?: string | undefined
    },
  ): Promise<Payment | undefined>
  /**
   * Records that nothing was taken (`refused`) or that the outcome is not known (`unknown`), and ends the lease. An unknown
   * payment that was created more than `BLOCKING_MS` ago loses its open key.
   * `undefined` when the payment is no longer `reserved`, `settling` or `unknown`.
   */
  mark(id: string, state: 'refused' | 'unknown', reason: string): Promise<Payment | undefined>
  /**
   * Reserves the delivery of a settled payment for `holdMs`, and counts the attempt. `over` once it was delivered or
   * refunded, after `MAX_DELIVERIES` broken deliveries, or, after the first attempt, when both the expiry of the credential and
   * the receipt are more than `REDELIVERY_MS` ago. Exactly one of concurrent calls gets it; the others get `busy`.
   */
  holdDelivery(id: string, holdMs: number): Promise<HoldOutcome>
  /** Ends a reservation. Unless it was delivered, the next request can reserve it. `unsent` attempts are not counted. */
  endDelivery(id: string, outcome: DeliveryOutcome): Promise<void>
}

/** The receipt of a settled payment. */
export interface Receipt {
  /** `rcpt_…`: the same for the same credential, on every instance and after a crash. */
  readonly receiptId: string
  readonly seller: { readonly profileId: number; readonly did: string; readonly accountId: string | null }
  readonly resource: string
  readonly resourcePattern: string
  readonly tier: string
  readonly per: Per
  readonly amount: Settlement['amount']
  readonly commissionBps: number
  readonly rail: string
  readonly settlement: { readonly reference: string; readonly transaction: string | null; readonly network: string }
  readonly payerDid: string | null
  readonly payerAccountId: string | null
  readonly payerWalletAddress: string
  readonly payerNetwork: string
  readonly timeline: {
    readonly gateHitAt: Date
    readonly challengeIssuedAt: Date
    /** What these two times are. */
    readonly basis: TimelineBasis
    readonly paidAt: Date
    readonly settledAt: Date
  }
  readonly issuedAt: Date
  /** Compact JWS (EdDSA) over the serialized receipt without this member. */
  readonly signature: string
}

/** A refund to a payer. */
export interface Refund {
  readonly receiptId: string
  /** The id of the refund at the rail, or the hash of the transfer that the seller made. */
  readonly reference: string
  readonly reason: string | null
  readonly refundedAt: Date
  /** The account that recorded the refund; null when the processor reported it. */
  readonly refundedBy: string | null
}

/** A refund to record. */
export interface NewRefund extends Refund {
  /** The canonical id of the transfer that a rail verified. One transfer confirms one refund, across all receipts. */
  readonly proofKey?: string | undefined
}

/** A seller's unverified claim of a refund. It changes neither access nor sums. */
export interface RefundClaim {
  readonly receiptId: string
  /** The transfer that the seller reported. */
  readonly reference: string
  readonly reason: string | null
  readonly claimedAt: Date
  readonly claimedBy: string | null
}

/** A receipt with its refund or refund claim. */
export interface ReceiptWithRefund extends Receipt {
  readonly refund: Refund | null
  /** Also null once the refund is recorded. */
  readonly refundClaim: RefundClaim | null
}

/** A sale as its seller sees it. */
export interface SaleRecord extends ReceiptWithRefund {
  /** The description that the buyer was shown; null when the payment is no longer stored. */
  readonly title: string | null
  /** The email address that the buyer shared with this seller for this sale; else null. */
  readonly toldEmail: string | null
  readonly customer: Customer
  /** Whether it paid for a request that was never answered as sold, and is or was to be compensated. */
  readonly undelivered: boolean
}

/** Selects the sales of profiles issued at or after `from` and before `to`. */
export interface SalesQuery {
  readonly profileIds: readonly number[]
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** The sum of sales in one asset on one rail. Amounts are integers of the smallest unit, as text. */
export interface SalesSum {
  readonly rail: string
  readonly network: string
  readonly asset: string
  readonly currency: string
  readonly sales: number
  readonly gross: string
  readonly refunds: number
  readonly refunded: string
  /** The commission of the service on sales that were not refunded, rounded down per sale. */
  readonly commission: string
}

/** The sum of the sales in a period, in one asset on one rail. */
export interface PeriodSum extends SalesSum {
  /** The position of the period in the list that was passed, from 0. */
  readonly period: number
}

/**
 * Selects receipts: those that an account paid, those that a proven agent paid, all of a network (without an index, for play money), or
 * those `naming` an account. The latter
 * are those it paid, those of its sales, and those of profiles it owns now unless their seller is `ERASED_DID`. Erasing an
 * account replaces them: without account ids, without the agent where it paid, and with `ERASED_DID` where it sold. `naming` returns any
 * of them, up to the limit and without their number, and locks them until the transaction ends.
 */
export type ReceiptQuery =
  | { readonly accountId: string }
  | { readonly did: string }
  | { readonly network: string }
  | { readonly naming: string }

/** Receipts, for reading. */
export interface ReceiptReader {
  /** Returns a receipt; undefined when it does not exist. */
  get(receiptId: string): Promise<Receipt | undefined>
  /** Receipts by (issued_at descending, receipt_id). */
  list(which: ReceiptQuery, page: PageRequest): Promise<Page<ReceiptWithRefund>>
}

/** Receipts. They are written once and never changed. */
export interface ReceiptStore extends ReceiptReader {
  /** Inserts a receipt. `undefined` when it already exists. */
  insert(receipt: Receipt): Promise<Receipt | undefined>
  /**
   * Replaces a receipt by a newly signed version; `undefined` when it does not exist. A receipt that loses the account of its payer
   * belongs to an erased customer from then on.
   */
  replace(receipt: Receipt): Promise<Receipt | undefined>
}

/** Sales of profiles, for reading. */
export interface SalesReader {
  /** The sales of profiles, by (issued_at descending, receipt_id). */
  list(query: SalesQuery, page: PageRequest): Promise<Page<SaleRecord>>
  /** The sums of sales, by rail, network and asset. */
  sum(query: SalesQuery): Promise<readonly SalesSum[]>
  /**
   * The sums of sales by period, rail, network and asset. Each period begins at one of `starts`, which ascend, and ends before the next
   * one. Sales before the first are left out, and periods without sales.
   */
  sumByPeriod(query: SalesQuery, starts: readonly Date[]): Promise<readonly PeriodSum[]>
  /** At most `limit` payments of all profiles and in every state that were claimed at or after a time, by id, after `after`. */
  listPayments(query: {
    readonly since?: Date | undefined
    readonly after?: string | undefined
    readonly limit: number
  }): Promise<readonly Payment[]>
}

/** Refunds, for reading. */
export interface RefundReader {
  /** Returns the recorded refund of a receipt; undefined when there is none. */
  get(receiptId: string): Promise<Refund | undefined>
  /** The unverified refund claim of a seller; undefined once the refund is recorded. */
  getClaim(receiptId: string): Promise<RefundClaim | undefined>
  /** The receipts with an unverified refund claim, or with a recorded refund, of all sellers: the latest claim or refund first. */
  list(state: 'claimed' | 'refunded', page: PageRequest): Promise<Page<ReceiptWithRefund>>
}

/** Refunds and refund claims. */
export interface RefundStore extends RefundReader {
  /**
   * Records the refund of a receipt, and ends its refund claim. `undefined` when it was recorded before, when the receipt
   * does not exist, or when `proofKey` confirmed another refund. Exactly one of concurrent calls with the same key wins.
   */
  record(refund: NewRefund): Promise<Refund | undefined>
  /**
   * Stores the claim of a seller, replacing an earlier one. `undefined` when the refund is recorded already or the receipt
   * does not exist.
   */
  claim(claim: RefundClaim): Promise<RefundClaim | undefined>
  /**
   * Takes claims that are due for a check, the longest waiting first, and marks them as checked: of concurrent callers one
   * gets each. A claim is due when it is made, a minute later, and then less often the older it is.
   */
  takeClaims(limit: number): Promise<readonly RefundClaim[]>
  /**
   * Deletes the refund that a lost dispute recorded: one without an account, with this reference and reason. Returns it; undefined when
   * there is none.
   */
  takeBack(refund: Pick<Refund, 'receiptId' | 'reference'> & { readonly reason: string }): Promise<Refund | undefined>
  /** Deletes a refuted claim. False when it does not exist or names another transfer by now. */
  dropClaim(receiptId: string, reference: string): Promise<boolean>
  /** Removes the account that recorded or claimed a refund, and its reason. The refund is kept. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
