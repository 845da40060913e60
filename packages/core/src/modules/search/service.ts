import { isEepError, unauthenticated } from '../../kernel/errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { ProfileType } from '../../model/profile-type.ts'
import type { SearchHit, SearchIndex, SearchKind, SearchMode } from '../../ports/search-index.ts'
import type { SearchSource } from '../../ports/storage/search.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { ProfileService } from '../profiles/index.ts'
import { corrected } from './corrected.ts'
import { invalidSearchQuery } from './errors.ts'
import { reindexRequested } from './events.ts'
import { asksForNothing, type ParsedQuery, parseQuery } from './parse-query.ts'
import type { QueryMeaning } from './query-meaning.ts'
import type { ReadableKeys } from './readable-keys.ts'
import type { VisibleHits } from './visible-hits.ts'
import { createIndexWait } from './wait-for-index.ts'

/** The kinds of items to search. */
export type SearchScope = 'all' | 'feed' | 'profiles' | 'pages'

/** Facets by which hits can be counted. */
export type SearchFacet = 'profile_type' | 'kind' | 'tag'

/** A search request. */
export interface SearchQuery {
  readonly q: string
  readonly scope: SearchScope
  /** Default: `hybrid` with an embedder, else `keyword`. Ignored with a cursor. */
  readonly mode?: SearchMode | undefined
  readonly profileType?: ProfileType | undefined
  readonly limit: number
  readonly cursor?: string | undefined
  readonly facets?: readonly SearchFacet[] | undefined
  /** Also searches gated texts that the caller may read. */
  readonly gated?: 'mine' | undefined
  /** Waits at most two seconds until earlier changes are indexed. */
  readonly isConsistent?: boolean | undefined
}

/** A hit that the caller may see. */
export interface FoundSource {
  readonly source: SearchSource
  readonly hit: SearchHit
  /** Whether the index has the current state of the source. */
  readonly isCurrent: boolean
  readonly isGated: boolean
}

/** The number of hits for each value of a facet. */
export type SearchFacets = { readonly [Facet in SearchFacet]?: readonly (readonly [value: string, count: number])[] }

/** The hits of a search, best first. */
export interface SearchResults {
  readonly items: readonly FoundSource[]
  /** Counted up to 1,000. */
  readonly total: number
  readonly nextCursor?: string | undefined
  readonly facets?: SearchFacets | undefined
  /** The corrected query, when misspelled words were replaced. */
  readonly suggestion?: string | undefined
  /** How the hits were found: `keyword` also when the embedder did not answer a `hybrid` search. */
  readonly mode: SearchMode
}

/** A title that completes a query. */
export interface SearchSuggestionItem {
  readonly source: SearchSource
  readonly title: string
}

/** The state of the search. */
export interface SearchServiceStats {
  readonly documents: number
  readonly isRebuilding: boolean
  /** The number of texts that wait for the embedder. Until then they are found by words only. */
  readonly pendingTexts: number
  /** How long the oldest event that is not indexed has been waiting. */
  readonly lagMs: number
}

export interface SearchDeps extends GuardedStorage<'searchSources'> {
  readonly index: SearchIndex
  readonly meaning: QueryMeaning
  readonly profiles: Pick<ProfileService, 'find'>
  readonly visible: VisibleHits
  readonly readableKeys: ReadableKeys
}

const KINDS: Readonly<Record<SearchScope, readonly SearchKind[] | undefined>> = {
  all: undefined,
  feed: ['post'],
  profiles: ['profile'],
  pages: ['page'],
}

/** The number of best hits that facets count. */
const FACET_HITS = 200
/** The maximum number of values per facet. */
const FACET_VALUES = 20
/** The maximum number of index queries to replace hits that the caller may not see. */
const MAX_ROUNDS = 5
const MAX_SUGGESTED = 8

/** Returns the intersection of two lists. A missing list allows everything. */
function both<Item>(one: readonly Item[] | undefined, other: readonly Item[] | undefined): readonly Item[] | undefined {
  if (!one || !other) return one ?? other
  return one.filter((item) => other.includes(item))
}

function facetsOf(found: readonly FoundSource[], facets: readonly SearchFacet[]): SearchFacets {
  const valuesOf: Readonly<Record<SearchFacet, (each: FoundSource) => readonly string[]>> = {
    kind: ({ source }) => [source.kind],
    profile_type: ({ source }) => [source.profile.type],
    tag: ({ hit, isCurrent }) => (isCurrent ? hit.keywords : []),
  }
  const countsOf = (facet: SearchFacet) => {
    const counts = new Map<string, number>()
    for (const value of found.flatMap(valuesOf[facet])) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts]
      .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
      .slice(0, FACET_VALUES)
  }
  return Object.fromEntries(facets.map((facet) => [facet, countsOf(facet)]))
}

/** Creates the search in public texts and in those that the caller may read. */
export function createSearchService({ read, write, index, meaning, profiles, visible, readableKeys }: SearchDeps) {
  const waitForIndex = createIndexWait(read, index)

  async function authorId({ author }: ParsedQuery): Promise<number | 'unknown' | undefined> {
    if (!author) return undefined
    try {
      const { id } = await profiles.find(author.type, author.username)
      return id
    } catch (error) {
      if (isEepError(error) && error.status < 500) return 'unknown'
      throw error
    }
  }

  return {
    /**
     * Searches public profiles, pages, posts and files. Hits and their texts depend on what is public at the time of the search,
     * whatever the state of the index.
     *
     * @throws `invalid_search_query`, `invalid_cursor`, `semantic_search_disabled`, `semantic_search_unavailable`; `unauthenticated` for `gated` without a caller
     */
    async search(query: SearchQuery, caller?: Caller | undefined): Promise<SearchResults> {
      const { q, scope, profileType, limit, cursor, facets } = query
      const parsed = parseQuery(q)
      meaning.requireEmbedder(query.mode)
      if (asksForNothing(parsed))
        throw invalidSearchQuery({ message: 'The search query has no words', details: { position: 0 } })
      if (query.gated && !caller) throw unauthenticated()
      if (query.isConsistent) await waitForIndex()

      const profileId = await authorId(parsed)
      const kinds = both(KINDS[scope], parsed.filter.kinds)
      const profileTypes = both(profileType && [profileType], parsed.filter.profileTypes)
      const isImpossible = profileId === 'unknown' || kinds?.length === 0 || profileTypes?.length === 0
      if (isImpossible) {
        return { items: [], total: 0, mode: meaning.defaultMode(query.mode), facets: facets && facetsOf([], facets) }
      }
      const meant = await meaning.meaningOf(parsed, query)

      const restrictedKeys = query.gated && caller ? await readableKeys(caller) : []
      const viewer = { caller, readable: new Set(restrictedKeys) }
      const wanted = Math.max(limit, facets ? FACET_HITS : 0) + 1
      const found: FoundSource[] = []
      let corrections: ReadonlyMap<string, string> = new Map()
      let [total, hidden] = [0, 0]
      let mode: SearchMode = 'keyword'
      let after = cursor
      let isWhole = false
      for (let round = 0; round < MAX_ROUNDS && found.length < wanted && !isWhole; round += 1) {
        const asked = wanted - found.length
        const { all, none } = parsed
        const filter = { ...parsed.filter, kinds, profileTypes, profileId }
        const result = await index.query({
          all,
          none,
          filter,
          restrictedKeys,
          limit: asked,
          cursor: after,
          meaning: meant,
        })
        if (round === 0) meaning.requireVectors(query.mode, meant, result)
        const shown = await visible(result.hits, viewer)
        found.push(...shown)
        hidden += result.hits.length - shown.length
        if (round === 0) ({ matches: total, corrections, mode } = result)
        after = result.hits.at(-1)?.cursor ?? after
        isWhole = result.hits.length < asked
      }
      const items = found.slice(0, limit)
      const hasMore = found.length > limit || !isWhole
      return {
        items,
        // Hits that were found and not shown are not counted.
        total: hasMore ? Math.max(found.length, total - hidden) : cursor === undefined ? found.length : total - hidden,
        nextCursor: hasMore ? (found.length > limit ? items.at(-1)?.hit.cursor : after) : undefined,
        facets: facets && facetsOf(found.slice(0, FACET_HITS), facets),
        // A correction may be a word of a hit that is not shown.
        suggestion: items.length > 0 && hidden === 0 && corrections.size > 0 ? corrected(q, corrections) : undefined,
        mode,
      }
    },

    /** Returns at most eight titles with the words of a text, the last of which may be a prefix. */
    async suggest(text: string): Promise<readonly SearchSuggestionItem[]> {
      const suggestions = await index.suggest(text, MAX_SUGGESTED)
      const hits = suggestions.map((each) => ({ ...each, visibility: 'public' as const }))
      const shown = await visible(hits, { caller: undefined, readable: new Set() })
      return shown.filter(({ isCurrent }) => isCurrent).map(({ source, hit }) => ({ source, title: hit.title }))
    },

    /**
     * Rebuilds the index next to the one in use, and then replaces it. Returns when the rebuild is requested; one
     * instance runs it in the background.
     */
    async reindex(): Promise<void> {
      await write(async (_tx, emit) => emit(reindexRequested, {}))
    },

    /**
     * Returns the number of documents, whether a rebuild runs, and the age of the oldest event that is not
     * indexed, or 0.
     */
    async stats(): Promise<SearchServiceStats> {
      const [{ documents, isRebuilding, pendingTexts = 0 }, position] = await Promise.all([
        index.stats(),
        index.position(),
      ])
      if (position === undefined) return { documents, isRebuilding, pendingTexts, lagMs: 0 }
      const { events, early } = await read.events.list({ after: position, limit: 1 })
      const [oldest = early[0]] = events
      return {
        documents,
        isRebuilding,
        pendingTexts,
        lagMs: oldest ? Math.max(1, Date.now() - oldest.at.getTime()) : 0,
      }
    },
  }
}

/** Search in the content of a service. */
export type SearchService = ReturnType<typeof createSearchService>
