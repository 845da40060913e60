import type { Migration } from '../index.ts'

export const accounts: Migration = [
  `create table accounts (
    id uuid primary key,
    email text not null,
    email_verified boolean not null default false,
    username text not null unique,
    full_name text,
    password_hash text,
    token_version integer not null default 0,
    tier text not null default 'community' check (tier in ('community', 'pro', 'team')),
    is_admin boolean not null default false,
    banned_at timestamptz,
    deletion_scheduled_at timestamptz,
    created_at timestamptz not null,
    granted_tier text check (granted_tier in ('community', 'pro', 'team')),
    had_trial boolean not null default false,
    language text check (length(language) between 1 and 64),
    email_owned boolean not null default false
  )`,
  'create unique index accounts_email on accounts (lower(email))',
  'create index accounts_due on accounts (deletion_scheduled_at, id) where deletion_scheduled_at is not null',

  `create table sessions (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    last_used_at timestamptz not null,
    proved_at timestamptz not null,
    user_agent text,
    email_verified boolean not null,
    -- How its tokens may be sent.
    uses text[] not null default '{bearer}'
  )`,
  'create index sessions_of_account on sessions (account_id, created_at desc, id)',
  'create index sessions_expiry on sessions (expires_at)',

  // Digests are not unique: many accounts can have the same short code.
  `create table tokens (
    id uuid primary key,
    purpose text not null,
    hash text not null,
    account_id uuid references accounts on delete cascade,
    data json not null,
    tries_left integer,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index tokens_by_hash on tokens (hash, purpose)',
  'create index tokens_of_account on tokens (account_id, purpose, created_at)',
  'create index tokens_expiry on tokens (expires_at)',

  `create table identities (
    provider text not null,
    subject text not null,
    account_id uuid not null references accounts on delete cascade,
    email text,
    created_at timestamptz not null,
    primary key (provider, subject)
  )`,
  'create index identities_of_account on identities (account_id)',

  // A new verification changes the time, so the order of linking is a separate column.
  `create table wallets (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    address text not null,
    chain_id bigint not null,
    verified_at timestamptz not null,
    linked bigint generated always as identity,
    unique (account_id, address, chain_id)
  )`,

  `create table payouts (
    id bigint generated always as identity primary key,
    account_id uuid not null references accounts on delete cascade,
    -- A payout outlives its wallet, disabled, until its owner removes it.
    wallet_id uuid references wallets on delete set null,
    network text not null,
    asset text not null,
    enabled boolean not null,
    created_at timestamptz not null
  )`,
  'create unique index payouts_enabled on payouts (account_id, network) where enabled',
  'create index payouts_of_account on payouts (account_id, id)',
  'create index payouts_of_wallet on payouts (wallet_id)',

  `create table passkeys (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    credential_id text not null unique,
    public_key text not null,
    sign_count bigint not null,
    transports json not null,
    backed_up boolean not null,
    name text not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  'create index passkeys_of_account on passkeys (account_id, created_at)',

  `create table second_factors (
    account_id uuid primary key references accounts on delete cascade,
    sealed_key text not null,
    confirmed boolean not null,
    last_step bigint not null,
    recovery_hashes text[] not null,
    created_at timestamptz not null
  )`,
]
