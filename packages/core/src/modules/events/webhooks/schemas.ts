import { z } from 'zod'
import { listQuery, pagination } from '../../../http/documents/lists.ts'
import { line } from '../../../kernel/text-fields.ts'
import { proofsSchema } from '../../../model/gate-proof.ts'
import { conditionsSchema } from './conditions.ts'

const SOURCE = /^(did:[a-z]+:[a-zA-Z0-9._%-]+(:[a-zA-Z0-9._%-]+)*|https?:\/\/[^\s]+)$/
/** A type of events, or a pattern of types. */
export const PATTERN = /^(\*|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*(\.(\*|[a-z][a-z0-9_]*))?)$/
const FORMATS = ['cloudevents/v1.0', 'cloudevents/v1.0-binary'] as const
/** The formats of deliveries by their names on the wire. */
export const FORMATS_BY_NAME = { 'cloudevents/v1.0': 'structured', 'cloudevents/v1.0-binary': 'binary' } as const
const STATUSES = ['pending_verification', 'active', 'paused', 'rejected', 'expired', 'cancelled'] as const

/** How long a subscription lasts until it is renewed. */
export const DEFAULT_LEASE_SECONDS = 2_592_000

export const subscribeBody = z
  .strictObject({
    source_did: z
      .string()
      .max(512)
      .regex(SOURCE, 'Must be a DID or the URL of a profile')
      .describe('The profile whose events are delivered; the DID of the service for events of your account'),
    event_types: z
      .array(z.string().max(128).regex(PATTERN, 'Must be a type or a pattern, such as content.*'))
      .min(1)
      .max(50)
      .describe('Types of events, or patterns: `content.*`'),
    delivery_method: z.enum(['webhook', 'sse']),
    delivery_url: z.string().max(2_000).optional().describe('An https URL; required for `webhook`'),
    delivery_format: z.enum(FORMATS).optional().describe(`Default: ${FORMATS[0]}. A renewal keeps what it omits`),
    filter: conditionsSchema.nullish().describe('Conditions on the envelope; null: none'),
    max_batch_size: z.int().min(1).max(500).optional().describe('Default: 1'),
    max_batch_wait_ms: z.int().min(0).max(30_000).optional().describe('Default: 0'),
    lease_seconds: z.int().min(300).max(31_536_000).optional().describe(`Default: ${DEFAULT_LEASE_SECONDS}`),
    metadata: z
      .record(line(64), line(512))
      .refine((value) => Object.keys(value).length <= 10, 'Must have at most 10 members')
      .optional()
      .describe('Default: none'),
    tier: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,31}$/)
      .nullish()
      .describe('A tier of the gate of the source, which the subscriber must have. Events contain no gated content'),
    gate_proofs: proofsSchema.optional().describe('Proofs for the requirements of `tier`'),
  })
  .refine(({ max_batch_size, delivery_format }) => (max_batch_size ?? 1) === 1 || delivery_format !== FORMATS[1], {
    path: ['max_batch_size'],
    error: 'Batches are always structured; omit delivery_format',
  })

export const subscriptionParams = z.object({ id: z.string().min(1).max(64) })

export const subscriptionSchema = z
  .object({
    subscription_id: z.string(),
    status: z.enum(STATUSES),
    pause_reason: z.enum(['owner', 'failures', 'backlog', 'gone', 'key_ended']).nullable(),
    source_did: z.string(),
    event_types: z.array(z.string()),
    delivery_method: z.literal('webhook'),
    delivery_url: z.string(),
    delivery_format: z.enum(FORMATS),
    filter: conditionsSchema.nullable(),
    max_batch_size: z.int(),
    max_batch_wait_ms: z.int(),
    lease_seconds: z.int(),
    metadata: z.record(z.string(), z.string()),
    tier: z.string().nullable(),
    failure_count: z.int().describe('Consecutive deliveries that were given up'),
    pending: z.int().describe('Pending deliveries'),
    missed_since: z.iso
      .datetime()
      .nullable()
      .describe('Time since which events were not queued because the queue was full'),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    verification_expires_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' })

export const subscribedSchema = subscriptionSchema
  .extend({
    delivery_secret: z.string().optional().describe('Signs deliveries; returned only when the subscription is created'),
    message: z.string().optional().describe('Why the receiver did not confirm the subscription'),
    warnings: z
      .array(
        z.discriminatedUnion('code', [
          z.object({
            code: z.literal('scope_missing'),
            required_scope: z.string().nullable().describe('Null: API keys never receive these events'),
            event_types: z.array(z.string()).describe('Types that are left out'),
          }),
          z.object({
            code: z.literal('unknown_type'),
            event_types: z
              .array(z.string())
              .describe('Types and patterns that match nothing that the service emits today'),
          }),
        ]),
      )
      .optional()
      .describe('What the subscription does not deliver'),
  })
  .meta({ id: 'NewWebhook' })

const attemptSchema = z
  .object({
    subscription_id: z.string(),
    event_id: z.string(),
    attempt: z.int(),
    timestamp: z.iso.datetime(),
    status_code: z.int().optional(),
    response_time_ms: z.int(),
    final_status: z.enum(['delivered', 'failed', 'undeliverable']),
    error: z.string().optional(),
    retry_after: z.string().optional().describe('The header Retry-After of a 429 or 503, as the receiver sent it'),
  })
  .meta({ id: 'DeliveryAttempt' })

export const subscriptionWithHealth = subscriptionSchema
  .extend({
    deliveries: z
      .object({
        delivered: z.int(),
        failed: z.int().describe('Failed attempts'),
        success_rate: z.number().nullable().describe('Share of successful attempts; null without attempts'),
        p95_response_ms: z.int().nullable(),
        last_error: attemptSchema.nullable(),
      })
      .describe('The attempts of the last 30 days'),
  })
  .meta({ id: 'WebhookHealth' })

export const subscriptionList = z
  .object({
    data: z.array(subscriptionSchema),
    subscriptions: z.array(subscriptionSchema).describe('The same list under its EEP name'),
    pagination,
  })
  .meta({ id: 'WebhookList' })

export const attemptQuery = listQuery
export const attemptList = z
  .object({
    subscription_id: z.string(),
    data: z.array(attemptSchema),
    attempts: z.array(attemptSchema).describe('The same list under its EEP name'),
    pagination,
  })
  .meta({ id: 'DeliveryAttemptList' })

const accepted = { status: z.literal('accepted'), subscription_id: z.string() }
export const testedSchema = z.object({ ...accepted, event_id: z.string() }).meta({ id: 'TestDelivery' })
export const redeliverBody = z.strictObject({ event_ids: z.array(z.string().min(1).max(128)).min(1).max(100) })
export const redeliveredSchema = z
  .object({
    ...accepted,
    redelivered: z.array(z.string()),
    unavailable: z.array(z.string()),
  })
  .meta({ id: 'Redelivery' })
export const replayBody = z.strictObject({ since: z.iso.datetime({ offset: true }).max(64) })
export const replayedSchema = z.object({ ...accepted, queued: z.int() }).meta({ id: 'Replay' })
export const rotatedSchema = z
  .object({
    subscription_id: z.string(),
    delivery_secret: z.string().describe('Returned only once'),
    previous_secret_until: z.iso.datetime().nullable().describe('Until this time the previous secret signs as well'),
  })
  .meta({ id: 'RotatedWebhookSecret' })
