import type { Migration } from './index.ts'

export const m0035ContentSizes: Migration = [
  // What an account stores is summed with every save, without reading the texts.
  `alter table page_versions add column bytes bigint generated always as
     (octet_length(title) + octet_length(body) + coalesce(octet_length(excerpt), 0)) stored`,
  'create index page_versions_sizes on page_versions (page_id) include (bytes)',

  // Until then the next save of the same author replaces this version; null keeps it.
  'alter table page_versions add column replaceable_until timestamptz',
]
