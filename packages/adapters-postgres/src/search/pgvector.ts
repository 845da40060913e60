import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import { sqlState } from '../rows.ts'
import type { SearchTables } from './statements.ts'

/** The index of vectors of some dimensions. */
export interface MeaningIndex {
  /** The schema of the extension. */
  readonly schema: string
  readonly type: 'vector' | 'halfvec'
  readonly dimensions: number
}

/** HNSW indexes of the type `vector` end here, those of `halfvec` at 4,000. */
const MAX_VECTOR = 2_000
const MAX_HALFVEC = 4_000
/** The first version that continues a search of an index until enough rows pass the conditions. */
const MIN_VERSION = [0, 8] as const
/** How long a missing index is not looked for again. */
const ABSENT_MS = 600_000
const LOCK_TIMEOUT = '5s'
/** A column, function, type, table or library that is missing. */
const MISSING = new Set(['42703', '42883', '42704', '42P01', '58P01'])

const typeFor = (dimensions: number): MeaningIndex['type'] | undefined => {
  if (dimensions <= MAX_VECTOR) return 'vector'
  return dimensions <= MAX_HALFVEC ? 'halfvec' : undefined
}

const indexName = (dimensions: number) => `search_passages_meaning_${dimensions}`

/** The schema of the extension when passages have a column for their vectors; else null. */
export const vectorSchema = ({ schemaName }: SearchTables): RawBuilder<string | null> => sql`(
  select namespace.nspname::text
  from pg_catalog.pg_attribute attribute
  join pg_catalog.pg_type type on type.oid = attribute.atttypid
  join pg_catalog.pg_namespace namespace on namespace.oid = type.typnamespace
  where attribute.attrelid = to_regclass(format('%I.search_passages', ${schemaName}::text))
    and attribute.attname = 'meaning' and not attribute.attisdropped
)`

/** A value as a vector of the extension. */
export const asVector = (value: RawBuilder<unknown>, schema: string): RawBuilder<unknown> =>
  sql`${value}::${sql.id(schema, 'vector')}`

/** A vector as the index has it. */
export const indexed = (value: RawBuilder<unknown>, { schema, type, dimensions }: MeaningIndex): RawBuilder<unknown> =>
  sql`${value}::${sql.id(schema, type)}(${sql.lit(dimensions)})`

/** The rows that the index has. */
export const isIndexed = ({ schema, dimensions }: MeaningIndex): RawBuilder<unknown> =>
  sql`visibility = 'public' and ${sql.id(schema, 'vector_dims')}(meaning) = ${sql.lit(dimensions)}`

const isRecent = (version: string) => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])
}

/**
 * Uses the extension pgvector where a database has it: the vectors of public passages are in an HNSW index for each number of
 * dimensions. Without the extension, or without the permission to create these, passages are found by their bits.
 *
 * @param isAllowed - whether the extension is used at all
 */
export function createPgVector(db: Kysely<Database>, tables: SearchTables, isAllowed: boolean) {
  const { schemaName, state, passages, vectors } = tables
  const known = new Map<number, { readonly index: MeaningIndex | undefined; readonly until: number }>()

  function keep(dimensions: number, index: MeaningIndex | undefined): MeaningIndex | undefined {
    known.set(dimensions, { index, until: index ? Number.POSITIVE_INFINITY : Date.now() + ABSENT_MS })
    return index
  }

  async function look(dimensions: number): Promise<MeaningIndex | undefined> {
    const type = typeFor(dimensions)
    if (!type) return undefined
    const { rows } = await sql<{ readonly schema: string | null }>`
      select ${vectorSchema(tables)} as schema
      where to_regclass(format('%I.%I', ${schemaName}::text, ${indexName(dimensions)}::text)) is not null`.execute(db)
    const schema = rows[0]?.schema
    return schema ? { schema, type, dimensions } : undefined
  }

  /** The schema of the extension, which is created when the role may do that. */
  async function extensionSchema(): Promise<string | undefined> {
    const { rows: available } = await sql<{ readonly version: string; readonly is_installed: boolean }>`
      select coalesce(installed_version, default_version) as version, installed_version is not null as is_installed
      from pg_catalog.pg_available_extensions where name = 'vector'`.execute(db)
    const [extension] = available
    if (!extension || !isRecent(extension.version)) return undefined
    if (!extension.is_installed) await sql`create extension if not exists vector`.execute(db)
    const { rows } = await sql<{ readonly schema: string }>`
      select extnamespace::regnamespace::text as schema from pg_catalog.pg_extension where extname = 'vector'`.execute(
      db,
    )
    return rows[0]?.schema
  }

  async function create(dimensions: number): Promise<void> {
    const type = typeFor(dimensions)
    const schema = type && (await extensionSchema())
    if (!schema) return
    const index: MeaningIndex = { schema, type, dimensions }
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
      // No passage is put meanwhile, so each of them gets its vector here or when it is put.
      await sql`select from ${state} for update`.execute(tx)
      const { rows } = await sql<{ readonly schema: string | null }>`select ${vectorSchema(tables)} as schema`.execute(
        tx,
      )
      if (!rows[0]?.schema) {
        await sql`alter table ${passages} add column meaning ${sql.id(schema, 'vector')}`.execute(tx)
        await sql`
          update ${passages} passage set meaning = ${asVector(sql`known.vector`, schema)}
          from ${vectors} known, ${state} state
          where known.hash = passage.hash and known.vector is not null and known.embedder
            = case when passage.generation = state.live then state.embedder else state.building_embedder end`.execute(
          tx,
        )
      }
      await sql`
        create index if not exists ${sql.id(indexName(dimensions))} on ${sql.table(`${schemaName}.search_passages_public`)}
        using hnsw ((${indexed(sql`meaning`, index)}) ${sql.id(schema, `${type}_ip_ops`)})
        where ${isIndexed(index)}`.execute(tx)
    })
  }

  return {
    /** The index of vectors of these dimensions, if there is one. */
    async find(dimensions: number): Promise<MeaningIndex | undefined> {
      if (!isAllowed) return undefined
      const last = known.get(dimensions)
      if (last && last.until > Date.now()) return last.index
      return keep(dimensions, await look(dimensions))
    },

    /** Creates the index of vectors of these dimensions, if the database allows it. */
    async prepare(dimensions: number): Promise<void> {
      if (!isAllowed || (known.get(dimensions)?.until ?? 0) > Date.now()) return
      const found = await look(dimensions)
      // Without a permission or in a locked table, passages are found by their bits.
      if (!found) await create(dimensions).catch(() => {})
      keep(dimensions, found ?? (await look(dimensions)))
    },

    /** Forgets an index when a query failed because it is gone; false for other errors. */
    forget(dimensions: number, error: unknown): boolean {
      if (!MISSING.has(sqlState(error) ?? '')) return false
      keep(dimensions, undefined)
      return true
    },
  }
}

export type PgVector = ReturnType<typeof createPgVector>
