import type { Migration } from './index.ts'

// Queries without words list the newest documents.
export const m0060SearchNewest: Migration = [
  'create index search_documents_newest on search_documents (generation, updated_at desc, id desc)',
]
