import type { Migration } from './index.ts'

export const m0021Refunds: Migration = [
  // A financial record, which outlives accounts and profiles like its receipt.
  `create table refunds (
    receipt_id text primary key references receipts,
    reference text not null,
    reason text,
    refunded_at timestamptz not null,
    refunded_by uuid
  )`,
  'create index refunds_of_account on refunds (refunded_by) where refunded_by is not null',
  'create index receipts_of_sales on receipts (profile_id, issued_at desc, receipt_id)',
  'drop index receipts_of_profile',

  'alter table entitlements add column revoked_at timestamptz',
  'create index entitlements_of_profile on entitlements (profile_id, created_at desc, id)',
  'create index entitlements_of_receipt on entitlements (receipt_id) where receipt_id is not null',
]
