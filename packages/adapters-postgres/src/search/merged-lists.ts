import { invalidCursor, type SearchMeaning, type SearchRequest, type SearchResult } from '@eep/core/ports'
import { hitsOf, type Listed } from './hits.ts'
import { type HybridRow, hybridStatement, type ListedRow, listedStatement } from './hybrid-statement.ts'
import type { RunStatement } from './limited-statements.ts'
import { type ListEntry, type MergedList, readList, writeList } from './list-cursor.ts'
import type { PgVector } from './pgvector.ts'
import { correct, correctable, correctionsAmong, likeliest } from './queried-words.ts'
import { type QueriedWords, type SearchTables, wordsOf } from './statements.ts'

const NO_WORDS: QueriedWords = { all: [], none: [] }

/** The clauses that consist of phrases, which documents must contain even when they are found by meaning. */
const phrasesOf = ({ all }: Pick<SearchRequest, 'all'>) =>
  wordsOf({ all: all.filter((clause) => clause.every(({ isPhrase }) => isPhrase)), none: [] })?.all ?? []

/**
 * An index of vectors returns what is nearest, and few of that may pass a filter. Bits are read of exactly the passages that pass, of
 * which a filter leaves few. Partitions are small.
 */
const isUnfiltered = ({ partition, filter, restrictedKeys }: SearchRequest) =>
  partition === undefined && restrictedKeys.length === 0 && Object.values(filter).every((value) => value === undefined)

/** The hit at a place of a list. Its cursor has the entries that follow. */
function listedAt({ entries, ...list }: MergedList, place: number): Listed {
  // Callers pass the index of a row that was made from an entry.
  const { score, matched } = entries[place] as ListEntry
  return {
    score: score / 10_000,
    matched,
    writeCursor: () => writeList({ ...list, entries: entries.slice(place + 1) }),
  }
}

/** Lists of documents found by meaning, merged with those found by words when the query is hybrid. */
export function createMergedLists(
  run: RunStatement,
  tables: SearchTables,
  quantize: (vector: readonly number[]) => string,
  pgvector: Pick<PgVector, 'find' | 'forget'>,
) {
  async function find(
    request: SearchRequest,
    meaning: SearchMeaning,
    words: QueriedWords,
    misspelled: readonly string[],
  ) {
    const query = {
      words,
      required: phrasesOf(request),
      meaning,
      bits: quantize(meaning.vector),
      correctable: misspelled,
    }
    const at = new Date()
    const { length: dimensions } = meaning.vector
    const index = isUnfiltered(request) ? await pgvector.find(dimensions) : undefined
    const { rows } = await run(hybridStatement(tables, { ...query, index }, request, at)).catch((error: unknown) => {
      if (!index || !pgvector.forget(dimensions, error)) throw error
      return run(hybridStatement(tables, query, request, at))
    })
    const [first] = rows
    return { rows, alike: first?.alike ?? [], isReady: first?.is_ready === true }
  }

  const entryOf = (row: HybridRow & { readonly key: string }, isFuzzy: boolean): ListEntry => ({
    id: Number(row.id),
    score: Math.round(Math.min(1, Number(row.score)) * 10_000),
    matched: [
      ...(row.word_place === null ? [] : [isFuzzy ? ('fuzzy' as const) : ('keyword' as const)]),
      ...(row.meaning_place === null ? [] : ['semantic' as const]),
    ],
    start: row.word_place === null ? (row.start ?? 0) : 0,
  })

  return {
    /** The first page of a list: one statement, and a second one when no document has the words of the query. */
    async first(request: SearchRequest, meaning: SearchMeaning): Promise<SearchResult> {
      // A query may have characters that no word has; its meaning is searched nevertheless.
      let words = wordsOf(request) ?? NO_WORDS
      const misspelled = meaning.isHybrid ? correctable(words) : []
      let found = await find(request, meaning, words, misspelled)
      const corrections = correctionsAmong(misspelled, found.alike)
      if (corrections.size > 0) {
        words = correct(words, corrections)
        found = await find(request, meaning, words, [])
      }
      const rows = found.rows.filter((row): row is HybridRow & { key: string } => row.key !== null)
      const isFuzzy = corrections.size > 0
      const entries = rows.map((row) => entryOf(row, isFuzzy))
      const both = meaning.isHybrid ? 'hybrid' : 'semantic'
      const mode = found.isReady ? both : 'keyword'
      const list = { mode, generation: rows[0]?.generation ?? 0, matches: rows.length, entries } as const
      const hits = hitsOf(rows.slice(0, request.limit), words, (_row, index) => listedAt(list, index))
      const isCorrected = rows.some(({ word_place: place }) => place !== null)
      return { hits, matches: rows.length, mode, corrections: isCorrected ? likeliest(corrections) : new Map() }
    },

    /**
     * A later page, from the rest of the list: one statement, without the embedder.
     *
     * @throws `invalid_cursor`, also when the index was rebuilt since the first page
     */
    async next(request: SearchRequest, cursor: string): Promise<SearchResult> {
      const list = readList(cursor)
      const words = wordsOf(request) ?? NO_WORDS
      const { rows } = await run(listedStatement(tables, words, list.entries, request))
      // A new generation has other ids.
      if (rows[0]?.live !== list.generation) throw invalidCursor()
      const found = rows.filter((row): row is ListedRow & { key: string } => row.key !== null)
      const hits = hitsOf(found, words, ({ pos }) => listedAt(list, pos))
      return { hits, matches: list.matches, mode: list.mode, corrections: new Map() }
    },
  }
}
