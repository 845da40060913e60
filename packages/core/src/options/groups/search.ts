import type { SearchIndex } from '../../ports/search-index.ts'
import { port } from '../fields.ts'

/** The options of the module `search`. */
export const search = {
  /** The full-text index: `postgresSearch()`, or `storage.search()` of `pgliteStorage()`. Without one there is no search. */
  index: port<SearchIndex>('put', 'remove', 'mark', 'query', 'suggest', 'rebuild', 'stats', 'ping').optional(),
}
