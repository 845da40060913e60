import type { IncomingHttpHeaders } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

// The schemas of EEP 0.1: ws-message.json, the actions of eep-pulse-message-schema.json, event.envelope.json and
// delivery.payload.json; and what its text defines for the frames of streams and the requests to receivers.

const text = { type: 'string' } as const
const time = { type: 'string', format: 'date-time' } as const
const count = { type: 'integer', minimum: 0 } as const

const ACTIONS = {
  system: [
    ...['connected', 'ping', 'pong', 'subscribe', 'subscribed', 'unsubscribe', 'unsubscribed', 'replay'],
    ...['replay_complete', 'gap_detected', 'auth_expiring', 'auth_refresh', 'auth_refreshed', 'auth_expired'],
    ...['session_revoked', 'error'],
  ],
  entity: ['update', 'publish', 'delete'],
  chat: [
    ...['send', 'sent', 'received', 'history', 'read', 'read_ack'],
    // Of `/ws/messages`, which EEP does not have.
    ...['message.received', 'message.read', 'message.deleted', 'typing'],
  ],
  commerce: ['offer', 'counter', 'accept', 'reject', 'expire', 'invoice', 'receipt', 'complete', 'dispute'],
}

const requires = (data: object, required: readonly string[]) => ({
  required: ['data'],
  properties: { data: { type: 'object', required, properties: data } },
})

const ofType = (type: string, rule: object) => ({
  if: { properties: { type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: rule,
})
const ofAction = (action: string, rule: object) => ({
  if: { properties: { action: { const: action } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: rule,
})

const envelope = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'time', 'datacontenttype', 'eep_version'],
  properties: {
    specversion: { const: '1.0' },
    id: { type: 'string', minLength: 1, maxLength: 128 },
    source: { type: 'string', pattern: '^did:' },
    type: { type: 'string', minLength: 5, pattern: '^[a-z][a-z0-9]*(\\.[a-z][a-z0-9_]*)+$' },
    time,
    datacontenttype: { const: 'application/json' },
    subject: { type: 'string', minLength: 1, maxLength: 256 },
    data: { type: 'object' },
    eep_version: { type: 'string', pattern: '^\\d+\\.\\d+(-[a-z]+)?$' },
  },
}

const frame = {
  type: 'object',
  required: ['v', 'type', 'action'],
  properties: {
    v: { const: 1 },
    type: { enum: ['entity', 'a2a', 'system', 'chat', 'commerce'] },
    action: { type: 'string', minLength: 1, maxLength: 64 },
    seq: count,
    data: { type: 'object' },
    error: { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } },
  },
  allOf: [
    ...Object.entries(ACTIONS).map(([type, actions]) => ofType(type, { properties: { action: { enum: actions } } })),
    ofAction('auth_expiring', requires({ expires_in: count }, ['expires_in'])),
    ofAction('replay', requires({ from_seq: count }, ['from_seq'])),
    ofAction(
      'session_revoked',
      requires(
        {
          session_id: text,
          agent_did: { type: 'string', pattern: '^did:[a-z0-9]+:.+$' },
          publisher_did: { type: 'string', pattern: '^did:[a-z0-9]+:.+$' },
          reason: text,
          revoked_at: time,
          re_auth_required: { type: 'boolean' },
        },
        ['session_id', 'agent_did', 'reason', 'revoked_at'],
      ),
    ),
    ofAction('error', { required: ['error'] }),
    ofType('entity', requires({ source_did: text, event: envelope }, ['source_did', 'event'])),
    ofType(
      'commerce',
      requires({ negotiation_id: { type: 'string', pattern: '^neg_[a-zA-Z0-9]{8,32}$' }, event: envelope }, [
        'negotiation_id',
      ]),
    ),
  ],
}

const delivery = {
  type: 'object',
  required: [...envelope.required, 'eep_subscription_id', 'eep_delivery_id', 'eep_delivery_timestamp'],
  properties: {
    ...envelope.properties,
    eep_subscription_id: { type: 'string', pattern: '^sub_' },
    eep_delivery_id: { type: 'string', format: 'uuid' },
    eep_delivery_timestamp: time,
    eep_delivery_attempt: { type: 'integer', minimum: 1 },
    eep_max_attempts: { type: 'integer', minimum: 1 },
    eep_next_retry_at: time,
    eep_publisher_did: { type: 'string', pattern: '^did:' },
    eep_signature_algorithm: { enum: ['hmac-sha256', 'eddsa', 'hybrid-hmac-eddsa'] },
  },
}

const reset = {
  type: 'object',
  additionalProperties: false,
  required: ['reason', 'oldest_event_id'],
  properties: { reason: { enum: ['expired', 'unknown'] }, oldest_event_id: { type: ['string', 'null'] } },
}

/** Every request to a receiver has them. */
const deliveryHeaders = {
  type: 'object',
  required: ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'eep-version'],
  properties: {
    'content-type': { enum: ['application/json', 'application/cloudevents-batch+json'] },
    'webhook-id': { type: 'string', pattern: '^msg_[A-Za-z0-9_-]+$' },
    'webhook-timestamp': { type: 'string', pattern: '^[0-9]{10}$' },
    'webhook-signature': { type: 'string', pattern: '^v1,\\S+( v1a?,\\S+)*$' },
    'eep-version': { const: '0.1' },
  },
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Returns a function that throws an Error that names what EEP does not allow in a value. */
function requirementOf(what: string, schema: object) {
  const validate: ValidateFunction = ajv.compile(schema)
  return (value: unknown): void => {
    if (validate(value)) return
    throw new Error(`not ${what} of EEP: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`)
  }
}

/** @throws Error that names what EEP does not allow in a frame of a socket */
export const requireEepFrame = requirementOf('a frame', frame)
/** @throws Error that names what EEP does not allow in an envelope */
export const requireEnvelope = requirementOf('an envelope', envelope)
const requireDelivered = requirementOf('a delivery', delivery)
const requireReset = requirementOf('a reset', reset)
const requireDeliveryHeaders = requirementOf('a request to a receiver', deliveryHeaders)

/** A frame of a stream, as its fields. */
export interface StreamFrame {
  readonly id?: string | undefined
  readonly event?: string | undefined
  readonly data?: string | undefined
}

/** Checks the frames of one stream: each is a comment, a notice or an event, and events come in the order of their ids. */
export function createStreamCheck(): (frame: StreamFrame) => void {
  let last = ''
  return ({ id, event, data }) => {
    if (data === undefined) {
      if (id !== undefined || event !== undefined) throw new Error(`an event without data: ${id} ${event}`)
      return
    }
    const value: unknown = JSON.parse(data)
    if (event === 'reset') {
      requireReset(value)
      return
    }
    if (event === 'slow_consumer') return
    requireEnvelope(value)
    const { id: itsId, type } = value as { readonly id: string; readonly type: string }
    if (id !== itsId || event !== type) throw new Error(`the frame ${id} ${event} has the event ${itsId} ${type}`)
    if (itsId <= last) throw new Error(`the event ${itsId} came after ${last}`)
    last = itsId
  }
}

/** Checks a request to a receiver of webhooks: its headers, and each event in its body or, in binary mode, in its headers. */
export function requireDelivery({
  headers,
  text: body,
}: {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}) {
  requireDeliveryHeaders(headers)
  const value: unknown = JSON.parse(body)
  if (headers['ce-specversion'] !== undefined) {
    requireDelivered({ ...attributesOf(headers), datacontenttype: headers['content-type'], data: value })
    return
  }
  const isBatch = headers['content-type'] === 'application/cloudevents-batch+json'
  if (Array.isArray(value) !== isBatch) throw new Error(`a body that is not ${headers['content-type']}: ${body}`)
  const events = isBatch ? (value as readonly unknown[]) : [value]
  if (events.length === 0) throw new Error('an empty batch')
  for (const event of events) requireDelivered(event)
}

/** The attributes of an event in binary mode, whose names have lost their underscores. */
function attributesOf(headers: IncomingHttpHeaders): Record<string, unknown> {
  const found = Object.entries(delivery.properties).flatMap(([name, schema]) => {
    const header = headers[`ce-${name.replaceAll('_', '')}`]
    if (typeof header !== 'string') return []
    const isNumber = 'type' in schema && schema.type === 'integer'
    return [[name, isNumber ? Number(header) : decodeURIComponent(header)]]
  })
  return Object.fromEntries(found)
}
