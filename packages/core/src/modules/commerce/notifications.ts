import { z } from 'zod'
import { defineNotification, type Notice } from '../../module/define-notification.ts'
import { commerceEvents, MOVE_ACTIONS, type MoveAction } from './events.ts'

/** The action of the party that moved, as text. */
const MOVES: Readonly<Record<MoveAction, string>> = {
  offer: 'made an offer',
  counter: 'made a counter-offer',
  accept: 'accepted an offer',
  reject: 'rejected an offer',
  expire: 'let an offer expire',
  invoice: 'sent an invoice',
  receipt: 'paid an invoice',
  complete: 'confirmed the delivery',
  dispute: 'opened a dispute',
  resolve: 'ended a dispute',
}

const by = z.enum(['buyer', 'seller', 'admin', 'service'])
const data = z.object({
  negotiationId: z.string(),
  version: z.int(),
  type: z.enum(commerceEvents.map(({ type }) => type)),
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
    title: `${actor?.username ?? SOMEONE[by]} ${MOVES[MOVE_ACTIONS[type]]}`,
    link: `/eep/commerce/negotiations/${negotiationId}`,
  }),
})

export const commerceNotifications = [moves] as const
