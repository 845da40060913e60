import type { Migration } from './index.ts'

export const m0040RefundClaims: Migration = [
  // A transfer confirms one refund. Null for refunds that no rail proved.
  'alter table refunds add column proof_key text',
  'create unique index refunds_proof on refunds (proof_key) where proof_key is not null',

  // Separate from refunds, so that no query of refunds includes claims.
  `create table refund_claims (
    receipt_id text primary key references receipts,
    reference text not null,
    reason text,
    claimed_at timestamptz not null,
    claimed_by uuid,
    check_at timestamptz not null
  )`,
  'create index refund_claims_due on refund_claims (check_at)',
  'create index refund_claims_of_account on refund_claims (claimed_by) where claimed_by is not null',
]
