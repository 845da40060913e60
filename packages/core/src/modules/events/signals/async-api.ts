import { z } from 'zod'
import { jsonSchema } from '../../../kernel/json-schema.ts'
import type { DescribedType } from '../../../runtime/events/signal-types.ts'
import { deliveryHeadersSchema, deliverySchema, envelopeSchema } from './schemas.ts'

export interface AsyncApiSettings {
  readonly name: string
  readonly publicUrl: string
  readonly types: readonly DescribedType[]
  /** The channels of other modules. */
  readonly described: () => readonly DescribedChannel[]
  /** Whether the listener has the route of the channel. */
  readonly has: (path: string) => boolean
}

/** A kind of messages of a channel. */
export interface DescribedMessage {
  readonly name: string
  readonly summary: string
  readonly payload: z.ZodType
}

/** A WebSocket channel in the description. */
export interface DescribedChannel {
  readonly name: string
  /** The path of its route; a listener without this route does not describe the channel. */
  readonly path: string
  readonly description: string
  /** Messages that the service sends. */
  readonly sends: readonly DescribedMessage[]
  /** Messages that the service receives. */
  readonly receives: readonly DescribedMessage[]
}

/** The channels that other modules describe. */
export function createAsyncApiChannels() {
  const channels: DescribedChannel[] = []
  return {
    /** Adds a channel to `/docs/asyncapi.json`. */
    add: (channel: DescribedChannel) => void channels.push(channel),
    list: (): readonly DescribedChannel[] => channels,
  }
}

/** The JSON Schema of the data of a type. */
export const dataSchemaOf = ({ data, summary }: Pick<DescribedType, 'data' | 'summary'>) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  description: summary,
  ...jsonSchema(data),
})

interface Channel {
  readonly name: string
  readonly path: string
  readonly description: string
  /** Selects the types that it sends. */
  readonly sends: (type: DescribedType) => boolean
}

const CHANNELS: readonly Channel[] = [
  {
    name: 'publicEvents',
    path: '/stream/signals',
    description: 'Public events, as server-sent events',
    sends: ({ audience }) => audience === 'public',
  },
  {
    name: 'followedEvents',
    path: '/stream/signals/following',
    description: 'Public events of the profiles that the acting profile follows, and events of its team',
    sends: ({ audience }) => audience !== 'account',
  },
  {
    name: 'events',
    path: '/eep/stream',
    description: 'Public events, and those of the account and of its teams',
    sends: () => true,
  },
]

/** Deliveries are sent to the URLs of subscribers, so their channel has no address. */
const WEBHOOK = {
  name: 'webhook',
  path: '/eep/subscribe',
  description: 'Events of a subscription, posted to its `delivery_url`',
} as const

const WEBHOOK_CHANNEL = {
  address: null,
  description: WEBHOOK.description,
  messages: { delivery: { $ref: '#/components/messages/delivery' } },
} as const

/** Converts a type to a component name: `content.published` to `content_published`. */
const idOf = ({ type }: DescribedType) => type.replaceAll('.', '_')

/** Describes the streams and their events in AsyncAPI 3.0. */
export function asyncApiDocument({ name, publicUrl, types, described, has }: AsyncApiSettings) {
  const { protocol, host, pathname } = new URL(publicUrl)
  const channels = CHANNELS.filter(({ path }) => has(path))
  const sockets = described().filter(({ path }) => has(path))
  const hasWebhooks = has(WEBHOOK.path)
  const base = { host, ...(pathname === '/' ? {} : { pathname }) }
  return {
    asyncapi: '3.0.0',
    info: {
      title: `Events of ${name}`,
      version: '0.1.0',
      description: 'Events are CloudEvents 1.0 in JSON (EEP 0.1). Continue after an event with `Last-Event-ID`.',
    },
    defaultContentType: 'application/json',
    servers: {
      service: { ...base, protocol: protocol.replace(':', '') },
      ...(sockets.length > 0 ? { sockets: { ...base, protocol: protocol === 'https:' ? 'wss' : 'ws' } } : {}),
    },
    channels: Object.fromEntries([
      ...channels.map(({ name: id, path, description, sends }) => [
        id,
        {
          address: path,
          description,
          messages: Object.fromEntries(
            types.filter(sends).map((type) => [idOf(type), { $ref: `#/components/messages/${idOf(type)}` }]),
          ),
        },
      ]),
      ...sockets.map((socket) => [socket.name, socketChannel(socket)]),
      ...(hasWebhooks ? [[WEBHOOK.name, WEBHOOK_CHANNEL]] : []),
    ]),
    operations: {
      ...Object.fromEntries(
        [...channels, ...(hasWebhooks ? [WEBHOOK] : [])].map(({ name: id, description }) => [
          `send${capitalized(id)}`,
          { action: 'send', channel: { $ref: `#/channels/${id}` }, summary: description },
        ]),
      ),
      ...Object.fromEntries(sockets.flatMap(socketOperations)),
    },
    components: {
      messages: {
        ...Object.fromEntries(types.map((type) => [idOf(type), messageOf(type)])),
        ...(hasWebhooks ? { delivery: deliveryMessage(types) } : {}),
      },
      schemas: {
        // Allows additional properties, because deliveries add fields.
        envelope: jsonSchema(z.looseObject(envelopeSchema.shape)),
        ...(hasWebhooks ? { delivery: jsonSchema(deliverySchema) } : {}),
      },
    },
  }
}

const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

function socketChannel({ path, description, sends, receives }: DescribedChannel) {
  return {
    address: path,
    description,
    servers: [{ $ref: '#/servers/sockets' }],
    messages: Object.fromEntries(
      [...sends, ...receives].map(({ name, summary, payload }) => [
        name,
        { name, summary, contentType: 'application/json', payload: jsonSchema(payload, 'input') },
      ]),
    ),
    bindings: { ws: { method: 'GET' } },
  }
}

const socketOperations = ({ name: id, description, sends, receives }: DescribedChannel) =>
  [['send', sends] as const, ['receive', receives] as const].map(([action, messages]) => [
    `${action}${capitalized(id)}`,
    {
      action,
      channel: { $ref: `#/channels/${id}` },
      summary: description,
      messages: messages.map(({ name }) => ({ $ref: `#/channels/${id}/messages/${name}` })),
    },
  ])

/** One delivery: an event of any type with the fields that deliveries add. */
function deliveryMessage(types: readonly DescribedType[]) {
  return {
    name: 'delivery',
    title: 'Delivery',
    summary: 'An event in a webhook delivery, unless the subscription requests batches or binary mode',
    contentType: 'application/json',
    headers: jsonSchema(deliveryHeadersSchema),
    payload: {
      allOf: [
        { $ref: '#/components/schemas/delivery' },
        { anyOf: types.map((type) => ({ $ref: `#/components/messages/${idOf(type)}/payload` })) },
      ],
    },
  }
}

function messageOf({ fullType, summary, data }: DescribedType) {
  return {
    name: fullType,
    title: fullType,
    summary,
    contentType: 'application/json',
    payload: {
      allOf: [
        { $ref: '#/components/schemas/envelope' },
        jsonSchema(z.looseObject({ type: z.literal(fullType), data })),
      ],
    },
  }
}
