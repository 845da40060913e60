import type { Emit, EventOrigin } from '../../events/catalog.ts'
import type { Actor, NegotiationAction, NegotiationState } from './negotiation.ts'
import type { Negotiation } from './store.ts'

const PLAIN = {
  counter: 'commerce.offer_countered',
  accept: 'commerce.offer_accepted',
  reject: 'commerce.offer_rejected',
  expire: 'commerce.offer_expired',
  invoice: 'commerce.deal_invoiced',
  complete: 'commerce.deal_completed',
} as const

/** Notes the event of a move that was made on a negotiation, which came from another state. */
export function tell(
  emit: Emit,
  negotiation: Negotiation,
  move: {
    readonly action: NegotiationAction | 'offer'
    readonly by: Actor | 'service'
    readonly from?: NegotiationState | undefined
    readonly accountId?: string | undefined
  },
): void {
  const { id, state, version, sellerProfileId, buyerProfileId, dispute, receipt } = negotiation
  const { action, by, from, accountId } = move
  const facts = { negotiationId: id, state, version, by, sellerProfileId, buyerProfileId }
  const origin: EventOrigin = { profileId: sellerProfileId, accountId }
  if (from === 'disputed') {
    emit('commerce.dispute_resolved', { ...facts, outcome: dispute?.outcome ?? 'dismissed' }, origin)
  } else if (action === 'offer') {
    emit('commerce.offer_made', facts, origin)
  } else if (action === 'receipt') {
    emit('commerce.deal_paid', { ...facts, verified: receipt?.verified ?? false }, origin)
  } else if (action === 'dispute') {
    emit('commerce.dispute_opened', { ...facts, reasonCode: dispute?.reason_code ?? '' }, origin)
  } else {
    emit(PLAIN[action], facts, origin)
  }
}
