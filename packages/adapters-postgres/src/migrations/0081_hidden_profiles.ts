import type { Migration } from './index.ts'

export const m0081HiddenProfiles: Migration = [
  // Its profile is withdrawn, too, so that every reader of this and the previous release leaves it out.
  `create table hidden_profiles (
    profile_id bigint primary key references profiles on delete cascade,
    import_id uuid,
    touched_at timestamptz not null
  )`,
  'create index hidden_profiles_by_time on hidden_profiles (touched_at)',
  'create index hidden_profiles_of_import on hidden_profiles (import_id) where import_id is not null',
]
