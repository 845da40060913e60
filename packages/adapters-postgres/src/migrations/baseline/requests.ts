import type { Migration } from '../index.ts'

export const requests: Migration = [
  // A key for one profile is deleted with it: without the profile it would be valid for the whole account.
  `create table api_keys (
    id bigint generated always as identity primary key,
    account_id uuid not null references accounts on delete cascade,
    profile_id bigint references profiles on delete cascade,
    name text not null,
    hash text not null unique,
    masked text not null,
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    older_uses bigint not null default 0,
    -- Keys that were created with a key end with it.
    parent_id bigint references api_keys on delete cascade
  )`,
  'create index api_keys_of_account on api_keys (account_id, created_at, id)',
  'create index api_keys_of_profile on api_keys (profile_id) where profile_id is not null',
  'create index api_keys_of_parent on api_keys (parent_id) where parent_id is not null',
  'create index api_keys_ended on api_keys (least(expires_at, revoked_at))',

  // Uses by hour. Uses older than a month are summed in api_keys.older_uses.
  `create table api_key_uses (
    key_id bigint not null references api_keys on delete cascade,
    hour timestamptz not null,
    count bigint not null,
    primary key (key_id, hour)
  )`,

  // Unlogged: a crash may lose the counts of a minute, and a hit does not wait for the disk.
  `create unlogged table rate_limits (
    key text primary key,
    count bigint not null,
    resets_at timestamptz not null
  ) with (fillfactor = 70)`,
  'create index rate_limits_by_end on rate_limits (resets_at)',

  `create table nonces (
    scope text not null,
    nonce text not null,
    expires_at timestamptz not null,
    primary key (scope, nonce)
  )`,
  'create index nonces_expiry on nonces (expires_at)',

  `create table idempotency_keys (
    account_id uuid not null references accounts on delete cascade,
    route text not null,
    key text not null,
    fingerprint text not null,
    holder uuid not null,
    lease_until timestamptz not null,
    answered boolean not null default false,
    answer text,
    expires_at timestamptz not null,
    -- What remains of a response without its body.
    facts text,
    primary key (account_id, route, key)
  )`,
  'create index idempotency_keys_expiry on idempotency_keys (expires_at)',
  'create index idempotency_keys_of_account on idempotency_keys (account_id, expires_at)',
  // Every account may have many keys, and few with a body.
  'create index idempotency_keys_answers on idempotency_keys (account_id, expires_at) where answer is not null',
]
