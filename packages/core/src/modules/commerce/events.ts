import type { Actor, DisputeOutcome, NegotiationState } from './negotiation.ts'

interface DealFacts {
  readonly negotiationId: string
  readonly state: NegotiationState
  /** Counts the moves of the negotiation. */
  readonly version: number
  /** Whose move it was; the service itself ends offers that have run out. */
  readonly by: Actor | 'service'
  readonly sellerProfileId: number
  /** Null for an agent. */
  readonly buyerProfileId: number | null
}

/** They are about the seller's profile and name the buyer's, for a host to tell both. No public document shows them. */
export interface CommerceEvents {
  'commerce.offer_made': DealFacts
  'commerce.offer_countered': DealFacts
  'commerce.offer_accepted': DealFacts
  'commerce.offer_rejected': DealFacts
  'commerce.offer_expired': DealFacts
  'commerce.deal_invoiced': DealFacts
  'commerce.deal_paid': DealFacts & { readonly verified: boolean }
  'commerce.deal_completed': DealFacts
  'commerce.dispute_opened': DealFacts & { readonly reasonCode: string }
  'commerce.dispute_resolved': DealFacts & { readonly outcome: DisputeOutcome }
}
