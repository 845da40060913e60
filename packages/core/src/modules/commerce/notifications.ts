import { z } from 'zod'
import { defineNotification, type Notice } from '../../module/define-notification.ts'
import {
  commerceEvents,
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

/** What the party that moved did, by the type of the event. */
const MOVES = {
  [offerMade.type]: 'made an offer',
  [offerCountered.type]: 'made a counter-offer',
  [offerAccepted.type]: 'accepted an offer',
  [offerRejected.type]: 'rejected an offer',
  [offerExpired.type]: 'let an offer expire',
  [dealInvoiced.type]: 'sent an invoice',
  [dealPaid.type]: 'paid an invoice',
  [dealCompleted.type]: 'confirmed the delivery',
  [disputeOpened.type]: 'opened a dispute',
  [disputeResolved.type]: 'ended a dispute',
} as const

const by = z.enum(['buyer', 'seller', 'admin', 'service'])
const data = z.object({
  negotiationId: z.string(),
  version: z.int(),
  type: z.enum(Object.keys(MOVES) as (keyof typeof MOVES)[]),
  by,
})

const SOMEONE: Readonly<Record<z.output<typeof by>, string>> = {
  buyer: 'The buyer',
  seller: 'The seller',
  admin: 'An administrator',
  service: 'A party',
}

const moves = defineNotification({
  kind: 'negotiation',
  summary: 'Moves of the other party in your deals',
  email: 'immediately',
  events: commerceEvents,
  data,
  notify({ type, data: { negotiationId, version, by, sellerProfileId, buyerProfileId } }) {
    const notice = (profileId: number, actorProfileId: number | null): Notice<z.input<typeof data>> => ({
      to: { profileId, permission: 'payments.read' },
      actorProfileId,
      data: { negotiationId, version, type, by },
    })
    const toSeller = notice(sellerProfileId, by === 'buyer' ? buyerProfileId : null)
    const toBuyer = buyerProfileId === null ? [] : [notice(buyerProfileId, by === 'seller' ? sellerProfileId : null)]
    if (by === 'buyer') return toSeller
    return by === 'seller' ? toBuyer : [toSeller, ...toBuyer]
  },
  text: ({ actor, data: { negotiationId, type, by } }) => ({
    title: `${actor?.username ?? SOMEONE[by]} ${MOVES[type]}`,
    link: `/eep/commerce/negotiations/${negotiationId}`,
  }),
})

export const commerceNotifications = [moves] as const
