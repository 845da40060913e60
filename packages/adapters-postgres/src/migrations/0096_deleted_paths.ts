import type { Migration } from './index.ts'

// A path without a page and a category is that of deleted content.
export const m0096DeletedPaths: Migration = [
  'alter table old_paths drop constraint old_paths_check',
  'alter table old_paths add constraint old_paths_check check (num_nonnulls(page_id, category_id) <= 1)',
]
