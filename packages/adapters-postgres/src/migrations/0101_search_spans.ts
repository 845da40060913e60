import type { Migration } from './index.ts'

/**
 * Does not break processes of the release before: the new index serves their queries too. For frequent words, only the newest documents
 * are ranked; this index finds those of a span of 30 days without reading the others.
 */
export const m0101SearchSpans: Migration = [
  // Every change of the index begins with a lock of this table. Without it here, one could wait for this migration and block its end.
  'lock table search_state in exclusive mode',
  `create index search_documents_words_spans on search_documents_public
    using gin (words, (array[floor(extract(epoch from updated_at at time zone 'UTC') / 2592000)::integer]))
    with (gin_pending_list_limit = 512)`,
  'drop index search_documents_words',
]
