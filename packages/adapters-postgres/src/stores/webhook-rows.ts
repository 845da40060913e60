import type {
  JsonObject,
  NewWebhook,
  PauseReason,
  Webhook,
  WebhookAttempt,
  WebhookChanges,
  WebhookFormat,
  WebhookStatus,
} from '@eep/core/ports'
import type { Kysely, Selectable } from 'kysely'
import type { Bigint, BigintId, BigintOrNull } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { json, toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'

/** The tables of this group. Only its stores use them, so they are declared here. */
type WebhookTables = {
  webhooks: {
    id: string
    account_id: string
    profile_id: BigintOrNull
    api_key_id: BigintOrNull
    source_did: string
    source_profile_id: BigintOrNull
    event_types: readonly string[]
    delivery_url: string
    delivery_format: WebhookFormat
    filter: JsonObject | null
    max_batch_size: number
    max_batch_wait_ms: number
    lease_seconds: number
    metadata: Readonly<Record<string, string>>
    tier: string | null
    fingerprint: string
    status: WebhookStatus
    pause_reason: PauseReason | null
    secret: string | null
    previous_secret: string | null
    previous_secret_until: Date | null
    failure_count: number
    created_at: Date
    verification_expires_at: Date
    expires_at: Date | null
    notice_at: Date | null
    missed_since: Date | null
    ended_at: Date | null
    pending: number
    due_at: Date | null
    holder: string | null
    lease_until: Date | null
    not_before: Date | null
  }
  webhook_deliveries: {
    position: BigintId
    id: string
    webhook_id: string
    event_position: Bigint
    cursor: string
    attempts: number
    is_repeat: boolean
    created_at: Date
    due_at: Date
    settled_at: Date | null
  }
  webhook_attempts: {
    id: BigintId
    webhook_id: string
    cursor: string
    attempt: number
    at: Date
    status_code: number | null
    response_time_ms: number
    outcome: WebhookAttempt['outcome']
    error: string | null
    retry_after: string | null
  }
}

export type WebhookDb = Kysely<Database & WebhookTables>

/** The connection, typed with the webhook tables. */
export const webhookDb = (db: Db): WebhookDb => db.withTables<WebhookTables>()

export const OPEN: readonly WebhookStatus[] = ['pending_verification', 'active', 'paused']
export const RUNNING: readonly WebhookStatus[] = ['active', 'paused']

/** Text of PostgreSQL cannot contain the character 0, so no id contains it. */
export const text = (id: string) => (id.includes('\0') ? '' : id)

export const toRow = (webhook: NewWebhook) => ({
  id: webhook.id,
  account_id: webhook.accountId,
  profile_id: webhook.profileId,
  api_key_id: webhook.apiKeyId,
  source_did: webhook.sourceDid,
  source_profile_id: webhook.sourceProfileId,
  event_types: json(webhook.eventTypes),
  delivery_url: webhook.deliveryUrl,
  delivery_format: webhook.deliveryFormat,
  filter: webhook.filter && json(webhook.filter),
  max_batch_size: webhook.maxBatchSize,
  max_batch_wait_ms: webhook.maxBatchWaitMs,
  lease_seconds: webhook.leaseSeconds,
  metadata: json(webhook.metadata),
  tier: webhook.tier,
  fingerprint: webhook.fingerprint,
  status: 'pending_verification' as const,
  secret: webhook.secret,
  created_at: webhook.createdAt,
  verification_expires_at: webhook.verificationExpiresAt,
  due_at: webhook.createdAt,
  failure_count: 0,
  pending: 0,
  pause_reason: null,
  previous_secret: null,
  previous_secret_until: null,
  expires_at: null,
  notice_at: null,
  missed_since: null,
  ended_at: null,
  holder: null,
  lease_until: null,
  not_before: null,
})

const COLUMNS = {
  deliveryFormat: 'delivery_format',
  maxBatchSize: 'max_batch_size',
  maxBatchWaitMs: 'max_batch_wait_ms',
  leaseSeconds: 'lease_seconds',
  tier: 'tier',
  status: 'status',
  pauseReason: 'pause_reason',
  apiKeyId: 'api_key_id',
  failureCount: 'failure_count',
  expiresAt: 'expires_at',
  noticeAt: 'notice_at',
  missedSince: 'missed_since',
  endedAt: 'ended_at',
} as const

export const toChangedRow = ({ filter, metadata, ...changes }: WebhookChanges) => ({
  ...Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([name, column]) => {
      const value = changes[name as keyof typeof COLUMNS]
      return value === undefined ? [] : [[column, value]]
    }),
  ),
  ...(filter !== undefined && { filter: filter && json(filter) }),
  ...(metadata !== undefined && { metadata: json(metadata) }),
})

export type WebhookRow = Selectable<WebhookTables['webhooks']>

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  accountId: row.account_id,
  profileId: toNumberOrNull(row.profile_id),
  apiKeyId: toNumberOrNull(row.api_key_id),
  sourceDid: row.source_did,
  sourceProfileId: toNumberOrNull(row.source_profile_id),
  eventTypes: row.event_types,
  deliveryUrl: row.delivery_url,
  deliveryFormat: row.delivery_format,
  filter: row.filter,
  maxBatchSize: row.max_batch_size,
  maxBatchWaitMs: row.max_batch_wait_ms,
  leaseSeconds: row.lease_seconds,
  metadata: row.metadata,
  tier: row.tier,
  fingerprint: row.fingerprint,
  status: row.status,
  pauseReason: row.pause_reason,
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousSecretUntil: toDateOrNull(row.previous_secret_until),
  failureCount: row.failure_count,
  createdAt: toDate(row.created_at),
  verificationExpiresAt: toDate(row.verification_expires_at),
  expiresAt: toDateOrNull(row.expires_at),
  missedSince: toDateOrNull(row.missed_since),
  pending: row.pending,
})

export const toAttempt = (row: Selectable<WebhookTables['webhook_attempts']>): WebhookAttempt => ({
  cursor: row.cursor,
  attempt: row.attempt,
  at: toDate(row.at),
  statusCode: row.status_code,
  responseTimeMs: row.response_time_ms,
  outcome: row.outcome,
  error: row.error,
  retryAfter: row.retry_after,
})
