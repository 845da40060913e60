import type { Json } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Payer, Per, Purchase, Settlement } from '../payment-rail.ts'
import type { ErasedAccount } from './erasure.ts'

/**
 * `settling`: claimed, a process is taking the money. `unknown`: the outcome was not seen. `settled`: the money moved,
 * receipt and entitlement are written. `refused`: nothing moved; the same credential may try again.
 */
export type PaymentState = 'settling' | 'unknown' | 'settled' | 'refused'

/** One credential and what became of it. */
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
  /** Why it was refused, or what is known of an unknown outcome. */
  readonly reason: string | null
  readonly receiptId: string | null
  readonly settlement: Settlement | null
  /** The account that was signed in when it paid. */
  readonly payerAccountId: string | null
  /** An agent that proved its DID when it paid. */
  readonly payerDid: string | null
  /** Keyed hash of the email address that the payer entered at the rail; null where none was entered. See `buyerOf`. */
  readonly buyer: string | null
  /**
   * The account that owned the profile when this was claimed, which is the seller even after a transfer; `ERASED_DID`
   * when that account is gone. Null for sales of the service itself, and where it was not noted.
   */
  readonly sellerAccountId: string | null
  readonly gateHitAt: Date | null
  readonly challengeIssuedAt: Date | null
  readonly createdAt: Date
  /** When the content it paid for was handed over. */
  readonly deliveredAt: Date | null
}

/** A credential that is to be claimed. */
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
    | 'gateHitAt'
    | 'challengeIssuedAt'
    | 'createdAt'
  > {
  /**
   * Payer and resource in one text, or null when the payer is not known before settling. Only one payment of a key may
   * be open (`settling` or `unknown`) at a time.
   */
  readonly openKey: string | null
}

/** What came of an attempt to claim a credential. */
export type Claim =
  /** The credential is this caller's to settle, until its lease runs out. */
  | { readonly outcome: 'claimed'; readonly payment: Payment }
  /** The credential was claimed before. */
  | { readonly outcome: 'exists'; readonly payment: Payment }
  /** Another payment of the same open key is under way. */
  | { readonly outcome: 'open'; readonly payment: Payment }

/**
 * How the one delivery of a payment for a single request went. `unsent`: nothing of the content left the service, so the
 * attempt does not count.
 */
export type DeliveryOutcome = 'delivered' | 'broken' | 'unsent'

/**
 * What came of an attempt to reserve a delivery. `busy`: another request holds it, or the payment is not settled. `over`: it
 * is not delivered again, because it was, its money went back, or too many deliveries broke.
 */
export type HoldOutcome = 'reserved' | 'busy' | 'over'

/**
 * What finds a payment:
 *
 * - its id, or its credential;
 * - `{ openKey, is: 'open' }`: the payment of an open key that is under way, `settling` or `unknown`;
 * - `{ openKey, is: 'undelivered' }`: a settled payment of an open key for a single request whose content may still be
 *   delivered and that no request holds.
 */
export type PaymentKey =
  | string
  | { readonly rail: string; readonly credentialId: string }
  | { readonly openKey: string; readonly is: 'open' | 'undelivered' }

/** Payments, for reading. */
export interface PaymentReader {
  /** The payment that a key finds: the oldest where there are several. */
  get(key: PaymentKey): Promise<Payment | undefined>
  /**
   * Payments that are `settling` or `unknown` and that no process has a lease on: those first that were claimed or taken over
   * longest ago, so that some that never end do not keep the others from being asked about.
   */
  listAbandoned(limit: number): Promise<readonly Payment[]>
}

/** A lasting purchase of a payer, by its receipt. */
export interface LastingPurchase {
  readonly receiptId: string
  readonly issuedAt: Date
  readonly purchase: Purchase
}

/** Payments. Each change has one winner, however many calls are concurrent. */
export interface PaymentStore extends PaymentReader {
  /**
   * Takes a credential for one payment, with a lease of `leaseMs` by the clock of the database. Of concurrent calls exactly
   * one gets `claimed`. A `refused` credential with the same fingerprint may be claimed again and starts again.
   * The owner of the profile at that moment is stored with it.
   */
  claim(payment: NewPayment, leaseMs: number): Promise<Claim>
  /**
   * Takes over a payment that is `settling` or `unknown` and on which no lease is running: one caller wins, the others
   * get `undefined`.
   */
  takeOver(id: string, leaseMs: number): Promise<Payment | undefined>
  /**
   * Records that the money moved. It wins over a refusal: who refused it did not see what the other saw. `undefined` when
   * the payment is settled already, and no second receipt may be written.
   */
  settle(
    id: string,
    result: { readonly receiptId: string; readonly settlement: Settlement; readonly buyer?: string | undefined },
  ): Promise<Payment | undefined>
  /**
   * Records that nothing moved (`refused`) or that the outcome was not seen (`unknown`), and ends the lease. `undefined` when
   * the payment is no longer `settling` or `unknown`.
   */
  mark(id: string, state: 'refused' | 'unknown', reason: string): Promise<Payment | undefined>
  /**
   * Reserves the one delivery of a settled payment for `holdMs`, and counts it. `over` once it was delivered, its money went
   * back, or deliveries broke: at most `MAX_DELIVERIES` times, and after the first not later than `REDELIVERY_MS` after the
   * credential's end. Of concurrent calls one gets it; the others get `busy` until then.
   */
  holdDelivery(id: string, holdMs: number): Promise<HoldOutcome>
  /** Ends a hold. Unless it was delivered, the next request may have it; `unsent` attempts are not counted. */
  endDelivery(id: string, outcome: DeliveryOutcome): Promise<void>
}

/** What a payer can show of a settled payment. */
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
    readonly gateHitAt: Date | null
    readonly challengeIssuedAt: Date | null
    readonly paidAt: Date
    readonly settledAt: Date
  }
  readonly issuedAt: Date
  /** Compact JWS (EdDSA) over the receipt as it appears on the wire without this member. */
  readonly signature: string
}

/** Money that went back to a payer. */
export interface Refund {
  readonly receiptId: string
  /** Finds the refund at the rail: a refund id, or the hash of the transfer that the seller made. */
  readonly reference: string
  readonly reason: string | null
  readonly refundedAt: Date
  /** The account that gave the money back; null when the processor reported it. */
  readonly refundedBy: string | null
}

/** A refund to record. */
export interface NewRefund extends Refund {
  /** Names the transfer that a rail proved. One transfer confirms one refund, whatever its receipt. */
  readonly proofKey?: string | undefined
}

/** A seller's word that money went back, which nothing has proved yet. It changes neither access nor the books. */
export interface RefundClaim {
  readonly receiptId: string
  /** The transfer that the seller names. */
  readonly reference: string
  readonly reason: string | null
  readonly claimedAt: Date
  readonly claimedBy: string | null
}

/** A receipt with what became of it. */
export interface ReceiptWithRefund extends Receipt {
  readonly refund: Refund | null
  /** Null too once the refund is recorded. */
  readonly refundClaim: RefundClaim | null
}

/** Which sales of a profile: those issued from `from` on and before `to`. */
export interface SalesQuery {
  readonly profileId: number
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** What a profile sold in one asset on one rail. Amounts are integers of the smallest unit, as text. */
export interface SalesSum {
  readonly rail: string
  readonly network: string
  readonly asset: string
  readonly currency: string
  readonly sales: number
  readonly gross: string
  readonly refunds: number
  readonly refunded: string
  /** What the service keeps of what was not given back, rounded down for each sale. */
  readonly commission: string
}

/**
 * Whose receipts: those an account paid, those a proven agent paid, or those `naming` an account. These are what it paid, what
 * it was paid, and those for a profile it has now whose seller is not `ERASED_DID`. Erasing an account replaces them, without
 * account ids, without the agent where it paid and with `ERASED_DID` where it sold.
 */
export type ReceiptQuery = { readonly accountId: string } | { readonly did: string } | { readonly naming: string }

/** Receipts, for reading. */
export interface ReceiptReader {
  get(receiptId: string): Promise<Receipt | undefined>
  /** Receipts by (issued_at descending, receipt_id). */
  list(which: ReceiptQuery, page: PageRequest): Promise<Page<ReceiptWithRefund>>
}

/** Receipts. They are written once and never changed. */
export interface ReceiptStore extends ReceiptReader {
  /** Writes a receipt. `undefined` when it was written before. */
  insert(receipt: Receipt): Promise<Receipt | undefined>
  /** Replaces a receipt by its newly signed version; `undefined` when there is none. */
  replace(receipt: Receipt): Promise<Receipt | undefined>
}

/** What profiles were paid, for reading. */
export interface SalesReader {
  /** What a profile was paid, by (issued_at descending, receipt_id). */
  list(query: SalesQuery, page: PageRequest): Promise<Page<ReceiptWithRefund>>
  /** What a profile was paid in all, by rail, network and asset. */
  sum(query: SalesQuery): Promise<readonly SalesSum[]>
}

/** Refunds, for reading. */
export interface RefundReader {
  get(receiptId: string): Promise<Refund | undefined>
  /** What a seller claims and nothing has proved; undefined once the refund is recorded. */
  getClaim(receiptId: string): Promise<RefundClaim | undefined>
}

/** Refunds, and what sellers claim about them. */
export interface RefundStore extends RefundReader {
  /**
   * Records the refund of a receipt, and ends its refund claim. `undefined` when it did before, when there is no
   * such receipt, or when `proofKey` confirmed another refund: of concurrent calls with one key exactly one wins.
   */
  record(refund: NewRefund): Promise<Refund | undefined>
  /**
   * Notes what a seller claims, in place of an earlier claim. `undefined` when the refund is recorded already or there is
   * no such receipt.
   */
  claim(claim: RefundClaim): Promise<RefundClaim | undefined>
  /**
   * Claims that are due to be checked again, the longest waiting first, marked as checked: of many callers one gets each. A
   * claim is due when it is made, a minute later, and then less often the older it is.
   */
  takeClaims(limit: number): Promise<readonly RefundClaim[]>
  /** Drops a claim that was refuted. False when it is gone or names another transfer by now. */
  dropClaim(receiptId: string, reference: string): Promise<boolean>
  /** Removes the account that recorded a refund, or claimed one, and its reason. The refund stays. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
