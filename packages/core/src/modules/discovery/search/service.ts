import { isEepError, unauthenticated } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { SearchHit, SearchIndex, SearchKind, SearchMode } from '../../../ports/search-index.ts'
import { LOG_START } from '../../../ports/storage/events.ts'
import type { SearchSource } from '../../../ports/storage/search.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { applyCorrections } from './apply-corrections.ts'
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
  /**
   * Counted up to 1,000. The number of hits that were seen up to this page when some matches are not shown to the caller, so that it
   * does not depend on those.
   */
  readonly total: number
  readonly nextCursor?: string | undefined
  readonly facets?: SearchFacets | undefined
  /** The corrected query, when misspelled words were replaced. */
  readonly suggestion?: string | undefined
  /** How the hits were found: `keyword` also when the embedder did not respond to a `hybrid` search. */
  readonly mode: SearchMode
  /** The parts of the query that were not searched, because it has more than 8 terms or 16 words. */
  readonly ignored?: readonly string[] | undefined
  /** Whether the query has neither a letter or digit nor an operator, so that nothing was searched. */
  readonly isWordless?: boolean | undefined
}

/** What a search of another module shows of the hits. */
export interface SearchNarrowing {
  /** The kinds of items that it can show. */
  readonly kinds: readonly SearchKind[]
  /** Returns the first ones, in their order, that it shows: at least `atMost`, unless there are fewer. */
  keep(found: readonly FoundSource[], atMost: number): Promise<readonly FoundSource[]>
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
  /** Whether the host restricts hits for some callers. */
  readonly hasRestrictions: boolean
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
/** The number of hits of which a narrowed search looks at in one index query. */
const NARROWED_HITS = 100
/** The maximum number of index queries to replace hits that the caller may not see. */
const MAX_ROUNDS = 5
const MAX_SUGGESTED = 8
/** An index that lags by more may count documents that were hidden or deleted. */
const MAX_COUNTED_LAG_MS = 5_000
/** How long the lag of the index is reused. */
const LAG_CACHED_MS = 1_000

/** The start of a page. */
interface Place {
  /** How many hits earlier pages had. */
  readonly seen: number
  /** Whether hits were left out of earlier pages. */
  readonly hasHidden: boolean
  /** The cursor of the index. */
  readonly cursor?: string | undefined
}

const PLACE = /^(\d{1,4})([.-])(.+)$/s

const writePlace = ({ seen, hasHidden, cursor }: Place & { readonly cursor: string }) =>
  `${seen}${hasHidden ? '-' : '.'}${cursor}`

/** @throws `invalid_cursor` */
function readPlace(cursor: string | undefined): Place {
  if (cursor === undefined) return { seen: 0, hasHidden: false }
  const [, seen, mark, rest] = PLACE.exec(cursor) ?? []
  if (rest === undefined) throw invalidCursor()
  return { seen: Number(seen), hasHidden: mark === '-', cursor: rest }
}

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
export function createSearchService({
  read,
  write,
  index,
  meaning,
  profiles,
  visible,
  readableKeys,
  hasRestrictions,
}: SearchDeps) {
  const waitForIndex = createIndexWait(read, index)
  let lag: { readonly at: number; readonly ms: Promise<number> } | undefined

  /** Returns how long the oldest event has been waiting that is not indexed, or 0. */
  async function lagMs(): Promise<number> {
    const after = (await index.position()) ?? LOG_START
    const { events, early } = await read.events.list({ after, limit: 1 })
    const [oldest = early[0]] = events
    return oldest ? Math.max(1, Date.now() - oldest.at.getTime()) : 0
  }

  /** Whether documents that the index counts are shown to everyone: none is restricted, and the index is up to date. */
  async function isCountPublic(): Promise<boolean> {
    if (hasRestrictions) return false
    const now = Date.now()
    if (!lag || Math.abs(now - lag.at) > LAG_CACHED_MS) {
      const ms = lagMs()
      lag = { at: now, ms }
      ms.catch(() => {
        lag = undefined
      })
    }
    return (await lag.ms) <= MAX_COUNTED_LAG_MS
  }

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
    async search(
      query: SearchQuery,
      caller?: Caller | undefined,
      narrowing?: SearchNarrowing | undefined,
    ): Promise<SearchResults> {
      const { q, scope, profileType, limit, cursor, facets } = query
      const parsed = parseQuery(q)
      meaning.requireEmbedder(query.mode)
      if (query.gated && !caller) throw unauthenticated()
      const nothing = {
        items: [],
        total: 0,
        mode: meaning.defaultMode(query.mode),
        facets: facets && facetsOf([], facets),
      }
      if (asksForNothing(parsed)) return { ...nothing, isWordless: true }
      if (query.isConsistent) await waitForIndex()

      const profileId = await authorId(parsed)
      const kinds = both(both(KINDS[scope], narrowing?.kinds), parsed.filter.kinds)
      const profileTypes = both(profileType && [profileType], parsed.filter.profileTypes)
      const isImpossible = profileId === 'unknown' || kinds?.length === 0 || profileTypes?.length === 0
      if (isImpossible) return { ...nothing, ignored: parsed.ignored }
      const meant = await meaning.meaningOf(parsed.text, query)

      const restrictedKeys = query.gated && caller ? await readableKeys(caller) : []
      const viewer = { caller, readable: new Set(restrictedKeys), isBrowsing: parsed.all.length === 0 }
      const wanted = Math.max(limit, facets ? FACET_HITS : 0) + 1
      const found: FoundSource[] = []
      let corrections: ReadonlyMap<string, string> = new Map()
      let [matches, hidden] = [0, 0]
      let mode: SearchMode = 'keyword'
      const place = readPlace(cursor)
      let after = place.cursor
      let isWhole = false
      for (let round = 0; round < MAX_ROUNDS && found.length < wanted && !isWhole; round += 1) {
        const remaining = wanted - found.length
        const asked = narrowing ? Math.max(NARROWED_HITS, remaining) : remaining
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
        const seenHits = await visible(result.hits, viewer)
        const shown = narrowing ? await narrowing.keep(seenHits, remaining) : seenHits
        found.push(...shown)
        hidden += result.hits.length - shown.length
        if (round === 0) ({ matches, corrections, mode } = result)
        after = result.hits.at(-1)?.cursor ?? after
        isWhole = result.hits.length < asked
      }
      const items = found.slice(0, limit)
      const hasMore = found.length > limit || !isWhole
      const seen = place.seen + found.length
      const hasHidden = place.hasHidden || hidden > 0
      const isWholeList = cursor === undefined && !hasMore
      const next = found.length > limit ? items.at(-1)?.hit.cursor : after
      return {
        items,
        // The matches that the index counts include those that are not shown.
        total: isWholeList || hasHidden || !(await isCountPublic()) ? seen : Math.max(seen, matches),
        nextCursor:
          hasMore && next !== undefined
            ? writePlace({ seen: place.seen + items.length, hasHidden, cursor: next })
            : undefined,
        facets: facets && facetsOf(found.slice(0, FACET_HITS), facets),
        // A correction may be a word of a hit that is not shown.
        suggestion:
          items.length > 0 && hidden === 0 && corrections.size > 0 ? applyCorrections(q, corrections) : undefined,
        ignored: parsed.ignored,
        mode,
      }
    },

    async suggest(text: string): Promise<readonly SearchSuggestionItem[]> {
      const suggestions = await index.suggest(text, MAX_SUGGESTED)
      const hits = suggestions.map((each) => ({ ...each, visibility: 'public' as const }))
      const shown = await visible(hits, { caller: undefined, readable: new Set() })
      return shown.filter(({ isCurrent }) => isCurrent).map(({ source, hit }) => ({ source, title: hit.title }))
    },

    async reindex(): Promise<void> {
      await write(async (_tx, emit) => emit(reindexRequested, {}))
    },

    async stats(): Promise<SearchServiceStats> {
      const [{ documents, isRebuilding, pendingTexts = 0 }, ms] = await Promise.all([index.stats(), lagMs()])
      return { documents, isRebuilding, pendingTexts, lagMs: ms }
    },
  }
}

/** Search in the content of a service. */
export type SearchService = ReturnType<typeof createSearchService>
