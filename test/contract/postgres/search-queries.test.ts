import { type PostgresStorage, postgresSearch, postgresStorage } from '@eep/adapters-postgres'
import type { SearchDocument, SearchIndex, SearchRequest } from '@eep/core/ports'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import { PATIENT } from '../../support/patient-search.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { queriesOf } from '../../support/sent-queries.ts'

const documentOf = (id: number, title: string): SearchDocument => ({
  key: `page:${id}`,
  kind: 'page',
  profileId: 1,
  profileType: 'person',
  visibility: 'public',
  revision: '1',
  title,
  headings: [],
  keywords: [],
  excerpt: '',
  body: `A text about ${title}`,
  passages: [{ text: title, start: 0 }],
  updatedAt: new Date(),
})

const MEANING = { embedderId: 'one', vector: [1, 0], minSimilarity: 0.5, isHybrid: true }

describe.skipIf(onPglite())('the queries of a search on PostgreSQL', () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage
  let index: SearchIndex

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString, max: 1 })
    storage = postgresStorage({ pool, listen: false })
    index = storage.search({ ...PATIENT, isJitOff: true })
    const rebuild = await index.rebuild(MEANING.embedderId)
    await rebuild.put(['Quillwort', 'Quillwort and sundew', 'Sundew'].map((title, id) => documentOf(id, title)))
    await rebuild.commit()
    const texts = (await index.vectors?.claim(MEANING.embedderId, 10, 60)) ?? []
    await index.vectors?.store(
      MEANING.embedderId,
      texts.map(({ id }) => ({ id, vector: [1, 0] })),
    )
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  const requestOf = (words: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
    all: words.split(' ').map((text, at, { length }) => [{ text, isPhrase: false, isPrefix: at === length - 1 }]),
    none: [],
    filter: {},
    restrictedKeys: [],
    limit: 1,
    ...more,
  })

  it.each([
    ['one word', requestOf('quillwort'), 2],
    ['several words', requestOf('sundew quillw'), 1],
    ['a filter and without words', requestOf('x', { all: [], filter: { kinds: ['page'] } }), 3],
    ['words and their meaning', requestOf('quillwort', { meaning: MEANING }), 3],
    ['their meaning alone', requestOf('quillwort', { meaning: { ...MEANING, isHybrid: false } }), 3],
  ])('finds documents by %s', async (_, request, found) => {
    expect((await index.query(request)).matches).toBe(found)
  })

  it.each([
    ['words', requestOf('quillwort')],
    ['words and their meaning', requestOf('quillwort', { meaning: MEANING })],
  ])('finds the next page by %s', async (_, request) => {
    const { hits } = await index.query(request)
    const next = await index.query({ ...request, cursor: hits[0]?.cursor })
    expect(next.hits).toHaveLength(1)
    expect(next.hits[0]?.key).not.toBe(hits[0]?.key)
  })

  it.each([
    ['a search by words', (of: SearchIndex) => of.query(requestOf('quillwort'))],
    ['a search by meaning', (of: SearchIndex) => of.query(requestOf('quillwort', { meaning: MEANING }))],
    ['a suggestion', (of: SearchIndex) => of.suggest('quill', 8)],
  ])('ends %s on the server when it takes too long, and rejects it', async (_, search) => {
    const impatient = new Pool({ connectionString: database.connectionString, max: 1 })
    const locking = new Client({ connectionString: database.connectionString })
    await locking.connect()
    try {
      await locking.query('begin')
      await locking.query(`lock table ${process.env.TEST_SCHEMA ?? 'eep'}.search_documents in access exclusive mode`)
      const limited = postgresSearch({ pool: impatient, schema: process.env.TEST_SCHEMA, timeoutMs: 50 })
      await expect(search(limited)).rejects.toMatchObject({ code: 'search_timeout', status: 503 })
      // The connection is free only when the statement has ended.
      expect((await impatient.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await locking.query('rollback')
      await search(postgresSearch({ pool: impatient, schema: process.env.TEST_SCHEMA, timeoutMs: 60_000 }))
    } finally {
      await locking.end()
      await impatient.end()
    }
  })

  /** Works while the index has copies of a document. */
  async function withCopies(count: number, work: () => Promise<void>): Promise<void> {
    const table = `${process.env.TEST_SCHEMA ?? 'eep'}.search_documents`
    const columns = `generation, partition, kind, profile_id, profile_type, visibility, revision, language, title, headings, keywords,
      excerpt, body, trust, updated_at, words, title_words`
    await pool.query(`insert into ${table} (key, ${columns})
      select 'copy:' || n, ${columns} from ${table}, generate_series(1, ${count}) n where key = 'page:0'`)
    await pool.query(`analyze ${table}`)
    await work()
    await pool.query(`delete from ${table} where key like 'copy:%'`)
  }

  it('looks up the documents of a rebuild by their keys, although the planner has no statistics of them', async () => {
    await withCopies(2_000, async () => {
      const rebuild = await index.rebuild(MEANING.embedderId)
      const sent = await queriesOf(pool, () => rebuild.put([documentOf(0, 'Quillwort')]))
      const lookUp = sent.find(({ text }) => /^\s*select key from/.test(text))
      const { rows } = await pool.query(`explain ${lookUp?.text}`, lookUp?.values)
      await rebuild.discard()
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('using search_documents_generation_key_key')
      expect(plan).toContain('key = ')
    })
  })

  it('rejects the cursor of a merged list after the index was rebuilt, because its documents have other ids', async () => {
    const request = requestOf('quillwort', { meaning: MEANING })
    const { hits } = await index.query(request)
    const cursor = hits[0]?.cursor ?? ''
    const rebuild = await index.rebuild(MEANING.embedderId)
    await rebuild.put([documentOf(0, 'Quillwort'), documentOf(1, 'Quillwort and sundew')])
    await rebuild.commit()
    await expect(index.query({ ...request, cursor })).rejects.toThrow('cursor')
  })

  it('finds documents by a similar word when no document has the word', async () => {
    expect((await index.query(requestOf('quilwort'))).matches).toBe(2)
  })
})
