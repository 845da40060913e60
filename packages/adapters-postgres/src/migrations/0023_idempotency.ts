import type { Migration } from './index.ts'

export const m0023Idempotency: Migration = [
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
    primary key (account_id, route, key)
  )`,
  'create index idempotency_keys_expiry on idempotency_keys (expires_at)',
]
