import type { Migration } from './index.ts'

export const m0006Events: Migration = [
  `create table events (
    position bigint generated always as identity primary key,
    id uuid not null,
    type text not null,
    profile_id bigint,
    account_id text,
    data json not null,
    at timestamptz not null
  )`,
  'create index events_of_profile on events (profile_id, position) where profile_id is not null',

  `create table followers (
    name text primary key,
    holder text not null,
    position bigint not null,
    lease_until timestamptz not null
  )`,
]
