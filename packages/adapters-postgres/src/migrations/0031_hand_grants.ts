import type { Migration } from './index.ts'

export const m0031HandGrants: Migration = [
  // What was given by hand, beside what was paid: the row shows whichever ends later.
  'alter table entitlements add column given_tier text, add column given_until timestamptz',
  `update entitlements set given_tier = tier, given_until = valid_until
    where receipt_id is null and revoked_at is null`,
]
