import { createHash } from 'node:crypto'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { PendingDelivery, Webhook } from '../../../ports/storage/webhooks.ts'
import type { Envelope } from '../signals/index.ts'
import { signDelivery } from './signature.ts'

/** A delivery with the envelope of its event. */
export interface ReadyDelivery {
  readonly delivery: PendingDelivery
  readonly envelope: Envelope
}

export interface DeliveryContext {
  readonly now: Date
  readonly maxAttempts: number
  readonly secrets: readonly string[]
  readonly keyring: Keyring
  /** Whether all money of the service is play money. */
  readonly isSandbox: boolean
}

/** The body and the headers of one request to a receiver. */
export interface DeliveryRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** The W3C `traceparent` of what caused the first event. */
  readonly traceparent?: string | undefined
}

const EEP_VERSION = '0.1'

/** The id of a request, the same in each attempt. The id of a batch is derived from its events, which stay together. */
function idOf(deliveries: readonly ReadyDelivery[]): string {
  const ids = deliveries.map(({ envelope }) => envelope.id)
  const [only] = ids
  if (ids.length === 1) return `msg_${only}`
  return `msg_${createHash('sha256').update(ids.join()).digest('hex').slice(0, 40)}`
}

/** The fields that a delivery adds to an envelope. */
const delivered = (
  { envelope, delivery }: ReadyDelivery,
  webhook: Pick<Webhook, 'id'>,
  { now, maxAttempts, isSandbox }: DeliveryContext,
) => ({
  ...envelope,
  ...(isSandbox && { sandbox: true }),
  eep_subscription_id: webhook.id,
  eep_delivery_id: delivery.id,
  eep_delivery_timestamp: now.toISOString(),
  eep_delivery_attempt: delivery.attempts + 1,
  eep_max_attempts: maxAttempts,
  eep_publisher_did: envelope.source,
  eep_signature_algorithm: 'hybrid-hmac-eddsa',
})

/** CloudEvents in binary mode: attributes are headers without underscores, and the body is the data. */
function binary(ready: ReadyDelivery, webhook: Pick<Webhook, 'id'>, context: DeliveryContext): DeliveryRequest {
  const { data, datacontenttype: _type, ...attributes } = delivered(ready, webhook, context)
  const headers = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[`ce-${name.replaceAll('_', '')}`, encodeAttribute(String(value))]],
  )
  return {
    body: JSON.stringify(data),
    headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
  }
}

/** Header values of CloudEvents are printable ASCII; other characters, spaces, `"` and `%` are percent-encoded. */
const encodeAttribute = (text: string) => text.replace(/[^\x21\x23\x24\x26-\x7e]/gu, (sign) => encodeURIComponent(sign))

function structured(
  deliveries: readonly ReadyDelivery[],
  webhook: Pick<Webhook, 'id' | 'maxBatchSize'>,
  context: DeliveryContext,
): DeliveryRequest {
  const bodies = deliveries.map((ready) => delivered(ready, webhook, context))
  return webhook.maxBatchSize > 1
    ? { body: JSON.stringify(bodies), headers: { 'content-type': 'application/cloudevents-batch+json' } }
    : { body: JSON.stringify(bodies[0]), headers: { 'content-type': 'application/json' } }
}

/** Builds the request that delivers some events, signed for this attempt. */
export function deliveryRequest(
  deliveries: readonly [ReadyDelivery, ...ReadyDelivery[]],
  webhook: Pick<Webhook, 'id' | 'deliveryFormat' | 'maxBatchSize'>,
  context: DeliveryContext,
): DeliveryRequest {
  const { body, headers } =
    webhook.deliveryFormat === 'binary'
      ? binary(deliveries[0], webhook, context)
      : structured(deliveries, webhook, context)
  const id = idOf(deliveries)
  const timestamp = Math.floor(context.now.getTime() / 1_000)
  return {
    body,
    traceparent: deliveries[0].delivery.event?.traceparent,
    headers: {
      ...headers,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signDelivery({ id, timestamp, body }, context.secrets, context.keyring),
      'eep-version': EEP_VERSION,
    },
  }
}
