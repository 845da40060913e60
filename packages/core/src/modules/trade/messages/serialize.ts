import type { z } from 'zod'
import type { ListedConversation, Message } from '../../../ports/storage/messages.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { conversationSchema, messageSchema } from './schemas.ts'

type MessageRecord = z.output<typeof messageSchema>
type ConversationRecord = z.output<typeof conversationSchema>

function stateOf({ kind, body, deletedAt }: Message): MessageRecord['state'] {
  if (deletedAt) return 'deleted'
  return kind === 'message' && body === null ? 'erased' : 'sent'
}

/** Serializes a message for the profile that reads it. */
export const serializeMessage = (message: Message, profileId: number): MessageRecord => {
  const isOwn = message.senderProfileId === profileId
  return {
    id: message.id,
    conversation_id: message.conversationId,
    seq: message.seq,
    kind: message.kind,
    sender_profile_id: message.senderProfileId,
    is_own: isOwn,
    client_id: isOwn && message.kind === 'message' ? message.clientId : null,
    state: stateOf(message),
    body: message.body,
    // The consumer of negotiation events stored this object in the form of the schema.
    negotiation: message.kind === 'negotiation' ? (message.data as MessageRecord['negotiation']) : null,
    created_at: message.createdAt.toISOString(),
    deleted_at: message.deletedAt?.toISOString() ?? null,
  }
}

/** Serializes a conversation for the profile that reads it, without the name of a profile whose account is being deleted. */
export function serializeConversation(
  { conversation, correspondent, unread, lastMessage }: ListedConversation,
  { didOf, urlOf }: Pick<ProfileService, 'didOf' | 'urlOf'>,
): ConversationRecord {
  const { id, profileId, own, createdAt, lastAt } = conversation
  const other = correspondent?.withdrawnAt === null ? correspondent : undefined
  return {
    id,
    profile_id: profileId,
    participant: other
      ? {
          id: other.id,
          did: didOf(other),
          profile_type: other.type,
          username: other.username,
          full_name: other.fullName,
          url: urlOf(other),
        }
      : null,
    is_blocked: own.blockedAt !== null,
    unread_count: unread,
    last_message: lastMessage ? serializeMessage(lastMessage, profileId) : null,
    created_at: createdAt.toISOString(),
    updated_at: lastAt.toISOString(),
  }
}
