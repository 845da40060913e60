import { defineError } from '../kernel/errors.ts'
import type { ProfileType } from '../model/profile-type.ts'
import type { SearchMeaning, SearchPassage, SearchVectors } from './search-vectors.ts'

/** The kinds of items that can be found. */
export type SearchKind = 'profile' | 'page' | 'post' | 'file'

/** The kinds of documents in an index. */
export const SEARCH_KINDS = ['profile', 'page', 'post', 'file'] as const satisfies readonly SearchKind[]

/** The partition of public content, which `GET /search` queries. */
export const PUBLIC_PARTITION = 'public'

/** A document in the index. */
export interface SearchDocument {
  /**
   * The part of the index that it belongs to, at most 200 characters. A query finds documents of one partition. Default:
   * `PUBLIC_PARTITION`
   */
  readonly partition?: string | undefined
  /** Unique in the partition. A document replaces the one with its key. At most 200 characters. */
  readonly key: string
  readonly kind: SearchKind
  /** The profile that it belongs to. */
  readonly profileId: number
  readonly profileType: ProfileType
  /** Whether every query finds it, or only queries that name it in `restrictedKeys`. */
  readonly visibility: 'public' | 'restricted'
  /** Returned with hits as it was given, so that the service detects documents that are out of date. */
  readonly revision: string
  /** ISO 639-1. Default: the index detects it. */
  readonly language?: string | undefined
  readonly title: string
  readonly headings: readonly string[]
  /** Words that queries can also filter by, see `SearchFilter.tags`. In lower case. */
  readonly keywords: readonly string[]
  readonly excerpt: string
  /** Plain text. An index may leave out the end of very long texts. */
  readonly body: string
  /** Its passages that can be found by meaning. Default: none. */
  readonly passages?: readonly SearchPassage[] | undefined
  /** How much its profile is trusted, 0 to 1: a small factor of the rank. Default: 0 */
  readonly trust?: number | undefined
  readonly updatedAt: Date
}

/** A word or a phrase of a query, in the spelling of the user. */
export interface SearchTerm {
  readonly text: string
  /** The words must follow each other. */
  readonly isPhrase: boolean
  /** Also matches words that begin with it. */
  readonly isPrefix: boolean
}

/** Conditions that documents must meet. Absent fields impose none. */
export interface SearchFilter {
  readonly kinds?: readonly SearchKind[] | undefined
  readonly profileTypes?: readonly ProfileType[] | undefined
  readonly profileId?: number | undefined
  /** Keywords that a document must all have. */
  readonly tags?: readonly string[] | undefined
  /** Changed at this moment or later. */
  readonly updatedFrom?: Date | undefined
  /** Changed before this moment. */
  readonly updatedBefore?: Date | undefined
}

/** A query. Without `all`, everything that passes the filter matches, the newest first. */
export interface SearchRequest {
  /**
   * The partition that is searched. Nothing of the result depends on other partitions: neither hits nor `matches`, scores, cursors
   * or corrections. Default: `PUBLIC_PARTITION`
   */
  readonly partition?: string | undefined
  /** Each entry must match, by one of its terms. */
  readonly all: readonly (readonly SearchTerm[])[]
  /** Terms that must not match. */
  readonly none: readonly SearchTerm[]
  readonly filter: SearchFilter
  /**
   * The restricted documents that are searched too, at most 2,000. The result must not depend on any others: neither
   * hits nor `matches`, cursors or corrections.
   */
  readonly restrictedKeys: readonly string[]
  /**
   * Finds documents also, or only, by their meaning. Excluded terms and phrases of the query apply to these as well. Ignored by
   * an index without `vectors`.
   */
  readonly meaning?: SearchMeaning | undefined
  readonly limit: number
  /**
   * The `cursor` of a hit: continues after it, in the list that the first page was of, so that `meaning` is not needed again.
   * Documents that were put after the first page are left out. An index may reject it with `invalid_cursor` when it was rebuilt since then.
   */
  readonly cursor?: string | undefined
}

/** By what documents are found: their words, their meaning, or both. */
export type SearchMode = 'keyword' | 'semantic' | 'hybrid'

/** A text, and the parts of it that matched: offsets of UTF-16 code units, the end exclusive, in order. */
export interface MarkedText {
  readonly text: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

/** Why a document was found: by its words, by similarly spelled words, or by its meaning. */
export type SearchMatch = 'keyword' | 'fuzzy' | 'semantic'

/** A document that was found. */
export interface SearchHit
  extends Pick<SearchDocument, 'key' | 'kind' | 'profileId' | 'visibility' | 'revision' | 'keywords'> {
  /** 0 to 1, comparable within one query. */
  readonly score: number
  readonly matched: readonly SearchMatch[]
  readonly title: MarkedText
  /** A part of the excerpt or the body, plain text. */
  readonly snippet: MarkedText
  /** Continues after this hit. */
  readonly cursor: string
}

/** The hits of a query, the best first. */
export interface SearchResult {
  readonly hits: readonly SearchHit[]
  /** How many documents match, on all pages. An index may stop counting at 1,000. */
  readonly matches: number
  /**
   * The words that were searched in place of words that no document has, by the spelling of the user in lower case. Empty
   * unless the query had no hits as it was written.
   */
  readonly corrections: ReadonlyMap<string, string>
  /** How the list was made: `keyword` also when the index has no vectors of the embedder yet. */
  readonly mode: SearchMode
}

/** A title that completes the text that a user types. */
export type SearchSuggestion = Pick<SearchDocument, 'key' | 'kind' | 'profileId' | 'title' | 'revision'>

/**
 * Which documents to remove: by their keys or their profiles from one partition, by default the public one; those of some profiles from
 * all partitions; or all documents of some partitions.
 */
export type SearchRemoval =
  | { readonly keys: readonly string[]; readonly partition?: string | undefined }
  | { readonly profileIds: readonly number[]; readonly partition?: string | undefined }
  | { readonly profileIds: readonly number[]; readonly allPartitions: true }
  | { readonly partitions: readonly string[] }

/** Thrown by `query` and `suggest` when they take too long. */
export const searchTimeout = defineError('search_timeout', 503, 'The search took too long; use more or longer words')

/** The state of an index. */
export interface SearchStats {
  /** How many documents the public partition has. */
  readonly documents: number
  /** Whether a rebuild was started and neither finished nor discarded. */
  readonly isRebuilding: boolean
  /**
   * Whether its documents were indexed in another format than this version of the index writes, so that it must be rebuilt. The new format
   * counts from the commit of a rebuild on. Default: false
   */
  readonly isOutdated?: boolean | undefined
  /** The embedder that the index was built for; undefined without one. */
  readonly embedderId?: string | undefined
  /** How many texts wait for a vector. */
  readonly pendingTexts?: number | undefined
}

/** A second index that takes the place of the first. */
export interface SearchRebuild {
  /** Adds documents, without replacing those that `SearchIndex.put` added since the rebuild began. */
  put(documents: readonly SearchDocument[]): Promise<void>
  /** Queries use the new index from now on. The old one is deleted. */
  commit(): Promise<void>
  /** Deletes the new index. */
  discard(): Promise<void>
}

/**
 * A full-text index. The service has one writer, so `put`, `remove` and `rebuild` need not support concurrent calls;
 * queries run at any time and see each batch as a whole or not at all.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/search-index.md
 */
export interface SearchIndex {
  /** How many searches a minute a caller may send, for an index that runs in the process of the service. Default: 30, which is the maximum. */
  readonly requestsPerMinute?: number | undefined
  /** Adds documents, in place of those with their keys; during a rebuild to both indexes. */
  put(documents: readonly SearchDocument[]): Promise<void>
  /**
   * Removes documents; during a rebuild from both indexes. Nothing of them remains. An index may remove many documents in several batches;
   * when the call fails, it is repeated.
   */
  remove(which: SearchRemoval): Promise<void>
  /** Stores the position in the event log up to which changes have been made. */
  mark(position: string): Promise<void>
  /**
   * The position that `mark` stored last; undefined when there is none. Called often while a search waits for changes.
   */
  position(): Promise<string | undefined>
  /**
   * Finds documents. Words match in their inflected forms where the language is known, without regard to case and
   * accents. When nothing matches, similarly spelled words are searched. Of documents that match about equally well, new ones and those
   * of trusted profiles come first. An index may rank only 1,000 matches; documents with the last word as typed then come before those
   * where it only begins a word.
   *
   * @throws `invalid_cursor`, `search_timeout`
   */
  query(request: SearchRequest): Promise<SearchResult>
  /**
   * Finds documents of the public partition that are not restricted and have these words in their titles, the last of
   * which may be a prefix. When there are none, similarly spelled words are searched. Profiles come first.
   */
  suggest(text: string, limit: number): Promise<readonly SearchSuggestion[]>
  /** Starts a rebuild, for the vectors of an embedder if one is given. An unfinished one is discarded. */
  rebuild(embedderId?: string): Promise<SearchRebuild>
  /** Where vectors are stored. An index without it finds documents by words only. */
  readonly vectors?: SearchVectors | undefined
  /** Returns the number of documents and of texts without vectors, and whether a rebuild runs. */
  stats(): Promise<SearchStats>
  /** Throws when the index cannot be used. */
  ping(): Promise<void>
  /** Releases the resources of the index. Called once, after background work has ended. */
  close?(): Promise<void>
}
