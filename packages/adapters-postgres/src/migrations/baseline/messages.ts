import type { Migration } from '../index.ts'

export const messages: Migration = [
  // Profiles are named without a reference: the conversation stays for the other side when one is deleted.
  `create table conversations (
    id uuid primary key,
    low_profile_id bigint not null,
    high_profile_id bigint not null,
    last_seq bigint not null default 0,
    last_at timestamptz not null,
    created_at timestamptz not null,
    unique (low_profile_id, high_profile_id),
    check (low_profile_id < high_profile_id)
  )`,
  'create index conversations_of_high_profile on conversations (high_profile_id)',

  `create table conversation_sides (
    conversation_id uuid not null references conversations on delete cascade,
    profile_id bigint not null references profiles on delete cascade,
    other_profile_id bigint not null,
    has_written boolean not null default false,
    read_seq bigint not null default 0,
    blocked_at timestamptz,
    last_at timestamptz not null,
    primary key (conversation_id, profile_id)
  )`,
  'create index conversation_sides_of_profile on conversation_sides (profile_id, last_at desc, conversation_id desc)',

  `create table messages (
    conversation_id uuid not null references conversations on delete cascade,
    seq bigint not null,
    id uuid not null unique,
    kind text not null,
    sender_profile_id bigint,
    client_id text,
    data json not null,
    created_at timestamptz not null,
    deleted_at timestamptz,
    primary key (conversation_id, seq)
  )`,
  `create unique index messages_by_client_id
    on messages (conversation_id, kind, coalesce(sender_profile_id, 0), client_id) where client_id is not null`,

  // Apart from messages, so that the bodies of a profile are deleted with it.
  `create table message_bodies (
    message_id uuid primary key references messages (id) on delete cascade,
    sender_profile_id bigint not null references profiles on delete cascade,
    body text not null
  )`,
  'create index message_bodies_of_sender on message_bodies (sender_profile_id)',
]
