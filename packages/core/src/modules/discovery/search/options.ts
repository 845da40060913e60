import { port } from '../../../framework/options/fields.ts'
import type { Embedder } from '../../../ports/embedder.ts'
import type { SearchIndex } from '../../../ports/search-index.ts'

const MAX_ID = 200
const MAX_DIMENSIONS = 4_096

const isNamed = ({ id, dimensions }: Embedder) =>
  typeof id === 'string' &&
  id.length > 0 &&
  id.length <= MAX_ID &&
  Number.isInteger(dimensions) &&
  dimensions > 0 &&
  dimensions <= MAX_DIMENSIONS

/** The options of the feature. */
export const searchOptions = {
  /** The full-text index: `postgresSearch()`, or `storage.search()` of `pgliteStorage()`. Without one, `/search` responds with 503. */
  index: port<SearchIndex>('put', 'remove', 'mark', 'query', 'suggest', 'rebuild', 'stats', 'ping').optional(),
  /**
   * Searches by meaning: `wordEmbeddings()`, `openAiEmbeddings()` of `@eep/core/embeddings`. The index is rebuilt when it
   * changes. Without one, documents are found by words only.
   */
  embedder: port<Embedder>('embed')
    .refine(isNamed, { error: 'Must have an id of up to 200 characters and 1 to 4,096 dimensions' })
    .optional(),
}
