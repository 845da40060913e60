import type { Migration } from './index.ts'

export const m0007Tokens: Migration = [
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
]
