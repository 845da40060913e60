import type { Migration } from '../index.ts'

export const events: Migration = [
  `create table events (
    position bigint generated always as identity primary key,
    id uuid not null,
    type text not null,
    profile_id bigint,
    account_id text,
    data json not null,
    at timestamptz not null,
    -- The account that the data of an event is about, if it is not the one that caused it.
    about_account_id text,
    -- Events are ordered by era, transaction and position: transaction ids belong to a cluster, and a restore begins a new era.
    era integer not null default 0,
    xid xid8 not null default pg_current_xact_id(),
    traceparent text,
    -- The app by which the account caused it.
    through json
  )`,
  'create index events_of_account on events (account_id) where account_id is not null',
  'create index events_about_account on events (about_account_id) where about_account_id is not null',
  'create index events_in_order on events (era, xid, position)',
  'create index events_of_profile_in_order on events (profile_id, era, xid, position) where profile_id is not null',
  // Finds the place in the log of a moment.
  'create index events_by_time on events (at)',

  `create table event_log (
    era integer not null,
    only_row boolean primary key default true check (only_row),
    -- The cursor up to which events were deleted.
    horizon text not null default '0'
  )`,
  'insert into event_log (era) values (0)',

  `create table followers (
    name text primary key,
    holder text not null,
    lease_until timestamptz not null,
    cursor text not null
  )`,
]
