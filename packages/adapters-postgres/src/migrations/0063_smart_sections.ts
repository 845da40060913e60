import type { Migration } from './index.ts'

export const m0063SmartSections: Migration = [
  // One row holds all sections of a profile: they are read and replaced together.
  `create table smart_sections (
    profile_id bigint primary key references profiles on delete cascade,
    sections json not null,
    version integer not null,
    updated_at timestamptz not null
  )`,
]
