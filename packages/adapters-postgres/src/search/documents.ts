import type { SearchDocument, SearchRemoval } from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { deletionsOf, isCorrectable } from './corrections.ts'
import type { ConfigurationOf } from './languages.ts'
import { generationsOf, type SearchState } from './state.ts'
import { type SearchTables, textList } from './statements.ts'
import { storable } from './storable.ts'
import { accentedText, indexedText, tokensOf } from './tokens.ts'
import { forgetTexts, hashesOf, putPassages } from './vectors.ts'

type Connection = Kysely<Database>

const MAX_BODY = 200_000
/** A text search vector has at most a megabyte, and a word may be in it twice. */
const MAX_BODY_BYTES = 250_000
const MAX_OTHER_BYTES = 20_000
/** Accented words are in the vector a third time. */
const MAX_ACCENTED_BYTES = 100_000

/** As many words as fit. */
function within(words: string, bytes: number): string {
  if (words.length * 3 <= bytes) return words
  const whole = Buffer.from(words)
  if (whole.length <= bytes) return words
  const end = whole.lastIndexOf(0x20, bytes)
  return whole.subarray(0, Math.max(0, end)).toString()
}

const wordsWithin = (text: string, bytes: number) => within(indexedText(text), bytes)
const accentsWithin = (text: string, bytes: number) => within(accentedText(text), bytes)

type Texts = Pick<SearchDocument, 'title' | 'excerpt' | 'body'> & {
  readonly headings: string
  readonly keywords: readonly string[]
}

const textsOf = ({ title, headings, keywords, excerpt, body }: SearchDocument): Texts => ({
  title: storable(title),
  headings: storable(headings.join('\n')),
  keywords: keywords.map(storable),
  excerpt: storable(excerpt),
  body: storable(body.slice(0, MAX_BODY)),
})

/** The different words of a document that corrections may name. */
function correctableWords({ title, headings, keywords, excerpt, body }: Texts): ReadonlySet<string> {
  const words = new Set<string>()
  for (const text of [title, headings, keywords.join(' '), excerpt, body]) {
    for (const { word, isUnspaced } of tokensOf(text)) if (!isUnspaced && isCorrectable(word)) words.add(word)
  }
  return words
}

interface RemovedRow extends Texts {
  readonly generation: number
  readonly visibility: string
}

/** How the numbers of documents of words change, by generation and word. */
function createWordCounts() {
  const counts = new Map<number, Map<string, number>>()
  return {
    add(generation: number, texts: Texts, by: 1 | -1) {
      const ofGeneration = counts.get(generation) ?? new Map<string, number>()
      counts.set(generation, ofGeneration)
      for (const word of correctableWords(texts)) ofGeneration.set(word, (ofGeneration.get(word) ?? 0) + by)
    },
    async store(db: Connection, { words }: SearchTables) {
      for (const [generation, changes] of counts) {
        const changed = [...changes].filter(([, by]) => by !== 0)
        if (changed.length === 0) continue
        const rows = changed.map(([word, by]) => ({ word, by, deletions: deletionsOf(word) }))
        await sql`
          insert into ${words} as known (generation, word, documents, deletions)
          select ${generation}::integer, word, by, array(select json_array_elements_text(deletions))
          from json_to_recordset(${JSON.stringify(rows)}::text::json) as sent (word text, by integer, deletions json)
          on conflict (generation, word) do update set documents = known.documents + excluded.documents`.execute(db)
        if (changed.some(([, by]) => by < 0)) {
          const lost = changed.filter(([, by]) => by < 0).map(([word]) => word)
          await sql`
            delete from ${words}
            where generation = ${generation}::integer and word = any(${textList(lost)}) and documents <= 0`.execute(db)
        }
      }
    },
  }
}

/** Deletes documents, and returns their words and the texts of their passages, which other documents may have too. */
async function remove(
  db: Connection,
  tables: SearchTables,
  state: SearchState,
  generations: readonly number[],
  which: SearchRemoval,
): Promise<{ readonly rows: readonly RemovedRow[]; readonly hashes: readonly string[] }> {
  const meant =
    'keys' in which
      ? sql`key = any(${textList(which.keys)})`
      : sql`profile_id = any(${textList(which.profileIds)}::bigint[])`
  const isMeant = sql`generation = any(${textList(generations)}::integer[]) and ${meant}`
  const hashes = await hashesOf(db, tables, state, isMeant)
  const { rows } = await sql<RemovedRow>`
    delete from ${tables.documents} where ${isMeant}
    returning generation, visibility, title, headings, keywords, excerpt, body`.execute(db)
  return { rows, hashes }
}

/** Removes documents, and the words and vectors that no other document has. */
export async function removeDocuments(
  db: Connection,
  tables: SearchTables,
  state: SearchState,
  which: SearchRemoval,
): Promise<void> {
  const counts = createWordCounts()
  const { rows, hashes } = await remove(db, tables, state, generationsOf(state), which)
  for (const row of rows) if (row.visibility === 'public') counts.add(row.generation, row, -1)
  await counts.store(db, tables)
  await forgetTexts(db, tables, hashes)
}

/** The keys of these that a generation has. */
export async function keysAmong(
  db: Connection,
  { documents }: SearchTables,
  generation: number,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly key: string }>`
    select key from ${documents}
    where generation = ${generation}::integer and key = any(${textList(keys)})`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Adds documents to generations, in place of those with their keys. */
export async function putDocuments(
  db: Connection,
  tables: SearchTables,
  { state, generations }: { readonly state: SearchState; readonly generations: readonly number[] },
  given: readonly SearchDocument[],
  configurationOf: ConfigurationOf,
): Promise<void> {
  const byKey = new Map(given.map((document) => [document.key, document]))
  if (byKey.size === 0) return
  const counts = createWordCounts()
  const replaced = await remove(db, tables, state, generations, { keys: [...byKey.keys()] })
  for (const row of replaced.rows) if (row.visibility === 'public') counts.add(row.generation, row, -1)

  const rows = [...byKey.values()].map((document) => {
    const texts = textsOf(document)
    if (document.visibility === 'public') for (const generation of generations) counts.add(generation, texts, 1)
    const sample = [texts.title, texts.excerpt, texts.body.slice(0, 1_000)].filter(Boolean).join('\n')
    return {
      key: storable(document.key),
      kind: document.kind,
      profile_id: document.profileId,
      profile_type: document.profileType,
      visibility: document.visibility,
      revision: storable(document.revision),
      language: configurationOf(sample, document.language),
      ...texts,
      updated_at: document.updatedAt.toISOString(),
      a: wordsWithin(texts.title, MAX_OTHER_BYTES),
      b: wordsWithin([texts.headings, ...texts.keywords].join(' '), MAX_OTHER_BYTES),
      c: wordsWithin(texts.excerpt, MAX_OTHER_BYTES),
      d: wordsWithin(texts.body, MAX_BODY_BYTES),
      accented_a: accentsWithin(texts.title, MAX_OTHER_BYTES),
      accented_b: accentsWithin([texts.headings, ...texts.keywords].join(' '), MAX_OTHER_BYTES),
      accented_c: accentsWithin(texts.excerpt, MAX_OTHER_BYTES),
      accented_d: accentsWithin(texts.body, MAX_ACCENTED_BYTES),
    }
  })
  const vector = sql`
    setweight(to_tsvector(language::regconfig, a), 'A') || setweight(to_tsvector(language::regconfig, b), 'B')
    || setweight(to_tsvector(language::regconfig, c), 'C') || setweight(to_tsvector(language::regconfig, d), 'D')`
  // Stemmers know some endings by their accents, and queries may be written without them.
  const accented = sql`
    setweight(to_tsvector(language::regconfig, accented_a), 'A') || setweight(to_tsvector(language::regconfig, accented_b), 'B')
    || setweight(to_tsvector(language::regconfig, accented_c), 'C')
    || setweight(to_tsvector(language::regconfig, accented_d), 'D')`
  // Words as they are, beside their stems: prefixes and words of other languages match these.
  const spelled = sql`
    setweight(to_tsvector('simple', a), 'A') || setweight(to_tsvector('simple', b), 'B')
    || setweight(to_tsvector('simple', c), 'C') || setweight(to_tsvector('simple', d), 'D')`
  await sql`
    insert into ${tables.documents} (
      generation, key, kind, profile_id, profile_type, visibility, revision, language, title, headings, keywords, excerpt,
      body, updated_at, words, title_words
    )
    select target, key, kind, profile_id, profile_type, visibility, revision, language, title, headings,
      array(select json_array_elements_text(keywords)), excerpt, body, updated_at,
      case when language = 'simple' then ${spelled} else (${vector}) || (${spelled}) || (${accented}) end, to_tsvector('simple', a)
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as sent (
      key text, kind text, profile_id bigint, profile_type text, visibility text, revision text, language text, title text,
      headings text, keywords json, excerpt text, body text, updated_at timestamptz, a text, b text, c text, d text,
      accented_a text, accented_b text, accented_c text, accented_d text
    ), unnest(${textList(generations)}::integer[]) as target`.execute(db)
  await sql`
    insert into ${tables.languages} (generation, language)
    select target, language
    from unnest(${textList(generations)}::integer[]) as target, unnest(${textList([...new Set(rows.map(({ language }) => language))])}) as language
    on conflict do nothing`.execute(db)
  await counts.store(db, tables)
  await putPassages(db, tables, state, generations, [...byKey.values()])
  await forgetTexts(db, tables, replaced.hashes)
}
