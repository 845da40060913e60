import type { Migration } from './index.ts'

export const m0116RemovedMemory: Migration = [
  // A session may have many entries, which are deleted in several transactions.
  'alter table memory_sessions add column removed_at timestamptz',
  'create index memory_sessions_removed on memory_sessions (removed_at) where removed_at is not null',
]
