import type { Migration } from './index.ts'

export const m0055NotificationAttempts: Migration = [
  // How often an email was taken.
  'alter table notifications add column email_attempts integer not null default 0',
  'alter table notification_digests add column attempts integer not null default 0',
  // The permission that the recipient needs, which is checked again before an email is sent.
  'alter table notifications add column permission text',
  // Notifications have the emails about paused webhooks.
  'drop index webhooks_to_notify',
  'alter table webhooks drop column pause_notice_at, drop column pause_notice_attempts',
]
