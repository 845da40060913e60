import type { Migration } from './index.ts'

// Processes of the previous release neither write nor obey these columns.
export const m0122WebhookRetryAfter: Migration = [
  'alter table webhooks add column not_before timestamptz',
  'alter table webhook_attempts add column retry_after text',
]
