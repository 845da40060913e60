import { kyselyOf } from '@eep/adapters-postgres'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import type { SearchDocument, SearchFilter, SearchIndex } from '@eep/core/ports'
import { vector } from '@electric-sql/pglite-pgvector'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const EMBEDDER = 'one:1'
/** Fewer than the candidates by bits, so that both ways find the same. */
const DOCUMENTS = 150
const DIMENSIONS = 16
const INDEX = `search_passages_meaning_${DIMENSIONS}`

let storage: ReturnType<typeof pgliteStorage>
beforeAll(async () => {
  storage = pgliteStorage({ extensions: { vector } })
})
afterAll(() => storage.close())

const query = <Row>(statement: string) =>
  storage.transaction(async (tx) => (await sql.raw<Row>(statement).execute(kyselyOf(tx))).rows)

const vectorAt = (degrees: number) =>
  Array.from({ length: DIMENSIONS }, (_, axis) => {
    const radians = (degrees * Math.PI) / 180
    return axis === 0 ? Math.cos(radians) : axis === 1 ? Math.sin(radians) : 0
  })

const documentOf = (number: number, more: Partial<SearchDocument> = {}): SearchDocument => ({
  key: `page:${number}`,
  kind: 'page',
  profileId: 1,
  profileType: 'person',
  visibility: 'public',
  revision: '1',
  title: `Number ${number}`,
  headings: [],
  keywords: [],
  excerpt: '',
  body: '',
  passages: [{ text: `text ${number}`, start: 0 }],
  updatedAt: new Date('2026-01-02T03:04:05Z'),
  ...more,
})

/** Stores the vectors of texts: the number of each is its angle in tenths of a degree. */
async function embed(index: SearchIndex) {
  const texts = (await index.vectors?.claim(EMBEDDER, 1_000, 600)) ?? []
  const vectors = texts.map(({ id, text }) => ({ id, vector: vectorAt(Number(text.split(' ')[1]) / 10) }))
  await index.vectors?.store(EMBEDDER, vectors)
}

const nearest = async (index: SearchIndex, filter: SearchFilter = {}) => {
  const { hits } = await index.query({
    all: [[{ text: 'anything', isPhrase: false, isPrefix: false }]],
    none: [],
    filter,
    restrictedKeys: [],
    limit: 3,
    meaning: { embedderId: EMBEDDER, vector: vectorAt(0), minSimilarity: 0.5, isHybrid: false },
  })
  return hits.map(({ key }) => key)
}

/** How often a statement has read the index of vectors. */
const scans = async () => {
  await query('select pg_stat_force_next_flush()')
  const [row] = await query<{ idx_scan: number | string }>(
    `select idx_scan from pg_stat_user_indexes where indexrelname = '${INDEX}'`,
  )
  return row && Number(row.idx_scan)
}

describe('search by meaning with pgvector', () => {
  it('uses no extension when the option forbids it', async () => {
    const index = storage.search({ pgvector: false })
    const rebuild = await index.rebuild(EMBEDDER)
    await rebuild.put(Array.from({ length: DOCUMENTS }, (_, number) => documentOf(number + 10)))
    await rebuild.commit()
    await embed(index)
    expect(await nearest(index)).toEqual(['page:10', 'page:11', 'page:12'])
    expect(await query(`select from pg_extension where extname = 'vector'`)).toEqual([])
  })

  it('moves known vectors into an index when the extension is there, and searches that index', async () => {
    const index = storage.search()
    await index.put([documentOf(5)])
    await embed(index)
    // The planner prefers to read tables of this size.
    await query('set enable_seqscan = off')
    expect(await nearest(index)).toEqual(['page:5', 'page:10', 'page:11'])
    expect(await scans()).toBeGreaterThan(0)
  })

  it('reads the passages that pass a filter, whichever are nearest', async () => {
    const index = storage.search()
    await index.put([documentOf(400, { profileId: 2 }), documentOf(401, { visibility: 'restricted' })])
    await embed(index)
    const before = await scans()
    expect(await nearest(index, { profileId: 2 })).toEqual(['page:400'])
    expect(await scans()).toBe(before)
  })

  it('uses bits again when the index is gone', async () => {
    const index = storage.search()
    expect(await nearest(index)).toHaveLength(3)
    await query('drop extension vector cascade')
    expect(await nearest(index)).toEqual(['page:5', 'page:10', 'page:11'])
    await index.put([documentOf(4)])
    await embed(index)
    expect(await nearest(index)).toEqual(['page:4', 'page:5', 'page:10'])
  })
})
