import type { Migration } from './index.ts'

export const m0014ProfileNames: Migration = [
  // Former names of profiles. Each redirects to its profile and is kept until a given time.
  `create table profile_names (
    username text not null,
    type text not null,
    profile_id bigint not null references profiles on delete cascade,
    kept_until timestamptz not null,
    primary key (username, type)
  )`,
  'create index profile_names_of_profile on profile_names (profile_id)',
]
