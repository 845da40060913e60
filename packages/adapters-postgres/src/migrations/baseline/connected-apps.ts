import type { Migration } from '../index.ts'

export const connectedApps: Migration = [
  `create table app_connections (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    -- Sessions that ended are deleted, and their connections stay.
    session_id uuid,
    app_kind text not null check (app_kind in ('cimd', 'registered', 'configured')),
    client_id text not null,
    app_name text not null,
    app_host text,
    app_verified boolean not null,
    redirect_host text,
    scopes text[] not null,
    reach text not null check (reach in ('all', 'one')),
    -- Null with the reach of one profile: the profile was deleted, and the connection is not live.
    profile_id bigint references profiles on delete set null,
    may_spend boolean not null,
    spender text not null,
    spending json,
    resources text[] not null,
    seed text not null,
    generation integer not null,
    rotated_at timestamptz not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    idle_seconds integer not null,
    idle_ends_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    end_reason text,
    check (reach = 'one' or profile_id is null)
  )`,
  'create index app_connections_of_account on app_connections (account_id, created_at desc, id desc)',
  'create index app_connections_of_profile on app_connections (profile_id) where profile_id is not null',
  'create index app_connections_idle on app_connections (idle_ends_at) where ended_at is null',
  'create index app_connections_ended on app_connections (ended_at) where ended_at is not null',

  `create table app_tokens (
    hash text primary key,
    connection_id uuid not null references app_connections on delete cascade,
    -- Tokens of one moment have an order, too.
    position bigint generated always as identity,
    scopes text[],
    resources text[],
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index app_tokens_of_connection on app_tokens (connection_id, position)',
  'create index app_tokens_expiry on app_tokens (expires_at)',

  // Decisions on the consent page: the primary key admits one for each sealed request. Denials have no code.
  `create table app_codes (
    request_id text primary key,
    account_id uuid not null references accounts on delete cascade,
    decided_at timestamptz not null,
    hash text unique,
    redirect_uri text,
    challenge text,
    granted json,
    expires_at timestamptz not null,
    redeemed_at timestamptz,
    connection_id uuid
  )`,
  'create index app_codes_of_account on app_codes (account_id)',
  'create index app_codes_expiry on app_codes (expires_at)',

  `create table app_device_requests (
    device_hash text primary key,
    user_code_hash text not null unique,
    app json not null,
    scopes text[] not null,
    resources text[] not null,
    address_hash text not null,
    interval_seconds integer not null,
    last_polled_at timestamptz,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    decided_at timestamptz,
    account_id uuid references accounts on delete cascade,
    granted json,
    redeemed_at timestamptz
  )`,
  'create index app_device_requests_of_account on app_device_requests (account_id) where account_id is not null',
  'create index app_device_requests_open on app_device_requests (expires_at) where decided_at is null',
  'create index app_device_requests_expiry on app_device_requests (expires_at)',

  `create table app_spends (
    id text primary key,
    account_id uuid not null references accounts on delete cascade,
    spender text not null,
    currency text not null check (currency in ('usd', 'eur', 'credits')),
    amount bigint not null check (amount >= 0),
    day date not null,
    state text not null check (state in ('reserved', 'adjusted', 'released'))
  )`,
  'create index app_spends_of_account on app_spends (account_id)',
  'create index app_spends_by_day on app_spends (day)',

  // Sums of app_spends. The empty spender has those of all spenders of the account; its row is locked first.
  `create table app_spend_totals (
    account_id uuid not null references accounts on delete cascade,
    spender text not null,
    currency text not null,
    month date not null,
    -- The amount of each day of the month, from the first.
    days json not null,
    primary key (account_id, currency, month, spender)
  )`,
  'create index app_spend_totals_by_month on app_spend_totals (month)',

  // A receipt is signed and has no app.
  `create table app_receipts (
    receipt_id text primary key,
    account_id uuid not null references accounts on delete cascade,
    spender text not null,
    name text not null,
    host text,
    created_at timestamptz not null
  )`,
  'create index app_receipts_of_account on app_receipts (account_id, created_at desc, receipt_id desc)',
  'create index app_receipts_of_spender on app_receipts (account_id, spender, created_at desc, receipt_id desc)',
]
