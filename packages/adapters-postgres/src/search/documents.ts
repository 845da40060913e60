import { setImmediate } from 'node:timers/promises'
import { foldWord, PUBLIC_PARTITION, type SearchDocument, type SearchRemoval } from '@eep/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import { isCorrectable } from './corrections.ts'
import type { ConfigurationOf } from './languages.ts'
import { generationsOf, type SearchState } from './state.ts'
import { inPartition, type SearchTables, textList } from './statements.ts'
import { storable } from './storable.ts'
import { createFolder, type IndexedText, readText } from './tokens.ts'
import { forgetTexts, hashesOf, putPassages } from './vectors.ts'
import { createWordCounts, type Part, type WordCounts } from './word-counts.ts'

type Connection = Kysely<Database>

/** Documents in one statement. */
const PART = 25
/** The number of documents to prepare in one turn of the event loop, which takes a few milliseconds. */
const PREPARED_AT_ONCE = 5
const MAX_BODY = 200_000
/** An author decides how many different words a text has, and each of them takes time. Long books have about as many. */
const MAX_DIFFERENT = 10_000
const MAX_CORRECTABLE = 2_000
/** A text search vector has at most a megabyte, and a word may be in it twice. */
const MAX_BODY_BYTES = 250_000
const MAX_OTHER_BYTES = 20_000
/** Accented words are in the vector a third time. */
const MAX_ACCENTED_BYTES = 100_000

/** Words with joiners are in the vector both as parts and joined. */
const MAX_JOINED_BYTES = 100_000

/** As many words as fit. */
function within(words: string, bytes: number): string {
  if (words.length * 3 <= bytes) return words
  const whole = Buffer.from(words)
  if (whole.length <= bytes) return words
  const end = whole.lastIndexOf(0x20, bytes)
  return whole.subarray(0, Math.max(0, end)).toString()
}

/** The words up to the last that is among the first different ones. */
function ofDifferent(words: string, most: number): string {
  const known = new Set<string>()
  for (const { 0: word, index } of words.matchAll(/\S+/gu)) {
    known.add(word)
    if (known.size > most) return words.slice(0, index).trimEnd()
  }
  return words
}

type Texts = Pick<SearchDocument, 'title' | 'excerpt' | 'body'> & {
  readonly headings: string
  readonly keywords: readonly string[]
}

const partitionOf = ({ partition }: SearchDocument) => storable(partition ?? PUBLIC_PARTITION)

const textsOf = ({ title, headings, keywords, excerpt, body }: SearchDocument): Texts => ({
  title: storable(title),
  headings: storable(headings.join('\n')),
  keywords: keywords.map(storable),
  excerpt: storable(excerpt),
  body: storable(body.slice(0, MAX_BODY)),
})

/** The texts of a document as they are indexed, by weight. */
const indexedTexts = ({ title, headings, keywords, excerpt, body }: Texts, folded: (word: string) => string) => ({
  a: readText(title, folded),
  b: readText([headings, ...keywords].join(' '), folded),
  c: readText(excerpt, folded),
  d: readText(body, folded),
})

/** The different words of a document that corrections may name: its first ones. */
function correctableWords(texts: Readonly<Record<string, IndexedText>>): ReadonlySet<string> {
  const words = new Set<string>()
  for (const { spaced } of Object.values(texts)) {
    for (const word of spaced) {
      if (words.size === MAX_CORRECTABLE) return words
      if (isCorrectable(word)) words.add(word)
    }
  }
  return words
}

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
  const partition =
    'partitionPrefix' in which
      ? sql`starts_with(partition, ${storable(which.partitionPrefix)}::text)`
      : inPartition(which.partition)
  return [sql`${partition} and profile_id = any(${textList(which.profileIds)}::bigint[])`]
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
      counts.add({ generation, partition }, correctableWords(indexedTexts(texts, foldWord)), -1)
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

/** A document with its indexed texts and words. */
export interface PreparedDocument {
  readonly document: SearchDocument
  readonly row: Readonly<Record<string, unknown>> & { readonly partition: string; readonly language: string }
  /** The words that corrections may name. */
  readonly words: ReadonlySet<string>
}

function prepare(
  document: SearchDocument,
  configurationOf: ConfigurationOf,
  folded: (word: string) => string,
): PreparedDocument {
  const texts = textsOf(document)
  const sample = [texts.title, texts.excerpt, texts.body.slice(0, 1_000)].filter(Boolean).join('\n')
  const indexed = indexedTexts(texts, folded)
  const { a, b, c, d } = indexed
  const row = {
    partition: partitionOf(document),
    key: storable(document.key),
    kind: document.kind,
    profile_id: document.profileId,
    profile_type: document.profileType,
    visibility: document.visibility,
    revision: storable(document.revision),
    trust: Math.min(1, Math.max(0, document.trust ?? 0)),
    language: configurationOf(sample, document.language),
    ...texts,
    updated_at: document.updatedAt.toISOString(),
    a: within(a.words, MAX_OTHER_BYTES),
    b: within(b.words, MAX_OTHER_BYTES),
    c: within(c.words, MAX_OTHER_BYTES),
    d: within(ofDifferent(d.words, MAX_DIFFERENT), MAX_BODY_BYTES),
    accented_a: within(a.accented, MAX_OTHER_BYTES),
    accented_b: within(b.accented, MAX_OTHER_BYTES),
    accented_c: within(c.accented, MAX_OTHER_BYTES),
    accented_d: within(d.accented, MAX_ACCENTED_BYTES),
    joined_a: within(a.joined, MAX_OTHER_BYTES),
    joined_b: within(b.joined, MAX_OTHER_BYTES),
    joined_c: within(c.joined, MAX_OTHER_BYTES),
    joined_d: within(d.joined, MAX_JOINED_BYTES),
  }
  return { document, row, words: document.visibility === 'public' ? correctableWords(indexed) : new Set() }
}

/** Reads the words of documents, and yields to other work of the process in between. */
async function prepareDocuments(
  given: readonly SearchDocument[],
  configurationOf: ConfigurationOf,
): Promise<readonly PreparedDocument[]> {
  const folded = createFolder()
  const prepared: PreparedDocument[] = []
  for (const document of given) {
    prepared.push(prepare(document, configurationOf, folded))
    if (prepared.length % PREPARED_AT_ONCE === 0) await setImmediate()
  }
  return prepared
}

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
