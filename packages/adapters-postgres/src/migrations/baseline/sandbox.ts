import type { Migration } from '../index.ts'

/** What the sandbox stores: wallets of the play chain, and the records of the play processor. Empty in every other service. */
export const sandbox: Migration = [
  `create table sandbox_wallets (
    address text primary key,
    atomic numeric not null check (atomic >= 0),
    -- Whether it sent or received a transfer.
    is_used boolean not null,
    created_at timestamptz not null
  )`,
  // Retention finds wallets that were never used.
  'create index sandbox_wallets_unused on sandbox_wallets (created_at) where not is_used',

  `create table sandbox_transfers (
    from_address text not null,
    nonce text not null,
    to_address text not null,
    atomic numeric not null,
    transaction text not null unique,
    is_authorized boolean not null,
    at timestamptz not null,
    primary key (from_address, nonce)
  )`,

  `create table sandbox_payments (
    id text primary key,
    kind text not null check (kind in ('checkout', 'token')),
    state text not null check (state in ('open', 'paid', 'declined', 'unknown', 'canceled', 'expired')),
    currency text not null,
    amount numeric not null,
    details json not null,
    email text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    decided_at timestamptz,
    refunded_at timestamptz,
    dispute text check (dispute in ('opened', 'won', 'lost'))
  )`,
  'create index sandbox_payments_by_state on sandbox_payments (state, created_at)',
  // Retention finds payments that were never made.
  `create index sandbox_payments_unpaid on sandbox_payments (expires_at) where state not in ('paid', 'unknown')`,
  'create index sandbox_payments_by_email on sandbox_payments (lower(email)) where email is not null',

  `create table sandbox_plans (
    id text primary key,
    account_id uuid not null,
    attempt text not null unique,
    subscription_id text unique,
    version integer not null,
    ahead_ms bigint not null,
    details json not null,
    created_at timestamptz not null
  )`,
  // Retention finds orders that were never paid.
  'create index sandbox_plans_unbought on sandbox_plans (created_at) where subscription_id is null',
  'create index sandbox_plans_of_account on sandbox_plans (account_id)',
  'create index sandbox_plans_by_age on sandbox_plans (created_at)',

  `create table sandbox_mail (
    id uuid primary key,
    to_address text not null,
    subject text not null,
    html text not null,
    body text not null,
    sent_at timestamptz not null
  )`,
  'create index sandbox_mail_by_age on sandbox_mail (sent_at, id)',
  'create index sandbox_mail_by_address on sandbox_mail (lower(to_address))',
]
