import type { Migration } from './index.ts'

export const m0140SearchFormat: Migration = [
  // The format of one generation. Processes of the previous release write neither, so a generation that they build has no format.
  'alter table search_state add column format integer, add column format_of integer',
]
