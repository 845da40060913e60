import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Actor, DisputeOutcome, NegotiationAction, NegotiationState, Side } from '../../model/negotiation.ts'
import type { Pricing } from '../../model/pricing.ts'
import type { DisputeClaim, Invoice, ProofOfPayment, Terms } from '../../model/terms.ts'
import type { ErasedAccount } from './erasure.ts'

/** A participant: a profile, or an agent that proved its DID. */
export type Party = { readonly profileId: number } | { readonly did: string }

/** A dispute and, once it is over, what became of it. */
export interface Dispute extends DisputeClaim {
  readonly opened_by: Side
  readonly opened_at: string
  readonly outcome?: DisputeOutcome | undefined
  readonly resolved_by?: Actor | undefined
  readonly resolved_at?: string | undefined
}

/** How the buyer paid, as it says; `verified` when this service wrote the receipt. */
export interface DealReceipt extends ProofOfPayment {
  readonly verified: boolean
}

/** A deal between a buyer and a seller. What EEP has a form for is kept in that form. */
export interface Negotiation {
  /** `neg_…` */
  readonly id: string
  readonly sellerProfileId: number
  readonly sellerDid: string
  /** Null for an agent. */
  readonly buyerProfileId: number | null
  readonly buyerDid: string
  /** The id of a listed service, or whatever else is dealt for. */
  readonly service: string
  readonly pricingMode: 'fixed' | 'negotiable'
  readonly metadata: JsonObject
  readonly state: NegotiationState
  /** Counts the moves; the first offer is 1. */
  readonly version: number
  readonly offeredBy: Side
  readonly pricing: Pricing
  readonly terms: Terms
  /** When the current offer expires. */
  readonly expiresAt: Date
  readonly invoice: Invoice | null
  readonly receipt: DealReceipt | null
  readonly dispute: Dispute | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a move changes. */
export type NegotiationChanges = Partial<
  Pick<Negotiation, 'offeredBy' | 'pricing' | 'terms' | 'expiresAt' | 'invoice' | 'receipt' | 'dispute'>
> & { readonly state: NegotiationState; readonly updatedAt: Date }

/** One move in the history of a negotiation: who did what, and when. */
export interface NegotiationMove {
  readonly version: number
  readonly action: NegotiationAction | 'offer'
  /** The state it led to. */
  readonly state: NegotiationState
  readonly by: Actor | 'service'
  /** Whose session or key it was; null for an agent, for the service, and once the account is erased. */
  readonly accountId: string | null
  /** The body of the move. */
  readonly data: JsonObject
  readonly at: Date
}

/** Whose negotiations, and which of them at a moment: an offer that has run out is `expired`. */
export interface NegotiationQuery {
  readonly party: Party
  readonly side?: Side | undefined
  readonly state?: NegotiationState | undefined
  readonly now: Date
}

/** Negotiations, for reading. */
export interface NegotiationReader {
  get(id: string): Promise<Negotiation | undefined>
  /** The history of a negotiation, from its beginning. */
  listMoves(id: string): Promise<readonly NegotiationMove[]>
  /** The negotiations of a party by (created_at, id) descending. */
  list(query: NegotiationQuery, page: PageRequest): Promise<Page<Negotiation>>
  /** Negotiations whose offer has run out at a moment, at most `limit`, those first that ran out first. */
  listDue(now: Date, limit: number): Promise<readonly Negotiation[]>
  /** The oldest completed deal of a buyer for a service of a profile of which there is no review. */
  getReviewable(buyer: Party, sellerProfileId: number, service: string): Promise<string | undefined>
}

/** Negotiations. They are a part of the books of both sides and are never removed. */
export interface NegotiationStore extends NegotiationReader {
  /**
   * Writes a negotiation and the offer that opens it, which is version 1. False when a profile in it is gone, or goes with
   * its account in a transaction that commits first: a purge leaves no names.
   */
  insert(negotiation: Negotiation, offer: NegotiationMove): Promise<boolean>
  /**
   * Makes a move on a negotiation that is at `version`, which becomes the next one. `undefined` when it is not, also by
   * a transaction that commits first: of concurrent moves exactly one succeeds.
   */
  move(
    id: string,
    version: number,
    changes: NegotiationChanges,
    move: Omit<NegotiationMove, 'version' | 'state'>,
  ): Promise<Negotiation | undefined>
  /** Takes payments, by keys, for one negotiation. False, and none is taken, when one of them was taken before. */
  claimPayments(keys: readonly string[], negotiationId: string): Promise<boolean>
  /**
   * Removes the names of an account and of its profiles from negotiations, and all free text. Agreed numbers stay for the
   * other side.
   */
  eraseAccount(account: ErasedAccount): Promise<void>
}
