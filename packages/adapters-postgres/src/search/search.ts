import {
  foldWord,
  type SearchDocument,
  type SearchIndex,
  type SearchKind,
  type SearchRebuild,
  type SearchRequest,
  type SearchResult,
  type SearchSuggestion,
  tokensOf,
} from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { createQuantizer } from './bits.ts'
import { deletionsOf, isCorrectable, type KnownWord } from './corrections.ts'
import { addMissing, putDocuments, removeDocuments } from './documents.ts'
import { hitsOf } from './hits.ts'
import { type ConfigurationOf, languageDetector } from './languages.ts'
import { limitedStatements } from './limited-statements.ts'
import { isListCursor } from './list-cursor.ts'
import { createMergedLists } from './merged-lists.ts'
import { createPgVector, vectorSchema } from './pgvector.ts'
import { correct, correctable, correctionsAmong, likeliest } from './queried-words.ts'
import { SEARCH_FORMAT, type SearchState } from './state.ts'
import {
  type FoundRow,
  inPartition,
  type QueriedWords,
  readPlace,
  type SearchPlace,
  searchStatement,
  searchTables,
  tablesOf,
  textList,
  wordsOf,
  writePlace,
} from './statements.ts'
import { createStatistics } from './statistics.ts'
import { withoutJoiners } from './tokens.ts'
import { sqlVectors, sweepVectors } from './vectors.ts'
import { createWordCounts } from './word-counts.ts'

type Connection = Kysely<Database>

/** The last words of a text that titles are suggested for. */
const MAX_SUGGESTED_FOR = 8
/** Documents in one transaction. */
const BATCH = 100
/** A rebuild stores its word counts when there are this many, so that a word is not stored again with each batch. */
const MAX_COUNTED = 100_000

interface Words {
  readonly query: QueriedWords
  readonly isFuzzy: boolean
}

/** Options of the full-text index. */
export interface SqlSearchOptions {
  /**
   * Whether the extension pgvector is used where the database has it; it is created when the role may do that. Default: true. False
   * finds passages by their bits, and keeps the extension out of dumps.
   */
  readonly pgvector?: boolean | undefined
  /**
   * How long a statement of a query may take. The server ends it then, and the query rejects with `search_timeout`. Default: 1,000 on a
   * PostgreSQL server. PGlite cannot end a statement.
   */
  readonly timeoutMs?: number | undefined
  /**
   * Whether the connections have `jit` off. With `false`, a statement of a query turns it off in a transaction, because compiling one can
   * take longer than the query may. Default: true for connections that the storage sets up itself, without a pooler.
   */
  readonly isJitOff?: boolean | undefined
  /**
   * Whether the statistics of the tables are updated after a rebuild and as the index grows, which autovacuum does not do for partitioned tables.
   * It needs the owner of the tables; for other roles nothing happens. Default: true. PGlite never does it.
   */
  readonly analyzes?: boolean | undefined
}

/** The default of `timeoutMs` on a server. */
export const SEARCH_TIMEOUT_MS = 1_000

const NOTHING: SearchResult = { hits: [], matches: 0, corrections: new Map(), mode: 'keyword' }
const matchesOf = (rows: readonly FoundRow[]) => Number(rows[0]?.matches ?? 0)

/**
 * A full-text index in the tables of a storage. One statement answers a query; one that matches nothing takes two more, for
 * similarly spelled words.
 */
export function sqlSearch(
  db: Connection,
  schema: string,
  { pgvector: isAllowed = true, timeoutMs, isJitOff = false, analyzes = true }: SqlSearchOptions = {},
): SearchIndex {
  const tables = searchTables(schema)
  const pgvector = createPgVector(db, tables, isAllowed)
  const run = limitedStatements(db, { timeoutMs, isJitOff })
  const statistics = createStatistics(db, tables, analyzes)
  const { state, documents, words, languages } = tables
  const quantize = createQuantizer()
  const detector = languageDetector()
  let loading: Promise<ConfigurationOf> | undefined

  async function loadConfigurations(): Promise<ConfigurationOf> {
    const { rows } = await sql<{ readonly name: string }>`
      select cfgname as name from pg_catalog.pg_ts_config where cfgnamespace = 'pg_catalog'::regnamespace`.execute(db)
    return detector(new Set(rows.map(({ name }) => name)))
  }

  function configurations(): Promise<ConfigurationOf> {
    loading ??= loadConfigurations().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  /** Runs a change while no other one runs. */
  const change = <Result>(work: (tx: Connection, state: SearchState) => Promise<Result>): Promise<Result> =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const { rows } = await sql<SearchState>`
          select live, building, position, embedder, building_embedder, format, format_of, ${vectorSchema(tables)} as vector_schema
          from ${state} for update`.execute(tx)
        const [current] = rows
        if (!current) throw new Error(`The table search_state of the schema "${schema}" has no row`)
        return work(tx, current)
      })

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

  async function listCorrections(
    misspelled: readonly string[],
    partition?: string | undefined,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (misspelled.length === 0) return new Map()
    const wanted = [...new Set(misspelled.flatMap(deletionsOf))]
    const { rows } = await run(sql<KnownWord>`
      select word, documents from ${tablesOf(tables, partition).words}
      where deletions && ${textList(wanted)} and generation = (select live from ${state})
        and ${inPartition(partition)}
      order by documents desc, word limit 1000`)
    return correctionsAmong(misspelled, rows)
  }

  async function find(query: QueriedWords, request: SearchRequest, place: SearchPlace | undefined) {
    const at = place?.at ?? new Date()
    const { rows } = await run(searchStatement(tables, query, request, { at, place }))
    return { rows, at }
  }

  function toHits(rows: readonly FoundRow[], { query, isFuzzy }: Words, at: Date, place: SearchPlace | undefined) {
    const isRanked = query.all.length > 0
    return hitsOf(rows, query, (row) => {
      const rank = Number(row.rank)
      const listed = place ?? { generation: row.generation, newestId: Number(row.newest_id), at }
      return {
        score: isRanked ? Math.min(1, Math.max(0, rank / 1_000_000_000)) : 1,
        matched: [isFuzzy ? 'fuzzy' : 'keyword'],
        writeCursor: () => writePlace(listed, rank, `${isFuzzy ? '~' : '='}${row.key}`),
      }
    })
  }

  /** The words by which the pages of a list are found: as written, or corrected when its first page was. */
  async function fuzzy(
    query: QueriedWords,
    partition: string | undefined,
  ): Promise<{ readonly words: Words; readonly first: Map<string, string> }> {
    const corrections = await listCorrections(correctable(query), partition)
    return {
      words: { query: correct(query, corrections), isFuzzy: corrections.size > 0 },
      first: likeliest(corrections),
    }
  }

  async function query(request: SearchRequest): Promise<SearchResult> {
    if (request.cursor !== undefined && isListCursor(request.cursor)) return merged.next(request, request.cursor)
    // A query without words has no meaning to search by.
    if (request.meaning && request.cursor === undefined && request.all.length > 0) {
      return merged.first(request, request.meaning)
    }
    const given = request.cursor === undefined ? undefined : readPlace(request.cursor)
    const isContinuedFuzzy = given?.after?.key.startsWith('~') === true
    const place = given?.after && { ...given, after: { ...given.after, key: given.after.key.slice(1) } }
    const asked = wordsOf(request)
    if (!asked) return NOTHING
    if (!isContinuedFuzzy) {
      const { rows, at } = await find(asked, request, place)
      if (rows.length > 0 || place) {
        const hits = toHits(rows, { query: asked, isFuzzy: false }, at, place)
        return { hits, matches: matchesOf(rows), corrections: new Map(), mode: 'keyword' }
      }
    }
    const { words, first } = await fuzzy(asked, request.partition)
    if (!words.isFuzzy) return NOTHING
    const { rows, at } = await find(words.query, request, place)
    const hits = toHits(rows, words, at, place)
    return { hits, matches: matchesOf(rows), corrections: rows.length > 0 ? first : new Map(), mode: 'keyword' }
  }

  const merged = createMergedLists(run, tables, quantize, pgvector)

  /** Suggests titles that have all words of one of the spellings. */
  async function suggestFor(
    spellings: readonly (readonly string[])[],
    limit: number,
  ): Promise<readonly SearchSuggestion[]> {
    const asked = spellings.map((given) => {
      const last = given.at(-1) ?? ''
      const complete = given.slice(0, -1).map((word) => sql`phraseto_tsquery('simple', ${word})`)
      return sql`(${sql.join([...complete, sql`${`'${last}':*`}::text::tsquery`], sql` && `)})`
    })
    const { rows } = await run(sql<Pick<FoundRow, 'key' | 'kind' | 'profile_id' | 'title' | 'revision'>>`
      select key, kind, profile_id, title, revision from ${tablesOf(tables, undefined).documents}
      where title_words @@ (${sql.join(asked, sql` || `)}) and generation = (select live from ${state}) and visibility = 'public'
        and ${inPartition(undefined)}
      order by kind = 'profile' desc, updated_at desc, id desc limit ${limit}::integer`)
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
      const configurationOf = await configurations()
      for (const batch of inBatches(given)) {
        await change((tx, current) => putDocuments(tx, tables, current, batch, configurationOf))
        await statistics.changed(batch.length)
      }
    },

    async remove(which) {
      // A profile or a partition may have many documents. Others get the connection in between.
      let removed: number
      do removed = await change((tx, current) => removeDocuments(tx, tables, current, which, BATCH))
      while (removed === BATCH)
    },

    async mark(position) {
      // An index that has no position and is not rebuilt belongs to a new service: this release writes all of its rows.
      const isNew = sql`position is null and building is null`
      await sql`
        update ${state} set position = ${position},
          format = case when ${isNew} then ${SEARCH_FORMAT}::integer else format end,
          format_of = case when ${isNew} then live else format_of end`.execute(db)
    },

    async position() {
      const { rows } = await sql<Pick<SearchState, 'position'>>`select position from ${state}`.execute(db)
      return rows[0]?.position ?? undefined
    },

    query,

    async suggest(text, limit) {
      const known = [...tokensOf(foldWord(text))].filter(({ word }) => word !== '')
      const given = known.slice(-MAX_SUGGESTED_FOR).map(({ word }) => word)
      if (given.length === 0) return []
      const joined = known.some((token) => token.joined)
        ? [
            withoutJoiners(known)
              .slice(-MAX_SUGGESTED_FOR)
              .map(({ word }) => word),
          ]
        : []
      const found = await suggestFor([given, ...joined], limit)
      if (found.length > 0) return found
      const corrections = await listCorrections(given.filter(isCorrectable))
      if (corrections.size === 0) return []
      return suggestFor([given.map((word) => corrections.get(word)?.[0] ?? word)], limit)
    },

    async rebuild(embedderId): Promise<SearchRebuild> {
      const configurationOf = await configurations()
      const generation = await change(async (tx, { live, building }) => {
        if (building !== null) await deleteGeneration(tx, building)
        const next = Math.max(live, building ?? 0) + 1
        await sql`
          update ${state} set building = ${next}::integer, building_embedder = ${embedderId ?? null}::text`.execute(tx)
        return next
      })
      /** Works on the generation unless another rebuild took its place. */
      const within = (work: (tx: Connection, state: SearchState) => Promise<unknown>) =>
        change(async (tx, current) => {
          if (current.building !== generation) throw new Error('Another rebuild of the search index was started')
          await work(tx, current)
        })
      const counts = createWordCounts()
      return {
        async put(given) {
          for (const batch of inBatches(given)) {
            const counted = createWordCounts()
            await within((tx, current) =>
              addMissing(tx, tables, { state: current, generation }, batch, configurationOf, counted),
            )
            counts.merge(counted)
            if (counts.size() > MAX_COUNTED) {
              await within((tx) => counts.store(tx, tables))
              counts.clear()
            }
          }
        },
        async commit() {
          await within(async (tx, { live }) => {
            await counts.store(tx, tables)
            await sql`delete from ${words} where generation = ${generation}::integer and documents <= 0`.execute(tx)
            await sql`
              update ${state} set live = ${generation}::integer, building = null,
                embedder = building_embedder, building_embedder = null,
                format = ${SEARCH_FORMAT}::integer, format_of = ${generation}::integer`.execute(tx)
            await deleteGeneration(tx, live)
            await sweepVectors(tx, tables)
          })
          await statistics.analyze()
        },
        discard: () =>
          within(async (tx) => {
            await sql`update ${state} set building = null, building_embedder = null`.execute(tx)
            await deleteGeneration(tx, generation)
            await sweepVectors(tx, tables)
          }),
      }
    },

    async stats() {
      const { rows } = await sql<
        SearchState & { readonly documents: number | string; readonly pending: number | string }
      >`
        select live, building, position, embedder, building_embedder, format, format_of, null as vector_schema,
          (select count(*) from ${tablesOf(tables, undefined).documents} where generation = live and ${inPartition(undefined)}) as documents,
          (select count(*) from ${tables.vectors} known where known.embedder = state.embedder and text is not null) as pending
        from ${state} state`.execute(db)
      const [current] = rows
      return {
        documents: Number(current?.documents ?? 0),
        isRebuilding: current !== undefined && current.building !== null,
        isOutdated: current?.format !== SEARCH_FORMAT || current.format_of !== current.live,
        embedderId: current?.embedder ?? undefined,
        pendingTexts: Number(current?.pending ?? 0),
      }
    },

    vectors: sqlVectors(db, tables, change, quantize, pgvector),

    async ping() {
      await sql`select live from ${state}`.execute(db)
    },
  }
}
