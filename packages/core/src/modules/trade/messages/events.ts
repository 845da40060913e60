import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const entry = z.object({ conversationId: z.string(), messageId: z.string(), seq: z.int() })
const wire = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  seq: z.int().describe('The sequence number of the message in its conversation'),
})

interface Entry {
  readonly conversationId: string
  readonly messageId: string
  readonly seq: number
}

const wireOf = ({ conversationId, messageId, seq }: Entry) => ({
  conversation_id: conversationId,
  message_id: messageId,
  seq,
})

/** About the profile whose team receives the event. Events never contain message texts. */
const ofTeam = { audience: 'team', subject: 'profile' } as const

/** Sent to the members of the team that may read messages. */
const sentTo = ({ conversationId }: Entry) => ({
  subject: `/messages/conversations/${conversationId}`,
  permission: 'messages.read' as const,
})

const KINDS = ['message', 'negotiation'] as const

export const messageReceived = defineEvent('messages.message_received', {
  ...ofTeam,
  data: entry.extend({ kind: z.enum(KINDS), senderProfileId: z.int().nullable() }),
  signal: {
    types: {
      'message.received': wire.extend({
        kind: z.enum(KINDS),
        sender_profile_id: z.int().nullable().describe('Null for entries of the service'),
      }),
    },
    of: ({ kind, senderProfileId, ...message }) => ({
      type: 'message.received',
      data: { ...wireOf(message), kind, sender_profile_id: senderProfileId },
      ...sentTo(message),
    }),
  },
  summary: 'A profile received a message',
})

export const messageSent = defineEvent('messages.message_sent', {
  ...ofTeam,
  data: entry.extend({ recipientProfileId: z.int(), connectionId: z.string().nullable() }),
  signal: {
    types: {
      'message.sent': wire.extend({
        recipient_profile_id: z.int(),
        connection_id: z.string().nullable().describe('The socket connection that sent it; null for a request'),
      }),
    },
    of: ({ recipientProfileId, connectionId, ...message }) => ({
      type: 'message.sent',
      data: { ...wireOf(message), recipient_profile_id: recipientProfileId, connection_id: connectionId },
      ...sentTo(message),
    }),
  },
  summary: 'A profile sent a message',
})

export const conversationRead = defineEvent('messages.conversation_read', {
  ...ofTeam,
  data: entry.extend({ readerProfileId: z.int() }),
  signal: {
    types: { 'message.read': wire.extend({ reader_profile_id: z.int() }) },
    of: ({ readerProfileId, ...message }) => ({
      type: 'message.read',
      data: { ...wireOf(message), reader_profile_id: readerProfileId },
      ...sentTo(message),
    }),
  },
  summary: 'The other profile read a conversation up to a message',
})

export const messageDeleted = defineEvent('messages.message_deleted', {
  ...ofTeam,
  data: entry.extend({ senderProfileId: z.int() }),
  signal: {
    types: { 'message.deleted': wire.extend({ sender_profile_id: z.int() }) },
    of: ({ senderProfileId, ...message }) => ({
      type: 'message.deleted',
      data: { ...wireOf(message), sender_profile_id: senderProfileId },
      ...sentTo(message),
    }),
  },
  summary: 'A message was deleted by its sender',
})

export const messageEvents = [messageReceived, messageSent, conversationRead, messageDeleted] as const
