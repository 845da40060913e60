import type { Embedder } from '../../../ports/embedder.ts'
import type { SearchMode, SearchResult } from '../../../ports/search-index.ts'
import type { SearchMeaning } from '../../../ports/search-vectors.ts'
import type { Embedding } from './embedding.ts'
import { semanticSearchDisabled, semanticSearchUnavailable } from './errors.ts'

/** The embedder of queries. */
export interface QueryEmbedder {
  readonly embedder: Embedder
  readonly embedding: Pick<Embedding, 'query'>
}

const RETRY = { retryAfterMs: 5_000 }

/** Returns functions that embed queries. Without an embedder, documents are found by words only. */
export function createQueryMeaning(using: QueryEmbedder | undefined) {
  return {
    /** How a query without a mode is searched. */
    defaultMode: (mode: SearchMode | undefined): SearchMode => (using ? (mode ?? 'hybrid') : 'keyword'),

    /** @throws `semantic_search_disabled` for a semantic search without an embedder */
    requireEmbedder(mode: SearchMode | undefined): void {
      if (mode === 'semantic' && !using) throw semanticSearchDisabled()
    },

    /**
     * The embedded text of a query, for its first page. Undefined for a keyword search, for a query without words, and for a
     * hybrid search when the embedder does not respond.
     *
     * @throws `semantic_search_disabled`, `semantic_search_unavailable`
     */
    async meaningOf(
      text: string,
      { mode, cursor }: { readonly mode?: SearchMode | undefined; readonly cursor?: string | undefined },
    ): Promise<SearchMeaning | undefined> {
      const isSemantic = mode === 'semantic'
      if (isSemantic && !using) throw semanticSearchDisabled()
      if (!using || mode === 'keyword' || cursor !== undefined || text.trim() === '') return undefined
      const { embedder, embedding } = using
      const found = await embedding.query(text, { waits: isSemantic })
      if (found.is === 'unavailable' && isSemantic) throw semanticSearchUnavailable(RETRY)
      if (found.is === 'unavailable' || (found.is === 'nothing' && !isSemantic)) return undefined
      const { id: embedderId, dimensions, minSimilarity = 0 } = embedder
      if (found.is === 'nothing') {
        // No document reaches this similarity, so the search finds nothing.
        return { embedderId, vector: Array.from({ length: dimensions }, () => 0), minSimilarity: 2, isHybrid: false }
      }
      return { embedderId, vector: found.vector, minSimilarity, isHybrid: !isSemantic }
    },

    /**
     * The vectors of another embedder are used until those of this one are complete, so a semantic search has no result.
     *
     * @throws `semantic_search_unavailable`
     */
    requireVectors(mode: SearchMode | undefined, meaning: SearchMeaning | undefined, result: SearchResult): void {
      if (mode === 'semantic' && meaning && result.mode === 'keyword') throw semanticSearchUnavailable(RETRY)
    },
  }
}

export type QueryMeaning = ReturnType<typeof createQueryMeaning>
