import {
  decodeCursor,
  encodeCursor,
  invalidCursor,
  PUBLIC_PARTITION,
  type SearchFilter,
  type SearchRequest,
  type SearchTerm,
} from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import { moment, wholeNumber } from '../rows.ts'
import { storable } from './storable.ts'
import { queriedText } from './tokens.ts'

/** The tables of the index in a schema. */
export const searchTables = (schema: string) => ({
  schemaName: schema,
  state: sql.table(`${schema}.search_state`),
  documents: sql.table(`${schema}.search_documents`),
  words: sql.table(`${schema}.search_words`),
  languages: sql.table(`${schema}.search_languages`),
  passages: sql.table(`${schema}.search_passages`),
  vectors: sql.table(`${schema}.search_vectors`),
})

export type SearchTables = ReturnType<typeof searchTables>

/**
 * The tables of an index whose rows of a partition are read. They are named themselves and not by the table that they are parts of:
 * PostgreSQL keeps statistics of that one only after an explicit ANALYZE, and without them expects millions of rows of a join.
 */
export function tablesOf(tables: SearchTables, partition: string | undefined): SearchTables {
  const part = partition === undefined || partition === PUBLIC_PARTITION ? 'public' : 'private'
  const named = (table: string) => sql.table(`${tables.schemaName}.${table}_${part}`)
  return {
    ...tables,
    documents: named('search_documents'),
    words: named('search_words'),
    passages: named('search_passages'),
  }
}

/** A list as one parameter, however long it is. */
export const textList = (values: readonly (string | number)[]): RawBuilder<string[]> =>
  sql`array(select json_array_elements_text(${JSON.stringify(values)}::text::json))`

/** The condition that a row belongs to a partition. Add it for each table of a statement: several partitions share a table. */
export function inPartition(partition: string | undefined, table?: string): RawBuilder<unknown> {
  // A literal, so that the plan reads only this part, also with drivers that prepare statements.
  const name = partition === undefined ? sql.lit(PUBLIC_PARTITION) : sql`${storable(partition)}`
  return sql`${sql.ref(table === undefined ? 'partition' : `${table}.partition`)} = ${name}::text`
}

/** A term of a query as the index matches it. */
export interface QueriedTerm {
  /** Words that follow each other; empty for none. */
  readonly phrase: string
  /** The word with its diacritics, if the phrase is a single word that has some. */
  readonly accented?: string | undefined
  /** The phrase without the joiners of its words, if they have any. */
  readonly joined?: string | undefined
  /** The beginning of a word; empty for none. */
  readonly prefix: string
}

const termsOf = (terms: readonly SearchTerm[]): readonly QueriedTerm[] =>
  terms
    .map(({ text, isPrefix }) => queriedText(text, isPrefix))
    .filter(({ phrase, prefix }) => phrase !== '' || prefix !== '')

/** A query in the words of the index. */
export interface QueriedWords {
  readonly all: readonly (readonly QueriedTerm[])[]
  readonly none: readonly QueriedTerm[]
}

/** The words of a query; undefined when it asks for something that is not a word, which nothing matches. */
export function wordsOf({ all, none }: Pick<SearchRequest, 'all' | 'none'>): QueriedWords | undefined {
  const clauses = all.map(termsOf).filter((clause) => clause.length > 0)
  if (all.length > 0 && clauses.length === 0) return undefined
  return { all: clauses, none: termsOf(none) }
}

// A prefix is made of letters, digits and marks, so quotes are enough.
const quoted = (word: string) => `'${word}'`

/**
 * What a phrase matches in a language. The order of words that are all stop words in one of the languages is not looked at: nearly every document
 * has them, and PostgreSQL would read their positions in each.
 */
function phraseIn(phrase: string): RawBuilder<unknown> {
  const inOrder = sql`phraseto_tsquery(language::regconfig, ${phrase})`
  if (!phrase.includes(' ')) return inOrder
  return sql`
    case when bool_or(numnode(${inOrder}) = 0) over () then plainto_tsquery(language::regconfig, ${phrase}) else ${inOrder} end`
}

/** What a clause matches in a language, as text; empty when it has only stop words of that language. */
function inLanguage(clause: readonly QueriedTerm[]): RawBuilder<unknown> {
  const phrases = clause.flatMap(({ phrase, accented = '', joined = '' }) => [phrase, accented, joined])
  const queries = phrases.filter((phrase) => phrase !== '').map(phraseIn)
  if (queries.length === 0) return sql`''`
  const [prefix = ''] = clause.flatMap(({ phrase, prefix }) => (phrase === prefix ? [prefix] : []))
  // Its prefix matches the word as well.
  return sql`nullif((${sql.join(queries, sql` || `)})::text, ${quoted(prefix)})`
}

/** What a clause matches in some languages. */
function inLanguages(clause: readonly QueriedTerm[], index: number): RawBuilder<unknown> {
  const prefixes = clause.flatMap(({ prefix }) => (prefix === '' ? [] : [`${quoted(prefix)}:*`]))
  const words = sql`string_agg(distinct nullif(${clauseName(index)}, ''), ' | ')`
  return sql`'(' || ${prefixes.length > 0 ? sql`concat_ws(' | ', ${words}, ${prefixes.join(' | ')}::text)` : words} || ')'`
}

const clauseName = (index: number) => sql.ref(`clause_${index}`)

/**
 * One query for all languages of the index. Each clause is matched in any of them; the stop words of a language are
 * left out there. Languages that leave out the same clauses share a query, and these queries are joined by "or". That
 * has fewer words than a query for each language: most stems are the same in many. Null when there is nothing to match.
 */
export function inEachLanguage(
  { state, languages }: SearchTables,
  clauses: readonly (readonly QueriedTerm[])[],
  partition: string | undefined,
): RawBuilder<unknown> {
  if (clauses.length === 0) return sql`null::tsquery`
  const isLeftOut = clauses.flatMap((clause, index) =>
    clause.some(({ prefix }) => prefix !== '') ? [] : [sql`${clauseName(index)} = ''`],
  )
  return sql`(
    select string_agg(query, ' | ')::tsquery
    from (
      select concat_ws(' & ', ${sql.join(clauses.map(inLanguages))}) as query
      from (
        select ${sql.join(clauses.map((clause, index) => sql`${inLanguage(clause)} as ${clauseName(index)}`))}
        from (
          select language from ${languages} where generation = (select live from ${state}) and ${inPartition(partition)} union select 'simple'
        ) spoken
      ) branch
      ${isLeftOut.length > 0 ? sql`group by ${sql.join(isLeftOut)}` : sql``}
    ) grouped
    where query <> ''
  )`
}

/** The start of a page, and the state of the index when its list began. */
export interface SearchPlace {
  readonly generation: number
  /** Documents with a higher id were put after the first page. */
  readonly newestId: number
  /** The time of the first page, by which freshness is measured. */
  readonly at: Date
  /** The last hit before the page. */
  readonly after?: { readonly rank: number; readonly key: string } | undefined
}

/** The largest `integer`. */
const MAX_GENERATION = 2 ** 31 - 1

const CURSOR = ['number', 'number', 'number', 'number', 'string'] as const

export const writePlace = ({ generation, newestId, at }: SearchPlace, rank: number, key: string): string =>
  encodeCursor([generation, newestId, at.getTime(), rank, key])

/** @throws `invalid_cursor` */
export function readPlace(cursor: string): SearchPlace {
  const [generation, newestId, at, rank, key] = decodeCursor(cursor, CURSOR)
  if (typeof key !== 'string' || key.includes('\0') || !key.isWellFormed()) throw invalidCursor()
  if (!(Number(generation) >= 0 && Number(generation) <= MAX_GENERATION)) throw invalidCursor()
  return {
    generation: wholeNumber(generation),
    newestId: wholeNumber(newestId),
    at: moment(at),
    after: { rank: wholeNumber(rank), key },
  }
}

function conditionsOf(filter: SearchFilter): RawBuilder<unknown>[] {
  const { kinds, profileTypes, profileId, tags, updatedFrom, updatedBefore } = filter
  return [
    ...(kinds ? [sql`kind = any(${textList(kinds)})`] : []),
    ...(profileTypes ? [sql`profile_type = any(${textList(profileTypes)})`] : []),
    ...(profileId === undefined ? [] : [sql`profile_id = ${profileId}::bigint`]),
    ...(tags && tags.length > 0 ? [sql`keywords @> ${textList(tags)}`] : []),
    ...(updatedFrom ? [sql`updated_at >= ${updatedFrom}::timestamptz`] : []),
    ...(updatedBefore ? [sql`updated_at < ${updatedBefore}::timestamptz`] : []),
  ]
}

/**
 * Ranking reads the words of a document, so of very many matches only the newest are ranked: those with the last word as typed or
 * inflected if they are enough, else also those with a longer word. The newest of those whose titles match are ranked too: a title weighs
 * more than a date.
 */
const RANKED = 1_000
/** The part of a body that snippets are taken from. */
export const READ_CHARACTERS = 20_000

/** A row of {@link searchStatement}. */
export interface FoundRow {
  readonly key: string
  readonly kind: string
  readonly profile_id: number | string
  readonly visibility: string
  readonly revision: string
  readonly keywords: readonly string[]
  readonly title: string
  readonly excerpt: string
  readonly body: string
  readonly rank: number | string
  /** As text. */
  readonly query: string | null
  readonly generation: number
  readonly newest_id: number | string
  readonly matches: number | string
}

/** The documents that a caller searches in, as conditions on documents. */
export const accessOf = ({ partition, filter, restrictedKeys }: Searched): RawBuilder<unknown>[] => [
  inPartition(partition),
  restrictedKeys.length > 0
    ? sql`(visibility = 'public' or key = any(${textList(restrictedKeys)}))`
    : sql`visibility = 'public'`,
  ...conditionsOf(filter),
]

/** The same as conditions on passages. */
export const passageAccessOf = (
  { state, documents }: SearchTables,
  { partition, filter, restrictedKeys }: Searched,
): RawBuilder<unknown>[] => [
  inPartition(partition),
  restrictedKeys.length > 0
    ? sql`(visibility = 'public' or document_id in (
        select id from ${documents} where key = any(${textList(restrictedKeys)}) and generation = (select live from ${state}) and ${inPartition(partition)}
      ))`
    : sql`visibility = 'public'`,
  ...conditionsOf(filter),
]

type Searched = Pick<SearchRequest, 'partition' | 'filter' | 'restrictedKeys'>

/**
 * The documents that have the words of a query, ranked, as the CTEs `asked`, `matching` and `ranked`. The score is
 * `rank * (0.85 + 0.1 * freshness + 0.05 * trust)` in billionths, where `rank` is `ts_rank_cd` with the weights 1 for the title, 0.4 for headings and
 * keywords, 0.2 for the excerpt and 0.1 for the body, divided by the logarithm of the length and scaled to 0-1; and
 * `freshness` is 1 for a new document and a half after a year.
 */
export function rankedDocuments(
  tables: SearchTables,
  { all, none }: QueriedWords,
  searched: Searched,
  { at, place }: { readonly at: Date; readonly place?: SearchPlace | undefined },
): RawBuilder<unknown> {
  const { state, documents } = tablesOf(tables, searched.partition)
  const positive = inEachLanguage(tables, all, searched.partition)
  const negative = inEachLanguage(tables, none.length > 0 ? [none] : [], searched.partition)
  const conditions = [
    sql`generation = (select live from ${state})`,
    ...(none.length > 0 ? [sql`(words @@ (select negative from asked)) is not true`] : []),
    // A new generation has other ids.
    ...(place ? [sql`(id <= ${place.newestId}::bigint or generation <> ${place.generation}::integer)`] : []),
    ...accessOf(searched),
  ]
  const newestWhere = (...matches: readonly RawBuilder<unknown>[]) => sql`
    select id from ${documents} where ${sql.join([...matches, ...conditions], sql` and `)}
    order by updated_at desc, id desc limit ${sql.lit(RANKED)}`
  const isMatched = sql`words @@ (select positive from asked)`
  const isFull = (cte: string) => sql`(select count(*) from ${sql.ref(cte)}) = ${sql.lit(RANKED)}`
  // A single character of a script without spaces has no phrase: its prefix is how it matches.
  const terms = all.flat()
  const completes = terms.some(({ prefix }) => prefix !== '') && terms.every(({ phrase }) => phrase !== '')
  // The words of a title are among those of its document, which need not be looked up again.
  const isTitled = [
    sql`title_words @@ (select positive from asked)`,
    isFull('newest'),
    sql`id not in (select id from newest)`,
  ]
  const freshness = sql`1 / (1 + greatest(0, extract(epoch from ${at}::timestamptz - updated_at)) / 31536000)`
  const rank =
    all.length > 0
      ? sql`ts_rank_cd('{0.1,0.2,0.4,1}', words, (select positive from asked), 33) * (0.85 + 0.1 * ${freshness} + 0.05 * trust) * 1000000000`
      : sql`extract(epoch from updated_at) * 1000`
  // Very many documents have a word that begins with a short one, and the index reads all of them, so those with the word as typed are
  // looked up first.
  const asTyped = sql`(select replace(positive::text, ':*', '')::tsquery from asked)`
  const exact = sql`exact as materialized (${newestWhere(sql`words @@ ${asTyped}`)}),`
  const newest = completes
    ? sql`
      select id from exact where ${isFull('exact')}
      union all select * from (${newestWhere(isMatched, sql`not ${isFull('exact')}`)}) longer`
    : newestWhere(...(all.length > 0 ? [isMatched] : []))
  return sql`
    asked as materialized (select ${positive} as positive, ${negative} as negative),
    ${completes ? exact : sql``}
    newest as materialized (${newest}),
    matching as (
      select * from newest
      ${all.length > 0 ? sql`union all select * from (${newestWhere(...isTitled)}) titled` : sql``}
    ),
    ranked as (
      select id, key, (${rank})::bigint as rank from matching join ${documents} document using (id)
      where ${inPartition(searched.partition, 'document')}
    )`
}

/** Finds documents by words. */
export function searchStatement(
  tables: SearchTables,
  words: QueriedWords,
  request: SearchRequest,
  { at, place }: { readonly at: Date; readonly place: SearchPlace | undefined },
): RawBuilder<FoundRow> {
  const { documents } = tablesOf(tables, request.partition)
  const after = place?.after
  return sql<FoundRow>`
    with ${rankedDocuments(tables, words, request, { at, place })},
    page as (
      select * from ranked
      where ${
        after
          ? sql`rank < ${after.rank}::bigint or (rank = ${after.rank}::bigint and key > ${after.key} collate "C")`
          : sql`true`
      }
      order by rank desc, key collate "C" limit (select ${request.limit}::integer)
    )
    select document.key, kind, profile_id, visibility, revision, keywords, title, excerpt,
      left(body, ${READ_CHARACTERS}::integer) as body, rank, (select positive from asked)::text as query, generation,
      (select max(id) from ${documents} where ${inPartition(request.partition)}) as newest_id, least(${sql.lit(RANKED)}, (select count(*) from ranked)) as matches
    from page join ${documents} document using (id)
    where ${inPartition(request.partition, 'document')}
    order by rank desc, document.key collate "C"`
}
