import type { Migration } from '../index.ts'

export const payments: Migration = [
  // Written once, by the first start with a rail.
  `create table service_settings (
    is_only_row boolean primary key default true check (is_only_row),
    money_kind text check (money_kind in ('sandbox', 'test', 'real'))
  )`,
  'insert into service_settings default values',

  // Financial records outlive profiles and accounts, so they have no foreign keys to them.
  `create table payments (
    id uuid primary key,
    rail text not null,
    credential_id text not null,
    fingerprint text not null,
    expires_at timestamptz,
    payer json not null,
    profile_id bigint not null,
    per text not null,
    purchase json not null,
    proof json not null,
    checkpoint json not null,
    open_key text,
    state text not null check (state in ('reserved', 'settling', 'unknown', 'settled', 'refused')),
    reason text,
    lease_until timestamptz,
    asked_at timestamptz not null,
    receipt_id text,
    settlement json,
    payer_account_id text,
    payer_did text,
    -- The operator that signed the request of the payer.
    payer_bot text,
    gate_hit_at timestamptz not null,
    challenge_issued_at timestamptz not null,
    created_at timestamptz not null,
    delivery_held_until timestamptz,
    delivered_at timestamptz,
    -- The owner of the profile when the payment was claimed. Null for what the service itself sold.
    seller_account_id text,
    -- How often the content of a payment for one request was sent.
    deliveries integer not null default 0,
    -- Finds the purchases of an email address that was entered at the rail. It contains a keyed hash, never the address.
    buyer text,
    -- The address itself, only where the buyer shared it with the seller of this sale.
    told_email text,
    -- What the times of the gate hit and the challenge are.
    timeline_basis text not null,
    unique (rail, credential_id),
    check ((state = 'settled') = (settlement is not null and receipt_id is not null))
  )`,
  `create unique index payments_open_key on payments (open_key)
    where state in ('reserved', 'settling', 'unknown')`,
  `create index payments_abandoned on payments (asked_at)
    where state in ('reserved', 'settling', 'unknown')`,
  `create index payments_undelivered on payments (open_key, created_at)
    where state = 'settled' and per = 'request' and delivered_at is null`,
  // Indexes to find an account in financial records.
  'create index payments_of_profile on payments (profile_id)',
  'create index payments_of_account on payments (payer_account_id) where payer_account_id is not null',
  'create index payments_of_did on payments (payer_did) where payer_did is not null',
  'create index payments_of_seller on payments (seller_account_id) where seller_account_id is not null',
  'create index payments_of_buyer on payments (buyer, created_at desc) where buyer is not null',
  'create index payments_of_receipt on payments (receipt_id) where receipt_id is not null',
  // Finds earlier refusals of a wallet before its next payment is claimed.
  `create index payments_refused_by_payer on payments ((payer ->> 'wallet')) where state = 'refused'`,

  // What a payment for one request is bound to, and what became of its answers. It contains no names: its keys are digests.
  `create table paid_requests (
    payment_id uuid primary key references payments,
    bound text not null,
    payer text,
    credit_keys text[] not null,
    header_digest text not null,
    charge text not null check (charge in ('before', 'after')),
    compensation text not null check (compensation in ('refund', 'keep')),
    is_correctable boolean not null,
    compensate_after_ms bigint not null,
    atomic text,
    last_outcome text check (last_outcome in ('rejected', 'failed', 'broken')),
    failures integer not null default 0,
    rejections integer not null default 0,
    ended text check (ended in ('used', 'compensated')),
    -- When it is compensated unless it was delivered; null for never.
    due_at timestamptz,
    -- When it was taken for compensation.
    taken_at timestamptz
  )`,
  'create index paid_requests_of_payer on paid_requests (payer) where payer is not null',
  'create index paid_requests_credits on paid_requests using gin (credit_keys)',
  'create index paid_requests_due on paid_requests (due_at) where due_at is not null',

  // Sealed answers that were not delivered yet. They expire with what their payment can be used for.
  `create table kept_answers (
    payment_id uuid primary key references paid_requests,
    sealed text not null,
    expires_at timestamptz not null
  )`,
  'create index kept_answers_expired on kept_answers (expires_at)',

  `create table payer_strikes (
    id uuid primary key,
    payer text not null,
    kind text not null,
    at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index payer_strikes_of_payer on payer_strikes (payer, at)',
  'create index payer_strikes_expired on payer_strikes (expires_at)',

  `create table receipts (
    receipt_id text primary key,
    profile_id bigint not null,
    seller_did text not null,
    seller_account_id text,
    resource text not null,
    resource_pattern text not null,
    tier text not null,
    per text not null,
    amount_atomic text not null,
    amount_decimal text not null,
    amount_asset text not null,
    amount_currency text not null,
    commission_bps integer not null,
    rail text not null,
    settlement_reference text not null,
    settlement_transaction text,
    settlement_network text not null,
    payer_did text,
    payer_account_id text,
    payer_wallet_address text not null,
    payer_network text not null,
    gate_hit_at timestamptz not null,
    challenge_issued_at timestamptz not null,
    paid_at timestamptz not null,
    settled_at timestamptz not null,
    issued_at timestamptz not null,
    signature text not null,
    timeline_basis text not null,
    payer_erased boolean not null default false
  )`,
  `create index receipts_of_account on receipts (payer_account_id, issued_at desc, receipt_id)
    where payer_account_id is not null`,
  'create index receipts_of_did on receipts (payer_did, issued_at desc, receipt_id) where payer_did is not null',
  'create index receipts_of_seller on receipts (seller_account_id) where seller_account_id is not null',
  'create index receipts_of_sales on receipts (profile_id, issued_at desc, receipt_id)',
  // Receipts have EVM addresses as they were sent.
  'create index receipts_of_wallet on receipts (lower(payer_wallet_address), payer_network)',

  // A financial record, which outlives accounts and profiles like its receipt.
  `create table refunds (
    receipt_id text primary key references receipts,
    reference text not null,
    reason text,
    refunded_at timestamptz not null,
    refunded_by uuid,
    -- A transfer confirms one refund. Null for refunds that no rail proved.
    proof_key text
  )`,
  'create index refunds_in_order on refunds (refunded_at desc, receipt_id)',
  'create index refunds_of_account on refunds (refunded_by) where refunded_by is not null',
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
  'create index refund_claims_in_order on refund_claims (claimed_at desc, receipt_id)',
  'create index refund_claims_due on refund_claims (check_at)',
  'create index refund_claims_of_account on refund_claims (claimed_by) where claimed_by is not null',

  `create table disputes (
    receipt_id text not null references receipts,
    reference text not null,
    state text not null check (state in ('opened', 'won', 'lost')),
    updated_at timestamptz not null,
    primary key (receipt_id, reference)
  )`,
]
