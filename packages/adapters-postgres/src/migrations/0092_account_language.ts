import type { Migration } from './index.ts'

export const m0092AccountLanguage: Migration = [
  'alter table accounts add column language text check (length(language) between 1 and 64)',
]
