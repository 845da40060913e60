import type { Migration } from '../index.ts'

export const notifications: Migration = [
  'create sequence notification_positions',

  `create table notifications (
    id uuid primary key,
    position bigint not null default nextval('notification_positions'),
    account_id uuid not null references accounts on delete cascade,
    profile_id bigint references profiles on delete cascade,
    about_profile_id bigint references profiles on delete cascade,
    kind text not null,
    group_key text,
    count integer not null default 1,
    has_actors boolean not null,
    data json not null,
    in_app boolean not null,
    email_due_at timestamptz,
    in_digest boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    read_at timestamptz,
    -- How often an email was taken.
    email_attempts integer not null default 0,
    -- The permission that the recipient needs, which is checked again before an email is sent.
    permission text,
    -- The app by which an account did it.
    through json,
    through_account_id uuid
  )`,
  'create index notifications_through on notifications (through_account_id) where through_account_id is not null',
  `create unique index notifications_unread_groups on notifications (account_id, group_key)
    where read_at is null and group_key is not null`,
  'create index notifications_of_account on notifications (account_id, position desc) where in_app',
  'create index notifications_unread on notifications (account_id) where in_app and read_at is null',
  'create index notifications_by_time on notifications (updated_at)',
  'create index notifications_of_profile on notifications (profile_id) where profile_id is not null',
  'create index notifications_about on notifications (about_profile_id) where about_profile_id is not null',
  'create index notifications_to_email on notifications (email_due_at) where email_due_at is not null',
  'create index notifications_in_digest on notifications (account_id) where in_digest',

  `create table notification_actors (
    notification_id uuid not null references notifications on delete cascade,
    profile_id bigint not null references profiles on delete cascade,
    at timestamptz not null,
    primary key (notification_id, profile_id)
  )`,
  'create index notification_actors_newest on notification_actors (notification_id, at desc, profile_id desc)',
  'create index notification_actors_of_profile on notification_actors (profile_id)',

  `create table notification_preferences (
    account_id uuid not null references accounts on delete cascade,
    kind text not null,
    in_app boolean not null,
    email text,
    primary key (account_id, kind)
  )`,

  // The next email that sums up the notifications of an account.
  `create table notification_digests (
    account_id uuid primary key references accounts on delete cascade,
    due_at timestamptz not null,
    attempts integer not null default 0
  )`,
  'create index notification_digests_due on notification_digests (due_at)',
]
