import type { Migration } from './index.ts'

export const m0143DeletedWorkspaces: Migration = [
  // A workspace may have many documents and versions, which are deleted in several transactions.
  'alter table workspaces add column deleted_at timestamptz',
  'create index workspaces_deleted on workspaces (deleted_at) where deleted_at is not null',
]
