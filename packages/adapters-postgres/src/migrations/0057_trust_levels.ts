import type { Migration } from './index.ts'

export const m0057TrustLevels: Migration = [
  `create table trust_levels (
    profile_id bigint primary key references profiles on delete cascade,
    level text,
    recheck_at timestamptz
  )`,
  'create index trust_levels_to_recheck on trust_levels (recheck_at) where recheck_at is not null',
]
