import type { Migration } from './index.ts'

export const m0010Deletion: Migration = [
  'alter table profiles add column withdrawn_at timestamptz',
  `create index accounts_due on accounts (deletion_scheduled_at, id) where deletion_scheduled_at is not null`,

  // Indexes to find an account in financial records and in the event log.
  'create index payments_of_profile on payments (profile_id)',
  'create index payments_of_account on payments (payer_account_id) where payer_account_id is not null',
  'create index payments_of_did on payments (payer_did) where payer_did is not null',
  'create index receipts_of_profile on receipts (profile_id)',
  'create index receipts_of_seller on receipts (seller_account_id) where seller_account_id is not null',
  'create index events_of_account on events (account_id) where account_id is not null',
  // The account that the data of an event is about, if it is not the one that caused it.
  'alter table events add column about_account_id text',
  'create index events_about_account on events (about_account_id) where about_account_id is not null',
  'create index page_versions_of_author on page_versions (created_by)',
]
