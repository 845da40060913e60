import { z } from 'zod'
import type { AuditOutcome, AuditType } from '../../../model/audit.ts'
import { OUTCOMES, STATES } from '../../../model/negotiation.ts'
import type { AuditActor, AuditOptions } from '../../../runtime/events/audit.ts'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const deal = z.object({
  negotiationId: z.string(),
  state: z.enum(STATES),
  /** Counts the moves of the negotiation. */
  version: z.int(),
  /** `service` when an offer expired. */
  by: z.enum(['buyer', 'seller', 'admin', 'service']),
  sellerProfileId: z.int(),
  /** Null for an agent. */
  buyerProfileId: z.int().nullable(),
})
/** The data of the signals about moves. */
export const moveSignal = z.object({
  negotiation_id: z.string(),
  state: z.enum(STATES),
  version: z.int().describe('Counts the moves of the negotiation'),
  by: z.enum(['buyer', 'seller', 'admin', 'service']),
  seller_profile_id: z.int(),
  buyer_profile_id: z.int().nullable().describe('Null for an agent'),
})

/** Sent to the teams of both parties. */
const signalled = <const Type extends string>(type: Type) => ({
  types: { [type]: moveSignal },
  of: ({ negotiationId, state, version, by, sellerProfileId, buyerProfileId }: z.output<typeof deal>) => ({
    type,
    data: {
      negotiation_id: negotiationId,
      state,
      version,
      by,
      seller_profile_id: sellerProfileId,
      buyer_profile_id: buyerProfileId,
    },
    subject: `/eep/commerce/negotiations/${negotiationId}`,
    parties: buyerProfileId === null ? [] : [buyerProfileId],
  }),
})

const actorOf = ({ by, negotiationId, sellerProfileId }: z.output<typeof deal>): AuditActor => {
  if (by === 'buyer') return { kind: 'buyer', negotiationId }
  return by === 'seller' ? { kind: 'profile', id: sellerProfileId } : { kind: 'service' }
}

const audited = (type: AuditType, outcome?: AuditOutcome, failureReason?: string): AuditOptions<typeof deal> => ({
  type,
  outcome,
  of: (data) => ({
    actor: actorOf(data),
    commerceId: data.negotiationId,
    failureReason,
    metadata: { state: data.state, version: data.version, by: data.by },
  }),
})

/** About the profile of the seller; both parties may receive them. No public page shows a negotiation. */
const ofDeal = { audience: 'team', subject: 'profile' } as const

export const offerMade = defineEvent('commerce.offer_made', {
  ...ofDeal,
  data: deal,
  signal: signalled('commerce.offer'),
  audit: audited('commerce.offer'),
  summary: 'A buyer made an offer',
})
export const offerCountered = defineEvent('commerce.offer_countered', {
  ...ofDeal,
  data: deal,
  signal: signalled('commerce.counter'),
  audit: audited('commerce.counter'),
  summary: 'A party made a counter-offer',
})
export const offerAccepted = defineEvent('commerce.offer_accepted', {
  ...ofDeal,
  data: deal,
  signal: signalled('commerce.accepted'),
  audit: audited('commerce.accepted'),
  summary: 'A party accepted an offer',
})
export const offerRejected = defineEvent('commerce.offer_rejected', {
  ...ofDeal,
  data: deal,
  signal: signalled('commerce.rejected'),
  audit: audited('commerce.cancelled', 'failure', 'rejected'),
  summary: 'A party rejected an offer',
})
export const offerExpired = defineEvent('commerce.offer_expired', {
  ...ofDeal,
  data: deal,
  audit: audited('commerce.cancelled', 'failure', 'expired'),
  summary: 'An offer expired',
})
export const dealInvoiced = defineEvent('commerce.deal_invoiced', {
  ...ofDeal,
  data: deal,
  signal: signalled('commerce.invoiced'),
  audit: audited('commerce.invoice'),
  summary: 'The seller sent an invoice',
})
export const dealPaid = defineEvent('commerce.deal_paid', {
  ...ofDeal,
  data: deal.extend({ verified: z.boolean() }),
  signal: signalled('commerce.paid'),
  audit: audited('commerce.paid'),
  summary: 'The buyer paid an invoice',
})
export const dealCompleted = defineEvent('commerce.deal_completed', {
  ...ofDeal,
  data: deal,
  signal: signalled('commerce.completed'),
  summary: 'The buyer confirmed the delivery',
})
export const disputeOpened = defineEvent('commerce.dispute_opened', {
  ...ofDeal,
  data: deal.extend({ reasonCode: z.string() }),
  signal: signalled('commerce.disputed'),
  summary: 'A party opened a dispute',
})
export const disputeResolved = defineEvent('commerce.dispute_resolved', {
  ...ofDeal,
  data: deal.extend({ outcome: z.enum(OUTCOMES) }),
  summary: 'A dispute ended',
})

export const commerceEvents = [
  offerMade,
  offerCountered,
  offerAccepted,
  offerRejected,
  offerExpired,
  dealInvoiced,
  dealPaid,
  dealCompleted,
  disputeOpened,
  disputeResolved,
] as const

/** The action of a move, by the type of its event. */
export const MOVE_ACTIONS = {
  [offerMade.type]: 'offer',
  [offerCountered.type]: 'counter',
  [offerAccepted.type]: 'accept',
  [offerRejected.type]: 'reject',
  [offerExpired.type]: 'expire',
  [dealInvoiced.type]: 'invoice',
  [dealPaid.type]: 'receipt',
  [dealCompleted.type]: 'complete',
  [disputeOpened.type]: 'dispute',
  [disputeResolved.type]: 'resolve',
} as const

/** The action of a move of a negotiation. */
export type MoveAction = (typeof MOVE_ACTIONS)[keyof typeof MOVE_ACTIONS]
