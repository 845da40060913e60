import { setImmediate } from 'node:timers/promises'
import { PUBLIC_PARTITION, type SearchDocument, type SearchRemoval } from '@eep/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { ConfigurationOf } from './languages.ts'
import {
  correctableWordsOf,
  PREPARED_AT_ONCE,
  type PreparedDocument,
  partitionOf,
  prepareDocuments,
  type Texts,
} from './prepare-documents.ts'
import { generationsOf, type SearchState } from './state.ts'
import { inPartition, type SearchTables, textList } from './statements.ts'
import { forgetTexts, hashesOf, putPassages } from './vectors.ts'
import { createWordCounts, type Part, type WordCounts } from './word-counts.ts'

type Connection = Kysely<Database>

/** Documents in one statement. */
const PART = 25
/** The generations that documents are added to. */
interface Target {
  readonly state: SearchState
  readonly generations: readonly number[]
}

interface RemovedRow extends Texts {
  readonly generation: number
  readonly partition: string
  readonly visibility: string
}

/** The conditions on the documents of a removal: one for each partition that is named. */
function meantBy(which: SearchRemoval): readonly RawBuilder<unknown>[] {
  if ('partitions' in which) return which.partitions.map((partition) => inPartition(partition))
  if ('keys' in which) return [sql`${inPartition(which.partition)} and key = any(${textList(which.keys)})`]
  const isTheirs = sql`profile_id = any(${textList(which.profileIds)}::bigint[])`
  return ['allPartitions' in which ? isTheirs : sql`${inPartition(which.partition)} and ${isTheirs}`]
}

/** Deletes at most `limit` documents. Returns how many, and the texts of their passages, which other documents may have too. */
async function remove(
  db: Connection,
  tables: SearchTables,
  state: SearchState,
  which: SearchRemoval,
  counts: WordCounts,
  limit?: number,
): Promise<{ readonly count: number; readonly hashes: readonly string[] }> {
  const generations = generationsOf(state)
  const hashes: string[] = []
  let count = 0
  for (const meant of meantBy(which)) {
    if (count === limit) break
    const all = sql`generation = any(${textList(generations)}::integer[]) and ${meant}`
    const isMeant =
      limit === undefined
        ? all
        : sql`${all} and id in (select id from ${tables.documents} where ${all} order by id limit ${limit - count})`
    hashes.push(...(await hashesOf(db, tables, state, isMeant)))
    const { rows } = await sql<RemovedRow>`
      delete from ${tables.documents} where ${isMeant}
      returning generation, partition, visibility, title, headings, keywords, excerpt, body`.execute(db)
    for (const [index, { generation, partition, visibility, ...texts }] of rows.entries()) {
      if (visibility !== 'public') continue
      counts.add({ generation, partition }, correctableWordsOf(texts), -1)
      if (index % PREPARED_AT_ONCE === PREPARED_AT_ONCE - 1) await setImmediate()
    }
    count += rows.length
  }
  return { count, hashes }
}

async function storeCounts(db: Connection, tables: SearchTables, counts: WordCounts, state: SearchState) {
  await counts.store(db, tables)
  // A rebuild has counted words that it did not store yet, so it deletes the lost ones when it ends.
  if (state.building === null) await counts.deleteLost(db, tables)
}

/** Deletes the languages that no document of these partitions has. The public partition keeps those that it had once. */
async function forgetLanguages(
  db: Connection,
  { documents, languages }: SearchTables,
  partitions: readonly string[],
): Promise<void> {
  for (const partition of new Set(partitions)) {
    if (partition === PUBLIC_PARTITION) continue
    await sql`
      delete from ${languages} known
      where ${inPartition(partition, 'known')} and not exists (
        select from ${documents} document
        where document.generation = known.generation and ${inPartition(partition, 'document')}
          and document.language = known.language
      )`.execute(db)
  }
}

/** Removes at most `limit` documents, and the words and vectors that no other document has. Returns how many. */
export async function removeDocuments(
  db: Connection,
  tables: SearchTables,
  state: SearchState,
  which: SearchRemoval,
  limit: number,
): Promise<number> {
  const counts = createWordCounts()
  const { count, hashes } = await remove(db, tables, state, which, counts, limit)
  await storeCounts(db, tables, counts, state)
  await forgetLanguages(
    db,
    tables,
    [...counts.parts()].map(({ partition }) => partition),
  )
  await forgetTexts(db, tables, hashes)
  return count
}

/** Returns those of these keys that a generation of a partition contains. */
async function keysAmong(
  db: Connection,
  { documents }: SearchTables,
  { generation, partition }: Part,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  // As constants, the planner would look up a generation that it has no statistics of, expect one row of it and read all of
  // them, for each batch of a rebuild.
  const { rows } = await sql<{ readonly key: string }>`
    select key from ${documents}
    where (generation, key) in (select ${generation}::integer, unnest(${textList(keys)}))
      and ${inPartition(partition)}`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

type DocumentsByKey = Map<string, SearchDocument>

/** Documents by partition and key; of several with one key, the last. */
function byPartition(given: readonly SearchDocument[]): ReadonlyMap<string, DocumentsByKey> {
  const partitions = new Map<string, DocumentsByKey>()
  for (const document of given) {
    const partition = partitionOf(document)
    const documents: DocumentsByKey = partitions.get(partition) ?? new Map()
    partitions.set(partition, documents.set(document.key, document))
  }
  return partitions
}

const documentsIn = (partitions: ReadonlyMap<string, DocumentsByKey>): readonly SearchDocument[] =>
  [...partitions.values()].flatMap((documents) => [...documents.values()])

/** The words of a text with their positions. A word with joiners is at the position of its first part too; only the text form of vectors can say that. */
function withJoined(configuration: RawBuilder<unknown>, text: 'a' | 'b' | 'c' | 'd'): RawBuilder<unknown> {
  const [words, joined] = [sql.ref(text), sql.ref(`joined_${text}`)]
  return sql`
    case when ${joined} = '' then to_tsvector(${configuration}, ${words})
      else (to_tsvector(${configuration}, ${words})::text || ' ' || to_tsvector(${configuration}, ${joined})::text)::tsvector end`
}

/** The words of a document with their positions and weights. */
const positionsIn = (configuration: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  setweight(${withJoined(configuration, 'a')}, 'A') || setweight(${withJoined(configuration, 'b')}, 'B')
  || setweight(${withJoined(configuration, 'c')}, 'C') || setweight(${withJoined(configuration, 'd')}, 'D')`

/** Adds documents with keys that the generations do not have, and counts their words. */
async function insertDocuments(
  db: Connection,
  tables: SearchTables,
  { state, generations }: Target,
  prepared: readonly PreparedDocument[],
  counts: WordCounts,
): Promise<void> {
  if (prepared.length === 0) return
  for (const generation of generations) {
    for (const { row, words } of prepared) counts.add({ generation, partition: row.partition }, words, 1)
  }
  const vector = positionsIn(sql`language::regconfig`)
  // Stemmers know some endings by their accents, and queries may be written without them.
  const accented = sql`
    setweight(to_tsvector(language::regconfig, accented_a), 'A') || setweight(to_tsvector(language::regconfig, accented_b), 'B')
    || setweight(to_tsvector(language::regconfig, accented_c), 'C')
    || setweight(to_tsvector(language::regconfig, accented_d), 'D')`
  // Words without stemming, in addition to their stems: prefixes and words of other languages match these.
  const spelled = positionsIn(sql`'simple'`)
  await sql`
    with inserted as (
      insert into ${tables.documents} (
        generation, partition, key, kind, profile_id, profile_type, visibility, revision, language, title, headings, keywords, excerpt,
        body, trust, updated_at, words, title_words
      )
      select target, partition, key, kind, profile_id, profile_type, visibility, revision, language, title, headings,
        array(select json_array_elements_text(keywords)), excerpt, body, trust, updated_at,
        case
          when language = 'simple' then ${spelled}
          when accented_a || accented_b || accented_c || accented_d = '' then (${vector}) || (${spelled})
          else (${vector}) || (${spelled}) || (${accented})
        end, ${withJoined(sql`'simple'`, 'a')} || ${withJoined(sql`language::regconfig`, 'a')}
      from json_to_recordset(${JSON.stringify(prepared.map(({ row }) => row))}::text::json) as sent (
        partition text, key text, kind text, profile_id bigint, profile_type text, visibility text, revision text, language text, title text,
        headings text, keywords json, excerpt text, body text, trust real, updated_at timestamptz, a text, b text, c text, d text,
        accented_a text, accented_b text, accented_c text, accented_d text,
        joined_a text, joined_b text, joined_c text, joined_d text
      ), unnest(${textList(generations)}::integer[]) as target
      returning generation, partition, language
    )
    insert into ${tables.languages} (generation, partition, language)
    select distinct generation, partition, language from inserted
    on conflict do nothing`.execute(db)
  await putPassages(
    db,
    tables,
    state,
    generations,
    prepared.map(({ document }) => document),
  )
}

/** Inserts documents in parts: while PostgreSQL stores one, the words of the next one are read. */
async function insertInParts(
  db: Connection,
  tables: SearchTables,
  target: Target,
  given: readonly SearchDocument[],
  configurationOf: ConfigurationOf,
  counts: WordCounts,
) {
  let prepared: readonly PreparedDocument[] = []
  for (let start = 0; start < given.length + PART; start += PART) {
    const storing = insertDocuments(db, tables, target, prepared, counts)
    const [next] = await Promise.all([prepareDocuments(given.slice(start, start + PART), configurationOf), storing])
    prepared = next
  }
}

/** Adds documents to all generations, in place of those with their keys. */
export async function putDocuments(
  db: Connection,
  tables: SearchTables,
  state: SearchState,
  given: readonly SearchDocument[],
  configurationOf: ConfigurationOf,
): Promise<void> {
  if (given.length === 0) return
  const counts = createWordCounts()
  const partitions = byPartition(given)
  const hashes: string[] = []
  for (const [partition, documents] of partitions) {
    const removed = await remove(db, tables, state, { keys: [...documents.keys()], partition }, counts)
    hashes.push(...removed.hashes)
  }
  const target = { state, generations: generationsOf(state) }
  await insertInParts(db, tables, target, documentsIn(partitions), configurationOf, counts)
  await storeCounts(db, tables, counts, state)
  await forgetTexts(db, tables, hashes)
}

/** Adds the documents to one generation that it does not have. The caller stores the counts. */
export async function addMissing(
  db: Connection,
  tables: SearchTables,
  { state, generation }: { readonly state: SearchState; readonly generation: number },
  given: readonly SearchDocument[],
  configurationOf: ConfigurationOf,
  counts: WordCounts,
): Promise<void> {
  const partitions = byPartition(given)
  for (const [partition, documents] of partitions) {
    const present = await keysAmong(db, tables, { generation, partition }, [...documents.keys()])
    for (const key of present) documents.delete(key)
  }
  await insertInParts(
    db,
    tables,
    { state, generations: [generation] },
    documentsIn(partitions),
    configurationOf,
    counts,
  )
}
