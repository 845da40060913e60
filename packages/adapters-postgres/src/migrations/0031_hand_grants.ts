import type { Migration } from './index.ts'

export const m0031HandGrants: Migration = [
  // Grants by hand, next to paid access. The row has the later end of both.
  'alter table entitlements add column given_tier text, add column given_until timestamptz',
  `update entitlements set given_tier = tier, given_until = valid_until
    where receipt_id is null and revoked_at is null`,
]
