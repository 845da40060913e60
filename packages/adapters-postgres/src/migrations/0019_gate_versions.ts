import type { Migration } from './index.ts'

export const m0019GateVersions: Migration = [
  `create table gate_versions (
    profile_id bigint not null references profiles on delete cascade,
    version integer not null,
    config json not null,
    changed_by uuid,
    changed_at timestamptz not null,
    primary key (profile_id, version)
  )`,
  'create index gate_versions_of_author on gate_versions (changed_by) where changed_by is not null',
  `insert into gate_versions (profile_id, version, config, changed_at)
   select profile_id, version, config, updated_at from gates`,
]
