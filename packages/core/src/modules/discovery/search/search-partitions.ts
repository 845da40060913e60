import {
  type MarkedText,
  PUBLIC_PARTITION,
  type SearchIndex,
  type SearchMatch,
  type SearchMode,
} from '../../../ports/search-index.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { applyCorrections } from './apply-corrections.ts'
import { invalidSearchQuery } from './errors.ts'
import { anyWordOf, asksForNothing, type ParsedQuery, parseQuery } from './parse-query.ts'
import type { QueryMeaning } from './query-meaning.ts'
import { createIndexWait } from './wait-for-index.ts'

/** A search in one partition. */
export interface PartitionQuery {
  /** `<module>:<id>`, as in the `searchSource` of the module. */
  readonly partition: string
  /** Words, `"phrases"`, `-excluded`, `one OR other`, `tag:` and `updated:`. */
  readonly q: string
  /** Finds documents that have any of the first 32 words of `q`, which then has no operators. Default: false */
  readonly isAny?: boolean | undefined
  /** Default: `hybrid` with an embedder, else `keyword`. Ignored with a cursor. */
  readonly mode?: SearchMode | undefined
  /** Keywords that documents must have. */
  readonly tags?: readonly string[] | undefined
  readonly limit: number
  readonly cursor?: string | undefined
  /** Waits at most two seconds until earlier changes are indexed, so that callers find what they wrote. */
  readonly isConsistent?: boolean | undefined
}

/** A document of a partition that was found. */
export interface PartitionHit {
  readonly key: string
  /** 0 to 1, comparable within one query. */
  readonly score: number
  readonly matched: readonly SearchMatch[]
  readonly title: MarkedText
  readonly snippet: MarkedText
}

/** The hits of a search in a partition, best first. */
export interface PartitionResults {
  readonly hits: readonly PartitionHit[]
  /** Counted up to 1,000. */
  readonly total: number
  readonly nextCursor?: string | undefined
  /** The corrected query, when misspelled words were replaced. */
  readonly suggestion?: string | undefined
  /** How the hits were found: `keyword` also when the embedder did not respond to a `hybrid` search. */
  readonly mode: SearchMode
  /** The parts of the query that were not searched, because it has more than 8 terms or 16 words. */
  readonly ignored?: readonly string[] | undefined
  /** Whether the query has neither a letter or digit nor an operator, so that nothing was searched. */
  readonly isWordless?: boolean | undefined
}

export interface SearchPartitionsDeps {
  readonly read: Pick<Readers, 'events'>
  readonly index: SearchIndex
  readonly meaning: QueryMeaning
}

/** @throws `invalid_search_query` for operators that partitions do not have */
function parse(q: string, isAny: boolean): ParsedQuery {
  const parsed = isAny ? anyWordOf(q) : parseQuery(q)
  const { author, filter } = parsed
  if (author || filter.kinds || filter.profileTypes) {
    throw invalidSearchQuery({
      message: 'author: and type: are operators of public search only',
      details: { position: 0 },
    })
  }
  return parsed
}

/** Partitions of modules always have a colon, so no module reads or removes public documents by mistake. */
function requirePrivate(partition: string): void {
  if (partition === PUBLIC_PARTITION || !partition.includes(':')) {
    throw new TypeError(`"${partition}" is not the name of a partition of a module`)
  }
}

/**
 * Creates the search of modules in their own partitions of the index. Documents get there by the `searchSource` that the module
 * declares: the durable indexer puts and removes them after the events of the module, in order, and reads all of them for a rebuild.
 * `isConsistent` lets a search wait for that.
 *
 * The index may lack the latest changes. Load the hits by their keys, and leave out those that are gone
 * or that the caller may not read.
 */
export function createSearchPartitions({ read, index, meaning }: SearchPartitionsDeps) {
  const waitForIndex = createIndexWait(read, index)
  return {
    /**
     * Finds documents of one partition, never of another one or of public content.
     *
     * @throws `invalid_search_query`, `invalid_cursor`, `semantic_search_disabled`, `semantic_search_unavailable`
     */
    async search({
      partition,
      q,
      isAny = false,
      mode,
      tags,
      limit,
      cursor,
      isConsistent,
    }: PartitionQuery): Promise<PartitionResults> {
      requirePrivate(partition)
      const parsed = parse(q, isAny)
      meaning.requireEmbedder(mode)
      if (asksForNothing(parsed)) return { hits: [], total: 0, mode: meaning.defaultMode(mode), isWordless: true }
      if (isConsistent) await waitForIndex()
      const meant = await meaning.meaningOf(parsed.text, { mode, cursor })
      const { all, none } = parsed
      const filter = tags ? { ...parsed.filter, tags: [...(parsed.filter.tags ?? []), ...tags] } : parsed.filter
      const asked = { partition, all, none, filter, restrictedKeys: [], limit: limit + 1, cursor, meaning: meant }
      const result = await index.query(asked)
      meaning.requireVectors(mode, meant, result)
      const { matches, corrections } = result
      const hits = result.hits.slice(0, limit)
      const isCorrected = hits.length > 0 && corrections.size > 0
      return {
        hits: hits.map(({ key, score, matched, title, snippet }) => ({ key, score, matched, title, snippet })),
        total: matches,
        nextCursor: result.hits.length > limit ? hits.at(-1)?.cursor : undefined,
        suggestion: isCorrected ? applyCorrections(q, corrections) : undefined,
        mode: result.mode,
        ignored: parsed.ignored,
      }
    },

    /**
     * Removes all documents of partitions now, without waiting for their events. For erasure: the event of the deletion is still
     * needed, since the indexer may be about to put a document that it has read before.
     */
    async remove(partitions: readonly string[]): Promise<void> {
      for (const partition of partitions) requirePrivate(partition)
      if (partitions.length > 0) await index.remove({ partitions })
    },
  }
}

/** Search in the partitions of modules. */
export type SearchPartitions = ReturnType<typeof createSearchPartitions>
