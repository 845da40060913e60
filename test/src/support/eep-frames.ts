import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

// The schemas of EEP 0.1: ws-message.json, the actions of eep-pulse-message-schema.json, and event.envelope.json.

const text = { type: 'string' } as const
const time = { type: 'string', format: 'date-time' } as const
const count = { type: 'integer', minimum: 0 } as const

const ACTIONS = {
  system: [
    ...['connected', 'ping', 'pong', 'subscribe', 'subscribed', 'unsubscribe', 'unsubscribed', 'replay'],
    ...['replay_complete', 'gap_detected', 'auth_expiring', 'auth_refresh', 'auth_refreshed', 'auth_expired', 'error'],
  ],
  entity: ['update', 'publish', 'delete'],
  chat: ['send', 'sent', 'received', 'history', 'read', 'read_ack'],
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

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(frame)

/** @throws Error that says what of a frame EEP does not allow */
export function requireEepFrame(value: unknown): void {
  if (validate(value)) return
  throw new Error(`not a frame of EEP: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`)
}
