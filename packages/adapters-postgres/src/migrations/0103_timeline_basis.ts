import type { Migration } from './index.ts'

export const m0103TimelineBasis: Migration = [
  // Processes of the previous release write no basis.
  'alter table payments add column timeline_basis text',
  'alter table receipts add column timeline_basis text',
]
