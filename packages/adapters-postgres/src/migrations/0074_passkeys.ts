import type { Migration } from './index.ts'

export const m0074Passkeys: Migration = [
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
]
