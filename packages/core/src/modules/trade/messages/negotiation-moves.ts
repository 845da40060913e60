import { randomUUID } from 'node:crypto'
import { type DurableConsumer, defineConsumer } from '../../../framework/module/define-consumer.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { commerceEvents, MOVE_ACTIONS, type MoveAction } from '../commerce/events.ts'
import { messageReceived } from './events.ts'

/** Moves that do not count as an answer: ending an offer does not allow the other party to write. */
const CLOSING: ReadonlySet<MoveAction> = new Set(['reject', 'expire'])

/**
 * Adds each move of a negotiation of two profiles to their conversation, once and in order. The client id of the entry
 * identifies the move. Negotiations do not wait for this, and agents that buy have no conversation. While one profile blocks
 * the other, entries are stored without emitting `message.received`.
 */
export const createMoveConsumer = ({ write }: Pick<GuardedStorage<'messages'>, 'write'>): DurableConsumer =>
  defineConsumer({
    name: 'negotiation-moves',
    events: commerceEvents,
    from: 'start',
    async handle({ type, data, at, accountId }) {
      const action = MOVE_ACTIONS[type]
      const { negotiationId, state, version, by, sellerProfileId, buyerProfileId } = data
      if (buyerProfileId === null) return
      const senderProfileId = by === 'buyer' ? buyerProfileId : by === 'seller' ? sellerProfileId : null
      const [id, conversationId] = [randomUUID(), randomUUID()]
      const pair = { profileId: sellerProfileId, otherProfileId: buyerProfileId }
      await write(async (tx, emit) => {
        const conversation = await tx.messages.open({ id: conversationId, ...pair, createdAt: at })
        // A deleted profile has no conversations.
        if (!conversation) return
        const { message, isNew } = await tx.messages.append({
          id,
          conversationId: conversation.id,
          kind: 'negotiation',
          senderProfileId,
          clientId: `${negotiationId}:${version}`,
          body: null,
          createdAt: at,
          data: { negotiation_id: negotiationId, action, state, version },
          allowsReplies: !CLOSING.has(action),
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
