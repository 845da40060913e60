import type {
  SearchDocument,
  SearchHit,
  SearchIndex,
  SearchKind,
  SearchRebuild,
  SearchRequest,
  SearchResult,
  SearchSuggestion,
} from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { correctionsOf, deletionsOf, isCorrectable, type KnownWord } from './corrections.ts'
import { keysAmong, putDocuments, removeDocuments } from './documents.ts'
import { type Marks, rangesIn, snippetOf } from './snippet.ts'
import {
  type FoundRow,
  type QueriedTerm,
  type QueriedWords,
  readPlace,
  type SearchPlace,
  searchStatement,
  searchTables,
  textList,
  wordsOf,
  writePlace,
} from './statements.ts'
import { fold, tokensOf } from './tokens.ts'

type Connection = Kysely<Database>

/** Documents in one statement; their words are counted in another. */
const BATCH = 100

interface State {
  readonly live: number
  readonly building: number | null
  readonly position: string | null
}

interface Words {
  readonly query: QueriedWords
  readonly isFuzzy: boolean
}

const NOTHING: SearchResult = { hits: [], matches: 0, corrections: new Map() }
const matchesOf = (rows: readonly FoundRow[]) => Number(rows[0]?.matches ?? 0)

const LEXEME = /'((?:[^']|'')*)'(?::\*)?/g

function marksOf({ all }: QueriedWords, query: string | null): Marks {
  const terms = all.flat()
  const words = new Set(terms.flatMap(({ phrase }) => phrase.split(' ')))
  const prefixes = terms.map(({ prefix }) => prefix).filter((prefix) => prefix !== '')
  const lexemes = [...(query ?? '').matchAll(LEXEME)].map(([, lexeme = '']) => lexeme)
  // The stem of a short word is the beginning of too many others.
  const stems = [...new Set(lexemes)].filter((lexeme) => lexeme.length > 2 && !prefixes.includes(lexeme))
  words.delete('')
  return { words, prefixes, stems }
}

/** The words of a query that corrections may replace: single words, not phrases. */
const correctable = ({ all }: QueriedWords): readonly string[] => [
  ...new Set(all.flat().flatMap(({ phrase }) => (isCorrectable(phrase) ? [phrase] : []))),
]

function correct({ all, none }: QueriedWords, corrections: ReadonlyMap<string, readonly string[]>): QueriedWords {
  const alternatives = (term: QueriedTerm): readonly QueriedTerm[] => [
    term,
    ...(corrections.get(term.phrase) ?? []).map((phrase) => ({ phrase, prefix: '' })),
  ]
  return { all: all.map((clause) => clause.flatMap(alternatives)), none }
}

/**
 * A full-text index in the tables of a storage. One statement answers a query; one that matches nothing takes two more, for
 * words that are spelled alike.
 */
export function sqlSearch(db: Connection, schema: string): SearchIndex {
  const tables = searchTables(schema)
  const { state, documents, words, languages } = tables
  let configurations: Promise<ReadonlySet<string>> | undefined

  const knownConfigurations = () => {
    configurations ??= sql<{ readonly name: string }>`
      select cfgname as name from pg_catalog.pg_ts_config where cfgnamespace = 'pg_catalog'::regnamespace`
      .execute(db)
      .then(({ rows }) => new Set(rows.map(({ name }) => name)))
    configurations.catch(() => {
      configurations = undefined
    })
    return configurations
  }

  /** Runs a change while no other one runs. */
  const change = <Result>(work: (tx: Connection, state: State) => Promise<Result>): Promise<Result> =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const { rows } = await sql<State>`select live, building, position from ${state} for update`.execute(tx)
        const [current] = rows
        if (!current) throw new Error(`The table search_state of the schema "${schema}" has no row`)
        return work(tx, current)
      })

  const generationsOf = ({ live, building }: State) => (building === null ? [live] : [live, building])

  async function deleteGeneration(tx: Connection, generation: number) {
    for (const table of [documents, words, languages]) {
      await sql`delete from ${table} where generation = ${generation}::integer`.execute(tx)
    }
  }

  function inBatches(given: readonly SearchDocument[]): readonly (readonly SearchDocument[])[] {
    const batches: SearchDocument[][] = []
    for (let start = 0; start < given.length; start += BATCH) batches.push(given.slice(start, start + BATCH))
    return batches
  }

  async function listCorrections(misspelled: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    if (misspelled.length === 0) return new Map()
    const wanted = [...new Set(misspelled.flatMap(deletionsOf))]
    const { rows } = await sql<KnownWord>`
      select word, documents from ${words}
      where deletions && ${textList(wanted)} and generation = (select live from ${state})
      order by documents desc, word limit 1000`.execute(db)
    const known = new Set(rows.map(({ word }) => word))
    const found = misspelled
      // A word that documents have is not misspelled.
      .filter((word) => !known.has(word))
      .map((word) => [word, correctionsOf(word, rows)] as const)
    return new Map(found.filter(([, corrections]) => corrections.length > 0))
  }

  async function find(query: QueriedWords, request: SearchRequest, place: SearchPlace | undefined) {
    const at = place?.at ?? new Date()
    const { rows } = await searchStatement(tables, query, request, { at, place }).execute(db)
    return { rows, at }
  }

  function toHits(rows: readonly FoundRow[], { query, isFuzzy }: Words, at: Date, place: SearchPlace | undefined) {
    const marks = marksOf(query, rows[0]?.query ?? null)
    return rows.map((row): SearchHit => {
      const rank = Number(row.rank)
      const listed = place ?? { generation: row.generation, newestId: Number(row.newest_id), at }
      return {
        key: row.key,
        kind: row.kind as SearchKind,
        profileId: Number(row.profile_id),
        visibility: row.visibility as SearchHit['visibility'],
        revision: row.revision,
        keywords: row.keywords,
        score: query.all.length > 0 ? Math.min(1, Math.max(0, rank / 1_000_000_000)) : 1,
        matched: [isFuzzy ? 'fuzzy' : 'keyword'],
        title: { text: row.title, ranges: rangesIn(row.title, marks) },
        snippet: snippetOf([row.excerpt, row.body], marks),
        cursor: writePlace(listed, rank, `${isFuzzy ? '~' : '='}${row.key}`),
      }
    })
  }

  /** The words by which the pages of a list are found: as written, or corrected when its first page was. */
  async function fuzzy(query: QueriedWords): Promise<{ readonly words: Words; readonly first: Map<string, string> }> {
    const corrections = await listCorrections(correctable(query))
    const first = new Map([...corrections].map(([word, [correction = word]]) => [word, correction]))
    return { words: { query: correct(query, corrections), isFuzzy: corrections.size > 0 }, first }
  }

  async function query(request: SearchRequest): Promise<SearchResult> {
    const given = request.cursor === undefined ? undefined : readPlace(request.cursor)
    const isContinuedFuzzy = given?.after?.key.startsWith('~') === true
    const place = given?.after && { ...given, after: { ...given.after, key: given.after.key.slice(1) } }
    const asked = wordsOf(request)
    if (!asked) return NOTHING
    if (!isContinuedFuzzy) {
      const { rows, at } = await find(asked, request, place)
      if (rows.length > 0 || place) {
        const hits = toHits(rows, { query: asked, isFuzzy: false }, at, place)
        return { hits, matches: matchesOf(rows), corrections: new Map() }
      }
    }
    const { words, first } = await fuzzy(asked)
    if (!words.isFuzzy) return NOTHING
    const { rows, at } = await find(words.query, request, place)
    const hits = toHits(rows, words, at, place)
    return { hits, matches: matchesOf(rows), corrections: rows.length > 0 ? first : new Map() }
  }

  async function suggestFor(given: readonly string[], limit: number): Promise<readonly SearchSuggestion[]> {
    const last = given.at(-1) ?? ''
    const complete = given.slice(0, -1).map((word) => sql`phraseto_tsquery('simple', ${word})`)
    const asked = sql.join([...complete, sql`${`'${last}':*`}::text::tsquery`], sql` && `)
    const { rows } = await sql<Pick<FoundRow, 'key' | 'kind' | 'profile_id' | 'title' | 'revision'>>`
      select key, kind, profile_id, title, revision from ${documents}
      where title_words @@ (${asked}) and generation = (select live from ${state}) and visibility = 'public'
      order by kind = 'profile' desc, updated_at desc, id desc limit ${limit}::integer`.execute(db)
    return rows.map((row) => ({
      key: row.key,
      kind: row.kind as SearchKind,
      profileId: Number(row.profile_id),
      title: row.title,
      revision: row.revision,
    }))
  }

  return {
    async put(given) {
      const known = await knownConfigurations()
      for (const batch of inBatches(given)) {
        await change((tx, current) => putDocuments(tx, tables, generationsOf(current), batch, known))
      }
    },

    remove: (which) => change((tx, current) => removeDocuments(tx, tables, generationsOf(current), which)),

    async mark(position) {
      await sql`update ${state} set position = ${position}`.execute(db)
    },

    query,

    async suggest(text, limit) {
      const given = [...tokensOf(fold(text))].map(({ word }) => word).filter((word) => word !== '')
      if (given.length === 0) return []
      const found = await suggestFor(given, limit)
      if (found.length > 0) return found
      const corrections = await listCorrections(given.filter(isCorrectable))
      if (corrections.size === 0) return []
      return suggestFor(
        given.map((word) => corrections.get(word)?.[0] ?? word),
        limit,
      )
    },

    async rebuild(): Promise<SearchRebuild> {
      const known = await knownConfigurations()
      const generation = await change(async (tx, { live, building }) => {
        if (building !== null) await deleteGeneration(tx, building)
        const next = Math.max(live, building ?? 0) + 1
        await sql`update ${state} set building = ${next}::integer`.execute(tx)
        return next
      })
      /** Works on the generation unless another rebuild took its place. */
      const within = (work: (tx: Connection, state: State) => Promise<unknown>) =>
        change(async (tx, current) => {
          if (current.building !== generation) throw new Error('Another rebuild of the search index was begun')
          await work(tx, current)
        })
      return {
        async put(given) {
          for (const batch of inBatches(given)) {
            await within(async (tx) => {
              const present = await keysAmong(
                tx,
                tables,
                generation,
                batch.map(({ key }) => key),
              )
              const missing = batch.filter(({ key }) => !present.has(key))
              await putDocuments(tx, tables, [generation], missing, known)
            })
          }
        },
        commit: () =>
          within(async (tx, { live }) => {
            await sql`update ${state} set live = ${generation}::integer, building = null`.execute(tx)
            await deleteGeneration(tx, live)
          }),
        discard: () =>
          within(async (tx) => {
            await sql`update ${state} set building = null`.execute(tx)
            await deleteGeneration(tx, generation)
          }),
      }
    },

    async stats() {
      const { rows } = await sql<State & { readonly documents: number | string }>`
        select live, building, position, (
          select count(*) from ${documents} where generation = live
        ) as documents from ${state}`.execute(db)
      const [current] = rows
      return {
        documents: Number(current?.documents ?? 0),
        position: current?.position ?? undefined,
        isRebuilding: current !== undefined && current.building !== null,
      }
    },

    async ping() {
      await sql`select live from ${state}`.execute(db)
    },
  }
}
