import type { Migration } from './index.ts'

export const m0020Connections: Migration = [
  `create table connections (
    follower_profile_id bigint not null references profiles on delete cascade,
    followee_profile_id bigint not null references profiles on delete cascade,
    created_at timestamptz not null,
    primary key (follower_profile_id, followee_profile_id),
    check (follower_profile_id <> followee_profile_id)
  )`,
  `create index connections_of_follower
    on connections (follower_profile_id, created_at desc, followee_profile_id desc)`,
  `create index connections_of_followee
    on connections (followee_profile_id, created_at desc, follower_profile_id desc)`,
]
