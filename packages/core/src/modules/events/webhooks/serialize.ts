import type { Webhook, WebhookAttempt, WebhookHealth } from '../../../ports/storage/webhooks.ts'
import { encodeEventId } from '../signals/index.ts'
import { conditionsOf } from './conditions.ts'
import type { MissingScope } from './service.ts'

const FORMATS = { structured: 'cloudevents/v1.0', binary: 'cloudevents/v1.0-binary' } as const

const timeOrNull = (date: Date | null) => date?.toISOString() ?? null

export const serializeWebhook = (webhook: Webhook) => ({
  subscription_id: webhook.id,
  status: webhook.status,
  pause_reason: webhook.pauseReason,
  source_did: webhook.sourceDid,
  event_types: [...webhook.eventTypes],
  delivery_method: 'webhook' as const,
  delivery_url: webhook.deliveryUrl,
  delivery_format: FORMATS[webhook.deliveryFormat],
  filter: conditionsOf(webhook),
  max_batch_size: webhook.maxBatchSize,
  max_batch_wait_ms: webhook.maxBatchWaitMs,
  lease_seconds: webhook.leaseSeconds,
  metadata: { ...webhook.metadata },
  tier: webhook.tier,
  failure_count: webhook.failureCount,
  pending: webhook.pending,
  missed_since: timeOrNull(webhook.missedSince),
  created_at: webhook.createdAt.toISOString(),
  expires_at: timeOrNull(webhook.expiresAt),
  verification_expires_at: webhook.verificationExpiresAt.toISOString(),
})

export const serializeMissingScope = ({ requiredScope, eventTypes }: MissingScope) => ({
  code: 'scope_missing' as const,
  required_scope: requiredScope,
  event_types: [...eventTypes],
})

export const serializeAttempt = (webhookId: string, attempt: WebhookAttempt) => ({
  subscription_id: webhookId,
  event_id: encodeEventId(attempt.cursor),
  attempt: attempt.attempt,
  timestamp: attempt.at.toISOString(),
  ...(attempt.statusCode === null ? {} : { status_code: attempt.statusCode }),
  response_time_ms: attempt.responseTimeMs,
  final_status: attempt.outcome,
  ...(attempt.error === null ? {} : { error: attempt.error }),
  ...(attempt.retryAfter === null ? {} : { retry_after: attempt.retryAfter }),
})

export function serializeHealth(webhookId: string, { delivered, failed, p95Ms, lastFailure }: WebhookHealth) {
  const all = delivered + failed
  return {
    delivered,
    failed,
    success_rate: all === 0 ? null : delivered / all,
    p95_response_ms: p95Ms,
    last_error: lastFailure && serializeAttempt(webhookId, lastFailure),
  }
}
