import type { Migration } from './index.ts'

export const m0001Accounts: Migration = [
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
    created_at timestamptz not null
  )`,
  'create unique index accounts_email on accounts (lower(email))',
]
