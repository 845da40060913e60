import { z } from 'zod'
import { activeProfileHeader } from '../../profiles/profiles/index.ts'

const list = (what: string) => z.string().max(8_192).optional().describe(what)

const filterShape = {
  types: list('Types or patterns such as `content.*`, separated by commas. Default: all'),
  events: list('Alias of `types`'),
  source: list('DIDs or `prefix/username`, separated by commas. Default: all'),
}

export const streamQuery = z.object({
  ...filterShape,
  last_event_id: z.string().max(1_024).optional().describe('The id of the event to continue after'),
  lastEventId: z
    .string()
    .max(1_024)
    .optional()
    .describe('Alias of `last_event_id`, which polyfills of EventSource send'),
})

export const keyedStreamQuery = streamQuery.extend({
  api_key: z.string().max(512).optional().describe('For clients that cannot set headers. Prefer `X-API-Key`'),
})

/** Browsers send the last id of a stream. Other values are treated as unknown events. */
export const streamHeaders = z.looseObject({ 'last-event-id': z.string().max(8_192).optional() })
export const followingHeaders = activeProfileHeader.extend(streamHeaders.shape)

const moment = z.iso.datetime({ offset: true })

export const historyQuery = z.object({
  ...filterShape,
  since: z
    .union([moment, z.string().max(128)])
    .optional()
    .describe('The id of an event, or a time: returns only later events. Default: starts at the oldest kept event'),
  until: z
    .union([moment, z.string().max(128)])
    .optional()
    .describe('The id of an event, or a time: returns no later events'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})

export const envelopeSchema = z.object({
  specversion: z.literal('1.0'),
  eep_version: z.literal('0.1'),
  id: z.string().max(128).describe('Unique and in the order of events; pass it to continue after this event'),
  source: z.string().describe('The DID of the profile that the event is about, or of the service'),
  type: z.string(),
  subject: z
    .string()
    .max(256)
    .optional()
    .describe('The public path of the subject of the event, cut after 256 characters'),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  data: z.record(z.string(), z.unknown()),
})

/** The fields that a webhook delivery adds to the envelope. */
export const deliverySchema = z.looseObject({
  eep_subscription_id: z.string(),
  eep_delivery_id: z.uuid().describe('The same in each attempt'),
  eep_delivery_timestamp: z.iso.datetime(),
  eep_delivery_attempt: z.int().min(1),
  eep_max_attempts: z.int().min(1),
  eep_publisher_did: z.string(),
  eep_signature_algorithm: z.literal('hybrid-hmac-eddsa'),
})

/** The headers of a delivery. */
export const deliveryHeadersSchema = z.looseObject({
  'webhook-id': z.string().describe('The same in each attempt: `msg_` and the id of the event'),
  'webhook-timestamp': z.string().describe('Seconds since 1970'),
  'webhook-signature': z.string().describe('Signatures over id, timestamp and body, separated by spaces'),
  'eep-version': z.literal('0.1'),
})

export const historySchema = z
  .object({
    events: z.array(envelopeSchema),
    next_cursor: z.string().optional().describe('Pass it as `since`; absent when nothing is left'),
  })
  .meta({ id: 'EventHistory' })

const typeSchema = z.object({
  type: z.string(),
  description: z.string(),
  audience: z.enum(['public', 'team', 'account']).describe('The readers: everyone, teams of profiles, or an account'),
  data_schema: z.record(z.string(), z.unknown()).describe('The JSON Schema of `data`'),
})

/** The list in the format of an EEP catalogue. */
/** The JSON Schema of the data of an event. */
export const eventSchema = z.looseObject({ $schema: z.string(), description: z.string() }).meta({ id: 'EventSchema' })

export const typesSchema = z
  .object({
    items: z.array(typeSchema),
    total: z.int(),
    page: z.literal(1),
    limit: z.int(),
  })
  .meta({ id: 'EventTypes' })
