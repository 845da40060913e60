import { z } from 'zod'
import { defineNotification, type Notice } from '../../../framework/module/define-notification.ts'
import { commerceEvents, MOVE_ACTIONS } from './events.ts'
import { negotiationMessages } from './messages.ts'

const by = z.enum(['buyer', 'seller', 'admin', 'service'])
const data = z.object({
  negotiationId: z.string(),
  version: z.int(),
  type: z.enum(commerceEvents.map(({ type }) => type)),
  by,
})

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
  text({ actor, data: { negotiationId, type, by }, ...reader }) {
    const say = negotiationMessages(reader)
    return {
      title: say(MOVE_ACTIONS[type], { who: actor?.username ?? say(by) }),
      link: `/eep/commerce/negotiations/${negotiationId}`,
      page: null,
    }
  },
})

export const commerceNotifications = [moves] as const
