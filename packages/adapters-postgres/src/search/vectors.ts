import { createHash } from 'node:crypto'
import {
  type PendingText,
  PUBLIC_PARTITION,
  type SearchDocument,
  type SearchVectors,
  type TextVector,
} from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { asVector, type PgVector } from './pgvector.ts'
import type { SearchState } from './state.ts'
import { type SearchTables, textList } from './statements.ts'
import { storable } from './storable.ts'

type Connection = Kysely<Database>

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

const SURROGATES = /[\ud800-\udbff][\udc00-\udfff]/g

/** PostgreSQL counts characters, not code units. */
const charactersBefore = (text: string, end: number) => end - (text.slice(0, end).match(SURROGATES)?.length ?? 0)

export const vectorOf = (values: readonly number[]): string => `{${values.join(',')}}`

/** The embedders of which generations have vectors. */
const embeddersOf = ({ embedder, building_embedder }: SearchState): readonly string[] =>
  [...new Set([embedder, building_embedder])].filter((each) => each !== null)

/** The texts of documents that are about to be removed or replaced. */
export async function hashesOf(
  db: Connection,
  { documents, passages }: SearchTables,
  state: SearchState,
  isMeant: ReturnType<typeof sql>,
): Promise<readonly string[]> {
  if (embeddersOf(state).length === 0) return []
  const { rows } = await sql<{ readonly hash: string }>`
    select distinct hash from ${passages} where document_id in (select id from ${documents} where ${isMeant})`.execute(
    db,
  )
  return rows.map(({ hash }) => hash)
}

/** Deletes the vectors of texts that are in no document. */
export async function forgetTexts(
  db: Connection,
  { passages, vectors }: SearchTables,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  await sql`
    delete from ${vectors} known where hash = any(${textList(hashes)})
      and not exists (select from ${passages} passage where passage.hash = known.hash)`.execute(db)
}

/** Deletes the vectors of embedders and texts that no generation has. */
export async function sweepVectors(db: Connection, { passages, vectors, state }: SearchTables): Promise<void> {
  await sql`
    delete from ${vectors} known
    where not exists (select from ${state} where known.embedder in (embedder, building_embedder))
      or not exists (select from ${passages} passage where passage.hash = known.hash)`.execute(db)
}

/** Adds the passages of documents, with the vectors that their texts have already. */
export async function putPassages(
  db: Connection,
  { documents, passages, vectors, state: stateTable }: SearchTables,
  state: SearchState,
  generations: readonly number[],
  given: readonly SearchDocument[],
): Promise<void> {
  const embedders = embeddersOf(state)
  const rows = given.flatMap(({ partition = PUBLIC_PARTITION, key, body, passages: parts = [] }) =>
    parts.map(({ text, start }) => ({
      partition: storable(partition),
      key: storable(key),
      hash: hashOf(text),
      text: storable(text),
      start: charactersBefore(body, start),
    })),
  )
  if (rows.length === 0 || embedders.length === 0) return
  const sent = JSON.stringify(rows)
  const { vector_schema: schema } = state
  await sql`
    insert into ${vectors} (embedder, hash, text)
    select distinct on (embedder, hash) embedder, hash, text
    from json_to_recordset(${sent}::text::json) as sent (hash text, text text), unnest(${textList(embedders)}) as embedder
    on conflict do nothing`.execute(db)
  await sql`
    insert into ${passages} (
      document_id, generation, partition, kind, profile_id, profile_type, visibility, keywords, updated_at, start, hash, bits
      ${schema === null ? sql`` : sql`, meaning`}
    )
    select document.id, document.generation, document.partition, kind, profile_id, profile_type, visibility, keywords, updated_at, sent.start,
      sent.hash, known.bits ${schema === null ? sql`` : sql`, ${asVector(sql`known.vector`, schema)}`}
    from json_to_recordset(${sent}::text::json) as sent (partition text, key text, hash text, start integer)
    join ${documents} document on document.partition = sent.partition and document.key = sent.key
      and document.generation = any(${textList(generations)}::integer[])
    cross join ${stateTable} state
    left join ${vectors} known on known.hash = sent.hash
      and known.embedder = case when document.generation = state.live then state.embedder else state.building_embedder end
    where case when document.generation = state.live then state.embedder else state.building_embedder end is not null`.execute(
    db,
  )
}

/** The vectors of an index. */
export function sqlVectors(
  db: Connection,
  { passages, vectors, state: stateTable }: SearchTables,
  change: (work: (tx: Connection, state: SearchState) => Promise<void>) => Promise<void>,
  quantize: (vector: readonly number[]) => string,
  pgvector: Pick<PgVector, 'prepare'>,
): SearchVectors {
  return {
    async claim(embedderId, limit, forSeconds) {
      const { rows } = await sql<PendingText>`
        update ${vectors} claimed set due_at = now() + make_interval(secs => ${forSeconds}::integer)
        from (
          select hash from ${vectors}
          where embedder = ${embedderId} and text is not null and due_at <= now()
          order by due_at, hash limit ${limit}::integer for update skip locked
        ) due
        where claimed.embedder = ${embedderId} and claimed.hash = due.hash
        returning claimed.hash as id, text, attempts`.execute(db)
      return rows
    },

    async store(embedderId, given: readonly TextVector[]) {
      const rows = given.map(({ id, vector }) => ({
        hash: id,
        vector: vector && vectorOf(vector),
        bits: vector && quantize(vector),
      }))
      const sent = sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as sent (hash text, vector text, bits text)`
      const [dimensions] = given.flatMap(({ vector }) => (vector ? [vector.length] : []))
      if (dimensions !== undefined) await pgvector.prepare(dimensions)
      // No document is put meanwhile, so that each of its passages gets these bits here or when it is put.
      await change(async (tx, { vector_schema: schema }) => {
        await sql`
          update ${vectors} known
          set text = null, vector = sent.vector::real[], bits = sent.bits::bit varying
          from ${sent} where known.embedder = ${embedderId} and known.hash = sent.hash`.execute(tx)
        await sql`
          update ${passages} passage set bits = sent.bits::bit varying
            ${schema === null ? sql`` : sql`, meaning = ${asVector(sql`sent.vector::real[]`, schema)}`}
          from ${sent}, ${stateTable} state
          where passage.hash = sent.hash and ${embedderId}
            = case when passage.generation = state.live then state.embedder else state.building_embedder end`.execute(
          tx,
        )
      })
    },

    async release(embedderId, ids, afterSeconds, isRefused) {
      await sql`
        update ${vectors} set due_at = now() + make_interval(secs => ${afterSeconds}::integer),
          attempts = attempts + ${isRefused ? 1 : 0}::integer
        where embedder = ${embedderId} and hash = any(${textList(ids)}) and text is not null`.execute(db)
    },
  }
}
