import type { Caller } from '../../../model/caller.ts'
import type { SearchQuery, SearchResults, SearchServiceStats, SearchSuggestionItem } from './service.ts'

/** The methods of `app.eep.search`. */
export interface SearchApi {
  /**
   * Searches public profiles, pages, posts and files. Hits and their texts depend on what is public at the time of the search,
   * whatever the state of the index.
   *
   * @throws `invalid_search_query`, `invalid_cursor`, `semantic_search_disabled`, `semantic_search_unavailable`; `unauthenticated` for `gated` without a caller
   */
  search(query: SearchQuery, caller?: Caller): Promise<SearchResults>
  /** Returns at most eight titles with the words of a text, the last of which may be a prefix. */
  suggest(text: string): Promise<readonly SearchSuggestionItem[]>
  /**
   * Returns the number of documents, whether a rebuild runs, and the age of the oldest event that is not
   * indexed, or 0.
   */
  stats(): Promise<SearchServiceStats>
  /**
   * Rebuilds the index next to the one in use, and then replaces it. Returns when the rebuild is requested; one
   * instance runs it in the background.
   */
  reindex(): Promise<void>
}
