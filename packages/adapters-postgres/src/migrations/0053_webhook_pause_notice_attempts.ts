import type { Migration } from './index.ts'

export const m0053WebhookPauseNoticeAttempts: Migration = [
  // How often the notice of this pause was taken.
  'alter table webhooks add column pause_notice_attempts integer not null default 0',
]
