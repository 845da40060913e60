import type { ErasedAccount } from './erasure.ts'
import type { Claim, HoldOutcome, NewPayment, Payment } from './payments.ts'

/** How long the payment of a request that was not answered as sold can be used again: 30 days. */
export const CREDIT_MS = 30 * 86_400_000
/** How often a handler may fail for one payment before it is compensated, and how often it may reject one before it is used up. */
export const MAX_UNSOLD = 3
/** How long a payment that was taken for compensation is left to the process that took it. */
export const COMPENSATION_MS = 300_000

/** The compensation of a payment for which nothing was delivered: a refund by the rail, or further use by its payer. */
export type Compensation = 'refund' | 'keep'

/** How an attempt to answer a paid request ended, if it was neither delivered nor without effect. */
export type UnsoldOutcome = 'rejected' | 'failed' | 'broken'

/**
 * The outcome of an attempt to answer a paid request. `rejected`: the handler refused the request. `failed`: it threw, took too long
 * or answered with its own error. `broken`: the client did not get the whole answer. `unsent`: nothing was tried.
 */
export type RequestOutcome = UnsoldOutcome | 'delivered' | 'unsent'

/** A payment for one request of a route that takes payments for any method. */
export interface PaidRequest {
  readonly paymentId: string
  /** The request that was paid: its method, and digests of its target and content, as one text. */
  readonly bound: string
  /** A digest of the payer; null for payers that are not known before settlement. */
  readonly payer: string | null
  /** Digests of payer and resource, by which money that is owed is found. */
  readonly creditKeys: readonly string[]
  /** A digest of the header that carried the credential. */
  readonly headerDigest: string
  /** When the money is taken: before the handler runs, or after it answered. */
  readonly charge: 'before' | 'after'
  readonly compensation: Compensation
  /** Whether the credential can pay for another content after the handler rejected the first one. */
  readonly isCorrectable: boolean
  /** How long after the claim, or after its latest attempt, an undelivered payment is compensated. */
  readonly compensateAfterMs: number
  /** The amount that was measured, as an integer of the smallest unit; null for the whole price. */
  readonly atomic: string | null
  readonly lastOutcome: UnsoldOutcome | null
  readonly failures: number
  readonly rejections: number
  /** Why it cannot be used any more: it was rejected too often, or its money goes back. */
  readonly ended: 'used' | 'compensated' | null
}

/** The stored facts of a paid request when its payment is claimed. */
export type NewPaidRequest = Omit<
  PaidRequest,
  'paymentId' | 'atomic' | 'lastOutcome' | 'failures' | 'rejections' | 'ended'
>

/** How a payment for a request is claimed. */
export interface RequestClaim {
  /** `reserved`: no money moves before the handler has answered. */
  readonly state: 'settling' | 'reserved'
  /** The largest number of reserved payments of a payer, this one included. */
  readonly maxOpen: number
}

/** The result of claiming the payment of a request. */
export type ClaimedRequest =
  | Exclude<Claim, { readonly outcome: 'claimed' }>
  | (Extract<Claim, { readonly outcome: 'claimed' }> & {
      /** The other payments of the payer that were reserved when this one was. */
      readonly reserved: readonly Payment[]
    })
  /** The payer has `maxOpen` reserved payments. */
  | { readonly outcome: 'too_many' }

/** A payment that is owed, and how. */
export interface OwedPayment {
  readonly payment: Payment
  readonly compensation: Compensation
  /** False when another process took it before and did not finish. */
  readonly isFirst: boolean
}

/** The reasons to record a payer for a day: a payment that failed after its handler ran, an answer that was not sold, or too many. */
export type StrikeKind = 'failed_after' | 'unsold' | 'too_many_unsold'

/** A record about a payer. */
export interface Strike {
  /** A digest of the payer. */
  readonly payer: string
  readonly kind: StrikeKind
}

/** Payments for single requests, for reading. */
export interface PaidRequestReader {
  /** The request of a payment; undefined for payments of another kind. */
  get(paymentId: string): Promise<PaidRequest | undefined>
  /** The sealed answer of a payment; undefined when none is kept. */
  readAnswer(paymentId: string): Promise<string | undefined>
  /** The reserved payments of a payer. */
  listReserved(payer: string): Promise<readonly Payment[]>
  /**
   * At most ten settled payments with one of some credit keys that were not delivered and that no request holds, the oldest first: their
   * latest attempt failed, was rejected, or never ended. Claimed in the last {@link CREDIT_MS}.
   */
  listCredits(creditKeys: readonly string[]): Promise<readonly Payment[]>
  /** Whether {@link PaidRequestStore.takeUndelivered} may take something now. It may be wrong about payments that change meanwhile. */
  hasDue(): Promise<boolean>
  /** Counts the strikes of a payer, of some kinds, after a time. */
  countStrikes(payer: string, kinds: readonly StrikeKind[], since: Date): Promise<number>
}

/** Payments for single requests. Each change has one winner, however many calls are concurrent. */
export interface PaidRequestStore extends PaidRequestReader {
  /**
   * Claims a credential for one request, as `PaymentStore.claim` does. In the state `reserved` a payer has at most `maxOpen` payments,
   * however many calls are concurrent. A repeated claim of a refused credential replaces its request.
   */
  claim(payment: NewPayment, request: NewPaidRequest, leaseMs: number, how: RequestClaim): Promise<ClaimedRequest>
  /**
   * Moves a payment from `reserved` to `settling`, with a new lease, and fixes its amount for good. `undefined` when it is not reserved
   * any more, so that nothing may be taken.
   */
  measure(id: string, atomic: string | null, leaseMs: number): Promise<Payment | undefined>
  /** Refuses a reserved payment. `undefined` when it is not reserved any more. */
  release(id: string, reason: string): Promise<Payment | undefined>
  /** Binds a settled, undelivered payment to another request, if the handler rejected its last one. False otherwise. */
  bindRequest(id: string, bound: string): Promise<boolean>
  /** Keeps a sealed answer, in place of an earlier one, until it is delivered or for {@link CREDIT_MS}. Null drops it. */
  keepAnswer(id: string, sealed: string | null): Promise<void>
  /**
   * Reserves the delivery of a settled payment for `holdMs`. `over` once it was delivered, refunded or has ended, or after
   * `MAX_DELIVERIES` broken deliveries. A payment whose latest attempt failed or was rejected can be held for {@link CREDIT_MS}; any
   * other as long as `PaymentStore.holdDelivery` allows. With `bound` it is held for another request, and bound to it.
   */
  holdDelivery(id: string, holdMs: number, bound?: string): Promise<HoldOutcome>
  /** Ends a held delivery. `delivered` drops the kept answer. */
  endDelivery(id: string, outcome: RequestOutcome): Promise<void>
  /** Extends the lease of a reserved payment, or the hold of a delivery. False when there is none to extend. */
  extendLease(id: string, ms: number): Promise<boolean>
  /**
   * Takes undelivered payments that are to be compensated, the longest due first; of concurrent callers one gets each. Those with
   * `refund` cannot be delivered any more, and are taken again after {@link COMPENSATION_MS} until their refund is recorded. Payments
   * whose delivery is held are left out.
   */
  takeUndelivered(limit: number): Promise<readonly OwedPayment[]>
  /** Records a strike of a payer for a day. */
  addStrike(strike: Strike): Promise<void>
  /** Deletes the kept answers that the account bought or that its profiles sold. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
