import { z } from 'zod'
import { type DescribedChannel, type DescribedMessage, envelopeSchema } from '../signals/index.ts'
import { chatData } from './chat-frames.ts'
import { systemData, VERSION } from './frames.ts'

const frame = <Shape extends z.core.$ZodShape>(type: string, actions: readonly string[], shape: Shape) =>
  z.looseObject({ v: z.literal(VERSION), type: z.literal(type), action: z.enum(actions as [string]), ...shape })

const seq = z.int().min(0)
const error = z.object({ code: z.string(), message: z.string() })
const open = z.looseObject({})

const systemFrame: DescribedMessage = {
  name: 'system',
  summary: 'The state of the connection, responses to frames of type `system`, and errors',
  payload: frame(
    'system',
    [
      ...['connected', 'ping', 'pong', 'subscribed', 'unsubscribed', 'replay_complete', 'gap_detected'],
      ...['auth_expiring', 'auth_refreshed', 'auth_expired', 'session_revoked', 'error'],
    ],
    { data: open.optional(), error: error.optional().describe('Why a frame was refused') },
  ),
}

const entityFrame: DescribedMessage = {
  name: 'entity',
  summary: 'An event of a source that the connection is subscribed to',
  payload: frame('entity', ['publish', 'update', 'delete'], {
    seq: seq.describe('Sequence number of the frames of this source on this connection, from 1'),
    data: z.looseObject({ source_did: z.string(), event: z.looseObject(envelopeSchema.shape) }),
  }),
}

const MOVES = ['offer', 'counter', 'accept', 'reject', 'expire', 'invoice', 'receipt', 'complete', 'dispute']

const commerceFrame: DescribedMessage = {
  name: 'commerce',
  summary:
    'A move of a negotiation: the response to one of this connection, or a move of the other party, with the event in `data.event`. Moves that a subscription delivers have a `seq`',
  payload: frame('commerce', MOVES, {
    seq: seq.optional(),
    data: z.looseObject({ negotiation_id: z.string(), state: z.string().describe('The state after the move') }),
  }),
}

const moveFrame: DescribedMessage = {
  name: 'move',
  summary: 'Makes a move in a negotiation; `data` is the request body of the route, with `negotiation_id`',
  payload: frame('commerce', MOVES, { seq: seq.optional(), data: open }),
}

/** A frame of type `system` that clients send. */
const request = (name: string, action: string, summary: string, data?: z.ZodType): DescribedMessage => ({
  name,
  summary,
  payload: frame('system', [action], { seq: seq.optional(), ...(data ? { data } : {}) }),
})

const ping = request('ping', 'ping', 'Checks the connection; the response is `pong`')
const pong = request('pong', 'pong', 'Responds to a `ping` of the service')
const refresh = request(
  'authRefresh',
  'auth_refresh',
  'Authenticates with another token of the same account',
  systemData.auth_refresh,
)

const chatFrame: DescribedMessage = {
  name: 'chat',
  summary:
    'A message to or from a profile of the caller, a read receipt, or the response to a frame of this connection',
  payload: frame('chat', ['sent', 'received', 'history', 'read_ack'], { data: open }),
}

const messageFrame: DescribedMessage = {
  name: 'message',
  summary: 'A message, an update of one, or the response to a frame of this connection',
  payload: frame('chat', ['message.received', 'message.read', 'message.deleted', 'typing', 'sent', 'read_ack'], {
    data: open,
  }),
}

/** A frame of type `chat` that clients send. */
const chat = (action: string, summary: string, data: z.ZodType): DescribedMessage => ({
  name: action,
  summary,
  payload: frame('chat', [action], { seq: seq.optional(), data }),
})

interface PulseFrames {
  readonly hasDeals: boolean
  readonly hasMessages: boolean
}

/** Describes `/eep/pulse` in `/docs/asyncapi.json`, with frames of negotiations and messages if their modules are on. */
export const pulseChannel = ({ hasDeals, hasMessages }: PulseFrames): DescribedChannel => ({
  name: 'pulse',
  path: '/eep/pulse',
  description: 'Events of the sources that the client subscribes to, over a WebSocket',
  sends: [systemFrame, entityFrame, ...(hasDeals ? [commerceFrame] : []), ...(hasMessages ? [chatFrame] : [])],
  receives: [
    request('subscribe', 'subscribe', 'Subscribes to a source', systemData.subscribe),
    request('unsubscribe', 'unsubscribe', 'Ends a subscription', systemData.unsubscribe),
    request('replay', 'replay', 'Requests frames again, from a number or after an event', systemData.replay),
    request('gapDetected', 'gap_detected', 'Requests missing frames', systemData.gap_detected),
    refresh,
    ping,
    pong,
    ...(hasDeals ? [moveFrame] : []),
    ...(hasMessages
      ? [
          chat('send', 'Sends a message to a profile; the response is `sent`', chatData.pulse.send),
          chat('history', 'Requests messages, newest first; the response is `history`', chatData.pulse.history),
          chat('read', 'Marks a conversation as read up to a message; the response is `read_ack`', chatData.pulse.read),
        ]
      : []),
  ],
})

/** Describes `/ws/messages` in `/docs/asyncapi.json`, with frames of messages if the module is on. */
export const messagesChannel = ({ hasMessages }: { readonly hasMessages: boolean }): DescribedChannel => ({
  name: 'messages',
  path: '/ws/messages',
  description: 'Messages over a WebSocket',
  sends: [systemFrame, ...(hasMessages ? [messageFrame] : [])],
  receives: [
    refresh,
    ping,
    pong,
    ...(hasMessages
      ? [
          chat('send', 'Sends a message; the response is `sent`', chatData.messages.send),
          chat(
            'read',
            'Marks a conversation as read up to a message; the response is `read_ack`',
            chatData.messages.read,
          ),
          chat('typing', 'Shows the other profile that the acting profile is typing', chatData.messages.typing),
        ]
      : []),
  ],
})
