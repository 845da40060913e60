import type { SearchMeaning, SearchRequest } from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import { deletionsOf, type KnownWord } from './corrections.ts'
import type { ContentRow } from './hits.ts'
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
 * passages nearest in meaning are found by their bits, and the best 200 of them compared exactly. A document has the place of its nearest
 * passage.
 */
export function hybridStatement(
  tables: SearchTables,
  { words, required, meaning, bits, correctable }: HybridQuery,
  request: Pick<SearchRequest, 'partition' | 'filter' | 'restrictedKeys' | 'limit'>,
  at: Date,
): RawBuilder<HybridRow> {
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
  return sql<HybridRow>`
    with ${rankedDocuments(tables, words, request, { at })},
    by_words as materialized (
      select id, row_number() over (order by rank desc, key collate "C") as place
      from ranked where ${isHybrid}::boolean
      order by place limit ${MERGED}::integer
    ),
    meant as materialized (
      select ${phrases} as phrases, ${bits}::text::bit varying as bits, ${vectorOf(vector)}::text::real[] as vector
    ),
    near as materialized (
      select document_id, start, hash from ${passages}
      where generation = (select live from ${state} where embedder = ${embedderId}) and bits is not null
        and ${sql.join(access, sql` and `)}
      order by bit_count(bits # (select bits from meant)), id limit ${CANDIDATES}::integer
    ),
    compared as (
      select document_id, start, (
        select sum(one::float8 * other) from unnest(known.vector, (select vector from meant)) as pair (one, other)
      ) as similarity
      from near join ${vectors} known on known.hash = near.hash and known.embedder = ${embedderId}
    ),
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
    select placed.key, kind, profile_id, visibility, revision, keywords, ${content.title} as title, ${content.excerpt} as excerpt,
      ${content.body} as body, score, word_place, meaning_place, start, generation,
      (select positive from asked)::text as query, ${alike} as alike,
      exists (select from ${state} where embedder = ${embedderId}) as is_ready
    from (select) one left join placed on true left join ${documents} document
      on document.id = placed.id and ${inPartition(request.partition, 'document')}
    order by pos`
}

/** The documents of an earlier list, in its order, that may still be returned. */
export function listedStatement(
  tables: SearchTables,
  words: QueriedWords,
  entries: readonly { readonly key: string; readonly start: number }[],
  request: Pick<SearchRequest, 'partition' | 'filter' | 'restrictedKeys' | 'limit'>,
): RawBuilder<ContentRow & { readonly pos: number }> {
  const { state, documents } = tables
  const positive = inEachLanguage(tables, words.all, request.partition)
  const sent = JSON.stringify(entries.map(({ key, start }, pos) => ({ key, start, pos })))
  return sql`
    select document.key, kind, profile_id, visibility, revision, keywords, title, excerpt, ${bodyFrom(sql`start`)} as body,
      pos, (${positive})::text as query, generation
    from json_to_recordset(${sent}::text::json) as sent (key text, start integer, pos integer)
    join ${documents} document on document.key = sent.key and generation = (select live from ${state})
    where ${sql.join(accessOf(request), sql` and `)}
    order by pos limit ${request.limit}::integer`
}
