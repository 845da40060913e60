import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Actor, DisputeOutcome, NegotiationAction, NegotiationState, Side } from '../../model/negotiation.ts'
import type { Pricing } from '../../model/pricing.ts'
import type { DisputeClaim, Invoice, ProofOfPayment, Terms } from '../../model/terms.ts'
import type { ErasedAccount } from './erasure.ts'
import type { ProfileName } from './profiles.ts'

/** A party: a profile, or an agent that proved its DID. */
export type Party = { readonly profileId: number } | { readonly did: string }

/** A dispute and, once it is resolved, its outcome. */
export interface Dispute extends DisputeClaim {
  readonly opened_by: Side
  readonly opened_at: string
  readonly outcome?: DisputeOutcome | undefined
  readonly resolved_by?: Actor | undefined
  readonly resolved_at?: string | undefined
}

/** The proof of payment that the buyer gave; `verified` when this service issued the receipt. */
export interface DealReceipt extends ProofOfPayment {
  readonly verified: boolean
}

/** A negotiation between a buyer and a seller. Parts that EEP defines are stored in EEP's format. */
export interface Negotiation {
  /** `neg_…` */
  readonly id: string
  readonly sellerProfileId: number
  readonly sellerDid: string
  /** Null for an agent. */
  readonly buyerProfileId: number | null
  readonly buyerDid: string
  /** The id of a listed service, or another name of the negotiated service. */
  readonly service: string
  readonly pricingMode: 'fixed' | 'negotiable'
  readonly metadata: JsonObject
  readonly state: NegotiationState
  /** The number of moves; the first offer is 1. */
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

/** The changes that a move makes. */
export type NegotiationChanges = Partial<
  Pick<Negotiation, 'offeredBy' | 'pricing' | 'terms' | 'expiresAt' | 'invoice' | 'receipt' | 'dispute'>
> & { readonly state: NegotiationState; readonly updatedAt: Date }

/** A move in the history of a negotiation. */
export interface NegotiationMove {
  readonly version: number
  readonly action: NegotiationAction | 'offer'
  /** The state after the move. */
  readonly state: NegotiationState
  readonly by: Actor | 'service'
  /** The account whose session or key made the move; null for agents, for the service, and once the account is erased. */
  readonly accountId: string | null
  /** The body of the move. */
  readonly data: JsonObject
  readonly at: Date
}

/** Selects negotiations of a party, by their state at a given time: an offer that has expired counts as `expired`. */
export interface NegotiationQuery {
  readonly party: Party
  readonly side?: Side | undefined
  readonly state?: NegotiationState | undefined
  readonly now: Date
}

/** What a deal is about, and between whom, as names. */
export interface DealNames {
  readonly id: string
  /** The current name of the listed service; null for a service in other words, and for one that was deleted. */
  readonly service: string | null
  /** Null for a profile that is private, withdrawn or deleted. */
  readonly seller: PartyName | null
  /** Also null for an agent. */
  readonly buyer: PartyName | null
}

/** The name of a profile in a deal. */
export interface PartyName extends ProfileName {
  readonly fullName: string | null
}

/** Negotiations, for reading. */
export interface NegotiationReader {
  /** Returns a negotiation in any state; undefined when it does not exist. */
  get(id: string): Promise<Negotiation | undefined>
  /** The history of a negotiation, oldest first. */
  listMoves(id: string): Promise<readonly NegotiationMove[]>
  /** The negotiations of a party by (created_at, id) descending. */
  list(query: NegotiationQuery, page: PageRequest): Promise<Page<Negotiation>>
  /** The names in the negotiations with these ids, in no order. Unknown ids are left out. */
  listNames(ids: readonly string[]): Promise<readonly DealNames[]>
  /** At most `limit` negotiations whose offer has expired at the given time, the earliest first. */
  listDue(now: Date, limit: number): Promise<readonly Negotiation[]>
  /** The oldest completed deal of a buyer for a service of a profile that has no review yet. */
  getReviewable(buyer: Party, sellerProfileId: number, service: string): Promise<string | undefined>
}

/** Negotiations. They are records of both parties and never deleted. */
export interface NegotiationStore extends NegotiationReader {
  /**
   * Inserts a negotiation with its first offer as version 1. False when one of its profiles does not exist, or is deleted
   * by a transaction that commits first, so that no names of an erased account remain.
   */
  insert(negotiation: Negotiation, offer: NegotiationMove): Promise<boolean>
  /**
   * Makes a move on a negotiation at `version`, and increments its version. `undefined` when it has another version, also
   * by a transaction that commits first: exactly one of concurrent moves succeeds.
   */
  move(
    id: string,
    version: number,
    changes: NegotiationChanges,
    move: Omit<NegotiationMove, 'version' | 'state'>,
  ): Promise<Negotiation | undefined>
  /** Claims payments, by keys, for one negotiation. False, and none is claimed, when one of them was claimed before. */
  claimPayments(keys: readonly string[], negotiationId: string): Promise<boolean>
  /**
   * Removes the names of an account and its profiles from negotiations, and all free text. Agreed figures are kept for the
   * other party.
   */
  eraseAccount(account: ErasedAccount): Promise<void>
}
