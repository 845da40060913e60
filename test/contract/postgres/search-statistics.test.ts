import { postgresSearch, postgresStorage } from '@eep/adapters-postgres'
import type { SearchDocument, SearchRequest } from '@eep/core/ports'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import { PATIENT } from '../../support/patient-search.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { queriesOf } from '../../support/sent-queries.ts'

const documentOf = (id: number): SearchDocument => ({
  key: `post:${id}`,
  kind: 'post',
  profileId: 1,
  profileType: 'person',
  visibility: 'public',
  revision: '1',
  title: '',
  headings: [],
  keywords: [],
  excerpt: `Quillwort ${id}`,
  body: '',
  updatedAt: new Date(),
})

const REQUEST: SearchRequest = {
  all: [[{ text: 'quillwort', isPhrase: false, isPrefix: true }]],
  none: [],
  filter: {},
  restrictedKeys: [],
  limit: 20,
}

/** From this cost on, a server with LLVM compiles a statement: the default of `jit_above_cost`. */
const COMPILED_FROM = 100_000

describe.skipIf(onPglite())('the statistics of a search index on PostgreSQL', () => {
  const schema = process.env.TEST_SCHEMA ?? 'eep'
  let database: TestDatabase
  let pool: Pool

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString, max: 1 })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  const indexOf = (options: Parameters<typeof postgresSearch>[0] = { pool }) =>
    postgresSearch({ schema, ...PATIENT, ...options })

  /** The partitioned tables of the index that were never analyzed. */
  async function unknownTables(): Promise<readonly string[]> {
    const { rows } = await pool.query<{ relname: string }>(
      `select relname from pg_class
       where relkind = 'p' and relname like 'search%' and relnamespace = $1::regnamespace and reltuples < 0`,
      [schema],
    )
    return rows.map(({ relname }) => relname)
  }

  it('plans a search in many documents by the statistics of their part of the table, which are all that autovacuum keeps', async () => {
    const index = indexOf({ pool, analyzes: false })
    await index.put([documentOf(0)])
    const columns = `generation, partition, kind, profile_id, profile_type, visibility, revision, language, title, headings, keywords,
      excerpt, body, trust, updated_at, words, title_words`
    await pool.query(`insert into ${schema}.search_documents (key, ${columns})
      select 'copy:' || n, ${columns} from ${schema}.search_documents, generate_series(1, 40000) n`)
    await pool.query(`analyze ${schema}.search_documents_public`)
    expect(await unknownTables()).toContain('search_documents')

    const own = new Pool({ connectionString: database.connectionString, max: 1 })
    const sent = (await queriesOf(own, () => indexOf({ pool: own }).query(REQUEST))).at(-1)
    await own.end()
    const { rows } = await pool.query(`explain (format json) ${sent?.text}`, sent?.values)
    expect(rows[0]['QUERY PLAN'][0].Plan['Total Cost'], sent?.text).toBeLessThan(COMPILED_FROM)
    await pool.query(`delete from ${schema}.search_documents where key like 'copy:%'`)
  })

  it('analyzes the whole of each partitioned table after a rebuild', async () => {
    expect(await unknownTables()).not.toEqual([])
    const rebuild = await indexOf().rebuild()
    await rebuild.put([documentOf(0)])
    await rebuild.commit()
    expect(await unknownTables()).toEqual([])
  })

  it('analyzes the tables again when the index has grown', async () => {
    const tuples = async () => {
      const { rows } = await pool.query(`select reltuples::integer from pg_class where oid = $1::regclass`, [
        `${schema}.search_documents`,
      ])
      return rows[0].reltuples
    }
    const index = indexOf()
    await index.put([documentOf(0)])
    expect(await tuples()).toBe(1)
    for (let start = 1; start < 10_000; start += 1_000) {
      await index.put(Array.from({ length: 1_000 }, (_, id) => documentOf(start + id)))
      // The server publishes the row counts of a session once in a second at most; this publishes them now.
      await pool.query('select pg_stat_force_next_flush()')
    }
    expect(await tuples()).toBeGreaterThan(5_000)
  })

  it('turns the compilation of statements off on its connections', async () => {
    await indexOf().query(REQUEST)
    expect((await pool.query('show jit')).rows).toEqual([{ jit: 'off' }])
  })

  it('turns the compilation of statements off in the transaction of each query where a pooler may change the connection', async () => {
    const storage = postgresStorage({ pool, schema, listen: false })
    const sent = await queriesOf(pool, () => storage.search(PATIENT).query(REQUEST))
    const texts = sent.map(({ text }) => text.trim().split(/\s+/, 4).join(' '))
    expect(texts.slice(-4)).toEqual(['begin', 'set local jit =', 'with asked as materialized', 'commit'])
    await storage.close()
  })
})
