import { z } from 'zod'
import type { DescribedType } from '../../events/signal-types.ts'
import { jsonSchema } from '../../http/openapi.ts'
import { deliveryHeadersSchema, deliverySchema, envelopeSchema } from './schemas.ts'

export interface AsyncApiSettings {
  readonly name: string
  readonly publicUrl: string
  readonly types: readonly DescribedType[]
  /** Whether there is a route to read from. */
  readonly has: (path: string) => boolean
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
  /** Which types it sends. */
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

/** Deliveries go to the URLs of subscribers, so their channel has no address here. */
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

/** `content.published` as a name of a component: `content_published`. */
const idOf = ({ type }: DescribedType) => type.replaceAll('.', '_')

/** The description of the streams and their events: AsyncAPI 3.0. */
export function asyncApiDocument({ name, publicUrl, types, has }: AsyncApiSettings) {
  const { protocol, host, pathname } = new URL(publicUrl)
  const channels = CHANNELS.filter(({ path }) => has(path))
  const hasWebhooks = has(WEBHOOK.path)
  return {
    asyncapi: '3.0.0',
    info: {
      title: `Events of ${name}`,
      version: '0.1.0',
      description: 'Events are CloudEvents 1.0 in JSON (EEP 0.1). Continue after an event with `Last-Event-ID`.',
    },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host,
        protocol: protocol.replace(':', ''),
        ...(pathname === '/' ? {} : { pathname }),
      },
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
      ...(hasWebhooks ? [[WEBHOOK.name, WEBHOOK_CHANNEL]] : []),
    ]),
    operations: Object.fromEntries(
      [...channels, ...(hasWebhooks ? [WEBHOOK] : [])].map(({ name: id, description }) => [
        `send${id.charAt(0).toUpperCase()}${id.slice(1)}`,
        { action: 'send', channel: { $ref: `#/channels/${id}` }, summary: description },
      ]),
    ),
    components: {
      messages: {
        ...Object.fromEntries(types.map((type) => [idOf(type), messageOf(type)])),
        ...(hasWebhooks ? { delivery: deliveryMessage(types) } : {}),
      },
      schemas: {
        // Open, because deliveries add members.
        envelope: jsonSchema(z.looseObject(envelopeSchema.shape)),
        ...(hasWebhooks ? { delivery: jsonSchema(deliverySchema) } : {}),
      },
    },
  }
}

/** One delivery: an event of any type, with what the delivery adds. */
function deliveryMessage(types: readonly DescribedType[]) {
  return {
    name: 'delivery',
    title: 'Delivery',
    summary: 'An event as a webhook receives it, unless the subscription asks for batches or binary mode',
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
