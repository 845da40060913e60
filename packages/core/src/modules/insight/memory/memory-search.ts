import type { Clock } from '../../../kernel/clock.ts'
import { queryTermsOf } from '../../../kernel/text-words.ts'
import type { SearchMode } from '../../../ports/search-index.ts'
import type { MemoryEntry, MemorySession } from '../../../ports/storage/memory.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { Summarizer } from '../../../ports/summarizer.ts'
import { type SearchPartitions, semanticSearchDisabled } from '../../discovery/search/index.ts'
import type { MemoryActor, RequireSession } from './access.ts'
import { type OpenEntry, openEntry } from './entries.ts'
import { summaryDisabled, summaryFailed } from './errors.ts'
import { rankEntries } from './rank-entries.ts'
import { recall } from './recall.ts'
import type { MemorySeal } from './sealed-memory.ts'
import { entryIdOf, partitionOf } from './search-source.ts'

export interface MemorySearchDeps {
  readonly read: Readers<'memory'>
  readonly clock: Clock
  readonly seal: MemorySeal
  readonly requireSession: RequireSession
  /** Undefined without an index: entries are then ranked in the process. */
  readonly searchPartitions: SearchPartitions | undefined
  readonly summarizer: Summarizer | undefined
  readonly onError: (error: unknown) => void
}

/** A search in a session. */
export interface MemoryQuery {
  readonly query: string
  readonly mode?: SearchMode | undefined
  readonly limit: number
  /** Hits with lower scores are left out. */
  readonly minScore: number
}

/** An entry that was found. */
export interface MemoryHit {
  readonly entry: OpenEntry
  /** 0 to 1. By words, compared with the best hit; by meaning, the cosine similarity. */
  readonly score: number
}

/** An entry that was recalled. */
export interface RecalledEntry extends MemoryHit {
  readonly tokens: number
}

/** Bounds of decrypting and ranking in the process: the newest entries within these bounds. */
const RANKED = { maxEntries: 2_000, maxBytes: 8_388_608 }
/** What a recall chooses from. */
const CANDIDATES = 100
/** The entries to summarize: the newest entries within these bounds. */
const SUMMARIZED = { maxEntries: 500, maxBytes: 524_288 }
const SUMMARY_MS = 60_000

interface Found {
  readonly id: number
  readonly score: number
}

/** Decrypts entries one by one, as far as they are read. */
function* textsOf(entries: readonly MemoryEntry[], seal: MemorySeal) {
  for (const entry of entries) yield { id: entry.id, text: openEntry(entry, seal).content }
}

/** Creates search, recall and summaries of sessions. */
export function createMemorySearch(deps: MemorySearchDeps) {
  const { read, clock, seal, requireSession, searchPartitions, summarizer, onError } = deps

  /** By words, in the process: of texts that are encrypted no index has a copy. */
  async function rank({ id }: MemorySession, query: string, isAny: boolean): Promise<readonly Found[]> {
    const newest = await read.memory.listNewest(id, RANKED)
    return rankEntries(textsOf(newest, seal), query, isAny)
  }

  async function find(
    session: MemorySession,
    query: string,
    { mode, limit, isAny }: { readonly mode?: SearchMode | undefined; readonly limit: number; readonly isAny: boolean },
  ): Promise<{ readonly found: readonly Found[]; readonly mode: SearchMode }> {
    if (!searchPartitions || seal.keyId !== null) {
      if (mode === 'semantic') {
        throw semanticSearchDisabled({ message: 'This service has no semantic search of memory; use mode=keyword' })
      }
      return { found: (await rank(session, query, isAny)).slice(0, limit), mode: 'keyword' }
    }
    if (isAny && queryTermsOf(query).length === 0) return { found: [], mode: 'keyword' }
    const partition = partitionOf(session.id)
    const result = await searchPartitions.search({ partition, q: query, isAny, mode, limit, isConsistent: true })
    const best = result.mode === 'semantic' ? 1 : Math.max(...result.hits.map(({ score }) => score), Number.EPSILON)
    const found = result.hits.map(({ key, score }) => ({ id: entryIdOf(key), score: score / best }))
    return { found, mode: result.mode }
  }

  /** The entries as they are now; those that were deleted meanwhile are left out. */
  async function load({ id }: MemorySession, found: readonly Found[]): Promise<readonly MemoryHit[]> {
    const ids = found.map((each) => each.id)
    const stored = await read.memory.getEntries(id, ids)
    const entries = new Map(stored.map((entry) => [entry.id, openEntry(entry, seal)]))
    return found.flatMap((each) => {
      const entry = entries.get(each.id)
      return entry ? [{ entry, score: each.score }] : []
    })
  }

  return {
    /**
     * Finds entries of a session, best first. Entries that were added before the call are found, unless the index
     * has not handled them within two seconds.
     *
     * @throws `memory_session_not_found`, `invalid_search_query`, `semantic_search_disabled`, `semantic_search_unavailable`,
     *   `memory_key_missing`
     */
    async search(id: string, { query, mode, limit, minScore }: MemoryQuery, actor: MemoryActor) {
      const session = await requireSession(id, actor)
      const result = await find(session, query, { mode, limit, isAny: false })
      const hits = await load(session, result.found)
      return { hits: hits.filter(({ score }) => score >= minScore), mode: result.mode }
    },

    /**
     * Returns the entries that fit a query best and into a budget of tokens together, by relevance, recency and importance.
     *
     * @throws `memory_session_not_found`, `memory_key_missing`
     */
    async recall(
      id: string,
      query: string,
      tokenBudget: number,
      actor: MemoryActor,
    ): Promise<readonly RecalledEntry[]> {
      const session = await requireSession(id, actor)
      const { found } = await find(session, query, { limit: CANDIDATES, isAny: true })
      const best = Math.max(...found.map(({ score }) => score), Number.EPSILON)
      const candidates = (await load(session, found)).map(({ entry, score }) => ({
        entry,
        relevance: Math.max(0, score) / best,
        importance: entry.importance,
        createdAt: entry.createdAt,
        content: entry.content,
      }))
      return recall(candidates, tokenBudget, clock()).map(({ candidate, score, tokens }) => ({
        entry: candidate.entry,
        score,
        tokens,
      }))
    },

    /**
     * Summarizes the newest entries of a session. The summary is not stored.
     *
     * @throws `summary_disabled`, `summary_failed`, `memory_session_not_found`, `memory_key_missing`
     */
    async summarize(id: string, maxWords: number, actor: MemoryActor) {
      if (!summarizer) throw summaryDisabled()
      const session = await requireSession(id, actor)
      const newest = await read.memory.listNewest(session.id, SUMMARIZED)
      const entries = newest.map((entry) => openEntry(entry, seal)).reverse()
      if (entries.length === 0) return { summary: '', entries: 0, isComplete: true }
      const signal = AbortSignal.timeout(SUMMARY_MS)
      try {
        const aborted = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
        const texts = entries.map(({ role, content, createdAt }) => ({ role, content, at: createdAt }))
        const summary = await Promise.race([summarizer.summarize({ entries: texts, maxWords }, signal), aborted])
        if (typeof summary !== 'string') throw new TypeError('The summarizer must return a string')
        return { summary, entries: entries.length, isComplete: entries.length === session.entries }
      } catch (error) {
        onError(error)
        throw summaryFailed({ retryAfterMs: 5_000 })
      }
    },
  }
}

/** Search, recall and summaries of sessions. */
export type MemorySearch = ReturnType<typeof createMemorySearch>
