import type { Migration } from './index.ts'

// Of a frequent word, only the newest documents are ranked: the index finds those of a span of 30 days without reading the others.
export const m0101SearchSpans: Migration = [
  `create index search_documents_words_spans on search_documents_public
    using gin (words, (array[floor(extract(epoch from updated_at at time zone 'UTC') / 2592000)::integer]))
    with (gin_pending_list_limit = 512)`,
  'drop index search_documents_words',
]
