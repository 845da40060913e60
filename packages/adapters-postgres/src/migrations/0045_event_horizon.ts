import type { Migration } from './index.ts'

export const m0045EventHorizon: Migration = [
  // The cursor up to which events were deleted.
  `alter table event_log add column horizon text not null default '0'`,
]
