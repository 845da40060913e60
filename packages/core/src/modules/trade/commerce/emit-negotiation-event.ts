import type { Actor, NegotiationAction, NegotiationState } from '../../../model/negotiation.ts'
import type { Negotiation } from '../../../ports/storage/commerce.ts'
import type { Emit, EventOrigin } from '../../../runtime/events/define-event.ts'
import {
  dealCompleted,
  dealInvoiced,
  dealPaid,
  disputeOpened,
  disputeResolved,
  offerAccepted,
  offerCountered,
  offerExpired,
  offerMade,
  offerRejected,
} from './events.ts'

const PLAIN = {
  counter: offerCountered,
  accept: offerAccepted,
  reject: offerRejected,
  expire: offerExpired,
  invoice: dealInvoiced,
  complete: dealCompleted,
} as const

/** Emits the event of a move. */
export function emitNegotiationEvent(
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
  const data = { negotiationId: id, state, version, by, sellerProfileId, buyerProfileId }
  const origin: EventOrigin = { profileId: sellerProfileId, accountId }
  if (from === 'disputed') {
    emit(disputeResolved, { ...data, outcome: dispute?.outcome ?? 'dismissed' }, origin)
  } else if (action === 'offer') {
    emit(offerMade, data, origin)
  } else if (action === 'receipt') {
    emit(dealPaid, { ...data, verified: receipt?.verified ?? false }, origin)
  } else if (action === 'dispute') {
    emit(disputeOpened, { ...data, reasonCode: dispute?.reason_code ?? '' }, origin)
  } else {
    emit(PLAIN[action], data, origin)
  }
}
