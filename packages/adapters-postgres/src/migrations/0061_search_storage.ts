import type { Migration } from './index.ts'

export const m0061SearchStorage: Migration = [
  // Counts of words change often: with free space in each page, PostgreSQL updates them without the indexes.
  'alter table search_words set (fillfactor = 70)',
  // Ranking reads the words of each match: those of documents up to a page of text are in its row. Half of a block is the limit.
  'alter table search_documents set (toast_tuple_target = 4080)',
]
