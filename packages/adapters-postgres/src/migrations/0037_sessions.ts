import type { Migration } from './index.ts'

export const m0037Sessions: Migration = [
  // Tokens from before this migration have no session and are rejected, so all users sign in again.
  `create table sessions (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    last_used_at timestamptz not null,
    user_agent text,
    email_verified boolean not null
  )`,
  'create index sessions_of_account on sessions (account_id, created_at desc, id)',
  'create index sessions_expiry on sessions (expires_at)',
]
