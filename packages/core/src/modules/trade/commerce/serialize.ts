import { allowedActions, mayMove } from '../../../model/negotiation.ts'
import type { NegotiationMove } from '../../../ports/storage/commerce.ts'
import type { NegotiationView } from './parties.ts'
import { stateDetailsOf } from './parties.ts'

/** Serializes a negotiation for one reader. */
export const serializeNegotiation = ({ negotiation: one, actor }: NegotiationView) => ({
  negotiation_id: one.id,
  state: one.state,
  version: one.version,
  role: actor,
  allowed_actions: allowedActions(one.state).filter((action) => mayMove(stateDetailsOf(one), action, actor)),
  seller_did: one.sellerDid,
  buyer_did: one.buyerDid,
  service: one.service,
  pricing_mode: one.pricingMode,
  pricing: one.pricing,
  terms: one.terms,
  offered_by: one.offeredBy,
  expires_at: one.expiresAt.toISOString(),
  invoice: one.invoice,
  receipt: one.receipt && { ...one.receipt },
  dispute: one.dispute && { ...one.dispute },
  metadata: one.metadata,
  created_at: one.createdAt.toISOString(),
  updated_at: one.updatedAt.toISOString(),
})

/** Serializes one move of the history, without the account that made it. */
export const serializeMove = ({ version, action, state, by, data, at }: NegotiationMove) => ({
  version,
  action,
  state,
  by,
  at: at.toISOString(),
  data,
})
