import { z } from 'zod'
import {
  clientId,
  messageId,
  messageText,
  recipient,
  recipientOf,
  serializeMessage,
} from '../../trade/messages/index.ts'
import { type ChatDeps, deliverMessages } from './deliver-messages.ts'
import type { FrameHandlers, SocketClient } from './frame-handlers.ts'
import { sourceDid } from './frames.ts'

/** The longest text of a frame `chat`/`send` on `/eep/pulse` (EEP). */
const MAX_CHAT_LENGTH = 4_096
/** The longest body of a message on `/ws/messages`, as on the route. */
const MAX_BODY_LENGTH = 5_000

const profileId = z.int().min(1).optional().describe('The acting profile. Default: the one of the connection')

/** The `data` of the frames of type `chat` that clients send. */
export const chatData = {
  pulse: {
    send: z.object({ entity_did: sourceDid, message: messageText(MAX_CHAT_LENGTH), client_id: clientId.optional() }),
    history: z.object({
      entity_did: sourceDid,
      limit: z.int().min(1).max(100).default(20),
      before: messageId.optional().describe('The id of a message'),
    }),
    read: z.object({ entity_did: sourceDid, message_id: messageId }),
  },
  messages: {
    send: z
      .object({
        conversation_id: messageId.optional(),
        to: recipient.optional(),
        body: messageText(MAX_BODY_LENGTH),
        client_id: clientId,
        profile_id: profileId,
      })
      .refine(
        (data) => (data.conversation_id === undefined) !== (data.to === undefined),
        'Either conversation_id or to is required',
      ),
    read: z.object({ conversation_id: messageId, up_to: messageId, profile_id: profileId }),
    typing: z.object({ conversation_id: messageId, profile_id: profileId }),
  },
} as const

const actingOf = ({ caller, activeProfileId }: SocketClient, profileId?: number | undefined) => ({
  caller,
  activeProfileId: profileId ?? activeProfileId,
})

/** Messages over `/eep/pulse`, as EEP defines them, and over `/ws/messages`. */
export function handleChatFrames(frames: FrameHandlers, { messages, signals, onError }: ChatDeps): void {
  const delivery = deliverMessages({ messages, signals, onError })
  frames.onOpen('pulse', delivery.onOpen)
  frames.onOpen('messages', delivery.onOpen)

  const chat = { socket: 'pulse', type: 'chat' } as const
  frames.handle({
    ...chat,
    action: 'send',
    data: chatData.pulse.send,
    scope: 'write:messages',
    async handle({ entity_did, message: body, client_id }, client) {
      const draft = { body, clientId: client_id, connectionId: client.id }
      const { message } = await messages.open({ did: entity_did }, draft, actingOf(client))
      return {
        type: 'chat',
        action: 'sent',
        data: {
          entity_did,
          message_id: message.id,
          conversation_id: message.conversationId,
          seq: message.seq,
          client_id: message.clientId,
          created_at: message.createdAt.toISOString(),
        },
      }
    },
  })
  frames.handle({
    ...chat,
    action: 'history',
    data: chatData.pulse.history,
    scope: 'read:messages',
    async handle({ entity_did, limit, before }, client) {
      const conversation = await messages.between(entity_did, actingOf(client))
      const { items, nextCursor } = await messages.before(conversation, before, limit)
      return {
        type: 'chat',
        action: 'history',
        data: {
          entity_did,
          conversation_id: conversation.id,
          messages: items.map((message) => serializeMessage(message, conversation.profileId)),
          has_more: nextCursor !== undefined,
        },
      }
    },
  })
  frames.handle({
    ...chat,
    action: 'read',
    data: chatData.pulse.read,
    scope: 'write:messages',
    async handle({ entity_did, message_id }, client) {
      const who = actingOf(client)
      const { id } = await messages.between(entity_did, who)
      const { unread } = await messages.markRead(id, message_id, who)
      return { type: 'chat', action: 'read_ack', data: { entity_did, message_id, unread_count: unread } }
    },
  })

  const direct = { socket: 'messages', type: 'chat' } as const
  frames.handle({
    ...direct,
    action: 'send',
    data: chatData.messages.send,
    async handle({ conversation_id, to, body, client_id, profile_id }, client) {
      const who = actingOf(client, profile_id)
      const draft = { body, clientId: client_id, connectionId: client.id }
      const message =
        to === undefined
          ? await messages.send(conversation_id ?? '', draft, who)
          : (await messages.open(recipientOf(to), draft, who)).message
      const record = serializeMessage(message, message.senderProfileId ?? 0)
      return { type: 'chat', action: 'sent', data: { client_id, message: record } }
    },
  })
  frames.handle({
    ...direct,
    action: 'read',
    data: chatData.messages.read,
    async handle({ conversation_id, up_to, profile_id }, client) {
      const { unread } = await messages.markRead(conversation_id, up_to, actingOf(client, profile_id))
      return { type: 'chat', action: 'read_ack', data: { conversation_id, message_id: up_to, unread_count: unread } }
    },
  })
  frames.handle({
    ...direct,
    action: 'typing',
    data: chatData.messages.typing,
    async handle({ conversation_id, profile_id }, client) {
      const conversation = await messages.typing(conversation_id, actingOf(client, profile_id))
      if (conversation) await delivery.showTyping(conversation)
      return undefined
    },
  })
}
