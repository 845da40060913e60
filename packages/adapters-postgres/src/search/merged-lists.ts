import type { SearchMeaning, SearchRequest, SearchResult } from '@eep/core/ports'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { hitsOf, type Listed } from './hits.ts'
import { type HybridRow, hybridStatement, listedStatement } from './hybrid-statement.ts'
import { type ListEntry, type MergedList, readList, writeList } from './list-cursor.ts'
import { correct, correctable, correctionsAmong, likeliest } from './queried-words.ts'
import { type QueriedWords, type SearchTables, wordsOf } from './statements.ts'

const NO_WORDS: QueriedWords = { all: [], none: [] }

/** The clauses that consist of phrases, which documents must contain even when they are found by meaning. */
const phrasesOf = ({ all }: Pick<SearchRequest, 'all'>) =>
  wordsOf({ all: all.filter((clause) => clause.every(({ isPhrase }) => isPhrase)), none: [] })?.all ?? []

/** The hit at a place of a list. Its cursor has the entries that follow. */
function listedAt({ mode, matches, entries }: MergedList, place: number): Listed {
  // Callers pass the index of a row that was made from an entry.
  const { score, matched } = entries[place] as ListEntry
  return {
    score: score / 10_000,
    matched,
    writeCursor: () => writeList({ mode, matches, entries: entries.slice(place + 1) }),
  }
}

/** Lists of documents found by meaning, merged with those found by words when the query is hybrid. */
export function createMergedLists(
  db: Kysely<Database>,
  tables: SearchTables,
  quantize: (vector: readonly number[]) => string,
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
    const { rows } = await hybridStatement(tables, query, request, new Date()).execute(db)
    const [first] = rows
    return { rows, alike: first?.alike ?? [], isReady: first?.is_ready === true }
  }

  const entryOf = (row: HybridRow & { readonly key: string }, isFuzzy: boolean): ListEntry => ({
    key: row.key,
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
      const list = { mode, matches: rows.length, entries } as const
      const hits = hitsOf(rows.slice(0, request.limit), words, (_row, index) => listedAt(list, index))
      const isCorrected = rows.some(({ word_place: place }) => place !== null)
      return { hits, matches: rows.length, mode, corrections: isCorrected ? likeliest(corrections) : new Map() }
    },

    /** A later page, from the rest of the list: one statement, without the embedder. */
    async next(request: SearchRequest, cursor: string): Promise<SearchResult> {
      const list = readList(cursor)
      const words = wordsOf(request) ?? NO_WORDS
      const { rows } = await listedStatement(tables, words, list.entries, request).execute(db)
      const hits = hitsOf(rows, words, ({ pos }) => listedAt(list, pos))
      return { hits, matches: list.matches, mode: list.mode, corrections: new Map() }
    },
  }
}
