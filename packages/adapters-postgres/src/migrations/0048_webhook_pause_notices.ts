import type { Migration } from './index.ts'

export const m0048WebhookPauseNotices: Migration = [
  // When to notify the owner of a webhook that the service paused it.
  'alter table webhooks add column pause_notice_at timestamptz',
  'create index webhooks_to_notify on webhooks (pause_notice_at) where pause_notice_at is not null',
]
