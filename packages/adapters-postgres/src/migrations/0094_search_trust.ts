import type { Migration } from './index.ts'

export const m0094SearchTrust: Migration = [
  'alter table search_documents add column trust real not null default 0',
  // The index is built again, with the trust in profiles and the stems of titles.
  'update search_state set position = null',
]
