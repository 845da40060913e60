import type { Migration } from './index.ts'

// Counts of words change often: with free space in each page, PostgreSQL updates them without the indexes.
export const m0061SearchCounts: Migration = ['alter table search_words set (fillfactor = 70)']
