import type { Migration } from '../index.ts'

export const memory: Migration = [
  `create table memory_sessions (
    id uuid primary key,
    profile_id bigint not null references profiles on delete cascade,
    agent_did text,
    name text,
    name_key_id text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    expires_at timestamptz not null,
    entries integer not null default 0,
    bytes bigint not null default 0,
    -- A session may have many entries, which are deleted in several transactions.
    removed_at timestamptz
  )`,
  'create index memory_sessions_of_profile on memory_sessions (profile_id, created_at desc, id desc)',
  'create index memory_sessions_expiry on memory_sessions (expires_at)',
  'create index memory_sessions_removed on memory_sessions (removed_at) where removed_at is not null',

  `create table memory_entries (
    id bigint generated always as identity primary key,
    session_id uuid not null references memory_sessions on delete cascade,
    role text not null,
    payload text not null,
    key_id text,
    importance double precision not null,
    bytes integer not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  'create index memory_entries_of_session on memory_entries (session_id, id desc)',
  // Texts to encrypt again after the key has changed.
  'create index memory_entries_key on memory_entries (key_id)',
]
