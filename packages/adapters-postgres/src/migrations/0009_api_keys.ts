import type { Migration } from './index.ts'

export const m0009ApiKeys: Migration = [
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
    older_uses bigint not null default 0
  )`,
  'create index api_keys_of_account on api_keys (account_id, created_at, id)',
  'create index api_keys_of_profile on api_keys (profile_id) where profile_id is not null',

  // Uses by hour. Uses older than a month are summed in api_keys.older_uses.
  `create table api_key_uses (
    key_id bigint not null references api_keys on delete cascade,
    hour timestamptz not null,
    count bigint not null,
    primary key (key_id, hour)
  )`,
]
