import { randomUUID } from 'node:crypto'
import { type DurableConsumer, defineConsumer } from '../../module/define-consumer.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
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
} from '../commerce/events.ts'
import { messageReceived } from './events.ts'

/** What entries name a move, by the type of its event. */
const ACTIONS = {
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

/** Moves that do not answer: a party that only ends an offer does not invite the other one to write. */
const CLOSING: ReadonlySet<string> = new Set([offerRejected.type, offerExpired.type])

/**
 * Adds each move of a negotiation of two profiles to their conversation, once and in order: the entry has the move as its
 * client id. A negotiation does not wait for it, and an agent that buys has no conversation. The entry is stored also
 * while one profile blocks the other one; then `message.received` is not emitted.
 */
export const createMoveConsumer = ({ write }: Pick<GuardedStorage<'messages'>, 'write'>): DurableConsumer =>
  defineConsumer({
    name: 'negotiation-moves',
    events: commerceEvents,
    from: 'start',
    async handle({ type, data, at, accountId }) {
      const { negotiationId, state, version, by, sellerProfileId, buyerProfileId } = data
      if (buyerProfileId === null) return
      const senderProfileId = by === 'buyer' ? buyerProfileId : by === 'seller' ? sellerProfileId : null
      const [id, conversationId] = [randomUUID(), randomUUID()]
      const pair = { profileId: sellerProfileId, otherProfileId: buyerProfileId }
      await write(async (tx, emit) => {
        const conversation = await tx.messages.open({ id: conversationId, ...pair, createdAt: at })
        // A profile that is gone has no conversations.
        if (!conversation) return
        const { message, isNew } = await tx.messages.append({
          ...{ id, conversationId: conversation.id, kind: 'negotiation', senderProfileId },
          ...{ clientId: `${negotiationId}:${version}`, body: null, createdAt: at },
          data: { negotiation_id: negotiationId, action: ACTIONS[type], state, version },
          allowsReplies: !CLOSING.has(type),
        })
        if (!isNew || conversation.own.blockedAt || conversation.other?.blockedAt) return
        const entry = { conversationId: conversation.id, messageId: id, seq: message.seq }
        for (const profileId of [sellerProfileId, buyerProfileId]) {
          if (profileId === senderProfileId) continue
          emit(
            messageReceived,
            { ...entry, kind: 'negotiation', senderProfileId },
            { profileId, accountId: accountId ?? undefined },
          )
        }
      })
    },
  })
