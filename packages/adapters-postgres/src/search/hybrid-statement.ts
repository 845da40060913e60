import type { SearchMeaning, SearchRequest } from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import { deletionsOf, type KnownWord } from './corrections.ts'
import type { ContentRow } from './hits.ts'
import { asVector, indexed, isIndexed, type MeaningIndex } from './pgvector.ts'
import {
  accessOf,
  inEachLanguage,
  inPartition,
  passageAccessOf,
  type QueriedTerm,
  type QueriedWords,
  READ_CHARACTERS,
  rankedDocuments,
  type SearchTables,
  tablesOf,
  textList,
} from './statements.ts'
import { vectorOf } from './vectors.ts'

/** How many documents of each list are merged. */
const MERGED = 100
/** How many passages are found by their bits and then compared exactly. */
const CANDIDATES = 200
/** Reciprocal rank fusion: the place of a document in a list counts `1 / (60 + place)`. */
const FUSION = 60

/** A row of {@link hybridStatement}; without a key when nothing was found. */
export interface HybridRow extends Omit<ContentRow, 'key'> {
  readonly key: string | null
  readonly id: number | string | null
  /** 0 to 1. */
  readonly score: number
  /** The places in the lists by words and by meaning; null when it is not in one. */
  readonly word_place: number | string | null
  readonly meaning_place: number | string | null
  /** The offset of the passage that is nearest in meaning. */
  readonly start: number | null
  /** The words similar to those of the query, when no document has those. */
  readonly alike: readonly KnownWord[] | null
  /** Whether the index has vectors of the embedder. */
  readonly is_ready: boolean
}

/** A query for {@link hybridStatement}. */
export interface HybridQuery {
  readonly words: QueriedWords
  /** Clauses that documents found by meaning must match as well: phrases. */
  readonly required: readonly (readonly QueriedTerm[])[]
  readonly meaning: SearchMeaning
  readonly bits: string
  /** The index of vectors that is searched, if there is one. */
  readonly index?: MeaningIndex | undefined
  /** The words to find similar words for, when no document matches. */
  readonly correctable: readonly string[]
}

/** Reads content for only this many of the first rows; the others have empty texts. */
const contentOf = (limit: number) => ({
  title: sql`case when pos <= ${limit}::integer then title else '' end`,
  excerpt: sql`case when pos <= ${limit}::integer then excerpt else '' end`,
  body: sql`case when pos > ${limit}::integer then '' else ${bodyFrom(sql`case when word_place is null then start else 0 end`)} end`,
})

/** The body, from a passage that begins further on. */
const bodyFrom = (start: RawBuilder<unknown>) => sql`substr(body, ${start} + 1, ${READ_CHARACTERS}::integer)`

/**
 * Finds documents by meaning, and by words when the query is hybrid: the 100 best of each, merged by reciprocal rank fusion. The
 * 200 passages nearest in meaning are found by an index of vectors, or by their bits and then compared exactly. A document has the place of
 * its nearest passage.
 */
export function hybridStatement(
  all: SearchTables,
  { words, required, meaning, bits, index, correctable }: HybridQuery,
  request: Pick<SearchRequest, 'partition' | 'filter' | 'restrictedKeys' | 'limit'>,
  at: Date,
): RawBuilder<HybridRow> {
  const tables = tablesOf(all, request.partition)
  const { state, documents, passages, vectors, words: knownWords } = tables
  const { embedderId, vector, minSimilarity, isHybrid } = meaning
  const access = passageAccessOf(tables, request)
  const phrases = inEachLanguage(tables, required, request.partition)
  const content = contentOf(request.limit)
  const alike =
    correctable.length > 0
      ? sql`case when not exists (select from by_words) then (
          select json_agg(json_build_object('word', word, 'documents', documents))
          from (
            select word, documents from ${knownWords}
            where deletions && ${textList([...new Set(correctable.flatMap(deletionsOf))])} and generation = (select live from ${state})
              and ${inPartition(request.partition)}
            order by documents desc, word limit 1000
          ) known
        ) end`
      : sql`null::json`
  const isLive = sql`generation = (select live from ${state} where embedder = ${embedderId})`
  // `unnest` in the list of columns does not store the pairs before they are added up.
  const nearByBits = () => sql`
    meant as materialized (
      select ${phrases} as phrases, ${bits}::text::bit varying as bits, ${vectorOf(vector)}::text::real[] as vector
    ),
    near as materialized (
      select document_id, start, hash from ${passages}
      where ${isLive} and bits is not null and ${sql.join(access, sql` and `)}
      order by bit_count(bits # (select bits from meant)), id limit ${CANDIDATES}::integer
    ),
    compared as (
      select document_id, start, (
        select sum(one::float8 * other)
        from (select unnest(known.vector) as one, unnest((select vector from meant)) as other) pair
      ) as similarity
      from near join ${vectors} known on known.hash = near.hash and known.embedder = ${embedderId}
    )`
  const nearIn = (index: MeaningIndex, vector: readonly number[]) => {
    const asked = indexed(sql`(select meaning from meant)`, index)
    const distance = sql`${indexed(sql`meaning`, index)} operator(${sql.id(index.schema)}.<#>) ${asked}`
    // The settings are in effect until the statement ends: its candidates are read after the vector of the query.
    return sql`
    meant as materialized (
      select ${phrases} as phrases, ${asVector(sql`${vectorOf(vector)}::text::real[]`, index.schema)} as meaning,
        set_config('hnsw.ef_search', ${sql.lit(String(CANDIDATES))}, true), set_config('hnsw.iterative_scan', 'relaxed_order', true)
    ),
    compared as materialized (
      select document_id, start, -(${distance}) as similarity from ${passages}
      where ${isLive} and ${isIndexed(index)} and ${sql.join(access, sql` and `)}
      order by ${distance} limit ${CANDIDATES}::integer
    )`
  }
  return sql<HybridRow>`
    with ${rankedDocuments(tables, words, request, { at })},
    by_words as materialized (
      select id, row_number() over (order by rank desc, key collate "C") as place
      from ranked where ${isHybrid}::boolean
      order by place limit ${MERGED}::integer
    ),
    ${index ? nearIn(index, vector) : nearByBits()},
    nearest as (
      select distinct on (document_id) document_id as id, start, similarity from compared
      where similarity >= ${minSimilarity}::float8
      order by document_id, similarity desc, start
    ),
    by_meaning as (
      select id, start, similarity, row_number() over (order by similarity desc, key collate "C") as place
      from nearest join ${documents} document using (id)
      where ${inPartition(request.partition, 'document')}
        and ((select negative from asked) is null or (words @@ (select negative from asked)) is not true)
        and ((select phrases from meant) is null or words @@ (select phrases from meant))
      order by place limit ${MERGED}::integer
    ),
    merged as (
      select id, by_words.place as word_place, by_meaning.place as meaning_place, start,
        case when ${isHybrid}::boolean
          then (coalesce(1.0 / (${FUSION}::integer + by_words.place), 0) + coalesce(1.0 / (${FUSION}::integer + by_meaning.place), 0))
            * ${(FUSION + 1) / 2}::float8
          else least(1, greatest(0, similarity))
        end as score
      from by_words full join by_meaning using (id)
    ),
    placed as (
      select merged.*, key, row_number() over (order by score desc, key collate "C") as pos
      from merged join ${documents} document using (id)
      where ${inPartition(request.partition, 'document')}
    )
    select placed.key, placed.id, kind, profile_id, visibility, revision, keywords, ${content.title} as title, ${content.excerpt} as excerpt,
      ${content.body} as body, score, word_place, meaning_place, start, generation,
      (select positive from asked)::text as query, ${alike} as alike,
      exists (select from ${state} where embedder = ${embedderId}) as is_ready
    from (select) one left join placed on true left join ${documents} document
      on document.id = placed.id and ${inPartition(request.partition, 'document')}
    order by pos`
}

/** A row of {@link listedStatement}; without a key when nothing may be returned. */
export interface ListedRow extends Omit<ContentRow, 'key'> {
  readonly key: string | null
  /** The place in the list. */
  readonly pos: number
  /** The generation of the index. */
  readonly live: number
}

/** The documents of an earlier list, in its order, that may still be returned. */
export function listedStatement(
  tables: SearchTables,
  words: QueriedWords,
  entries: readonly { readonly id: number; readonly start: number }[],
  request: Pick<SearchRequest, 'partition' | 'filter' | 'restrictedKeys' | 'limit'>,
): RawBuilder<ListedRow> {
  const { state, documents } = tablesOf(tables, request.partition)
  const positive = inEachLanguage(tables, words.all, request.partition)
  const sent = JSON.stringify(entries.map(({ id, start }, pos) => ({ id, start, pos })))
  return sql`
    select key, kind, profile_id, visibility, revision, keywords, title, excerpt, body, pos, (${positive})::text as query, generation, live
    from ${state} left join (
      select key, kind, profile_id, visibility, revision, keywords, title, excerpt, ${bodyFrom(sql`start`)} as body, pos, generation
      from json_to_recordset(${sent}::text::json) as sent (id bigint, start integer, pos integer)
      join ${documents} document using (id)
      where ${sql.join(accessOf(request), sql` and `)}
    ) listed on generation = live
    order by pos limit ${request.limit}::integer`
}
