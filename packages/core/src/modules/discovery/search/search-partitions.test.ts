import { expect, it, vi } from 'vitest'
import type { SearchHit, SearchIndex, SearchResult } from '../../../ports/search-index.ts'
import { createQueryMeaning } from './query-meaning.ts'
import { createSearchPartitions } from './search-partitions.ts'

// The search reads these fields of hits only.
const hitOf = (key: string) =>
  ({
    key,
    score: 1,
    matched: ['keyword'],
    title: { text: key, ranges: [] },
    snippet: { text: '', ranges: [] },
    cursor: `after ${key}`,
  }) as unknown as SearchHit

function createBench(keys: readonly string[], more: Partial<SearchResult> = {}) {
  const query = vi.fn<SearchIndex['query']>(async ({ limit }) => ({
    hits: keys.slice(0, limit).map(hitOf),
    matches: keys.length,
    corrections: new Map(),
    mode: 'keyword',
    ...more,
  }))
  const remove = vi.fn<SearchIndex['remove']>(async () => {})
  // A search that does not wait calls these methods only.
  const index = { query, remove } as unknown as SearchIndex
  const read = {} as Parameters<typeof createSearchPartitions>[0]['read']
  return { query, remove, partitions: createSearchPartitions({ read, index, meaning: createQueryMeaning(undefined) }) }
}

const search = (bench: ReturnType<typeof createBench>, q: string, more = {}) =>
  bench.partitions.search({ partition: 'notes:1', q, limit: 2, ...more })

it('queries the partition, and returns a cursor when there are more hits', async () => {
  const bench = createBench(['a', 'b', 'c'])
  const found = await search(bench, 'engine -steam tag:notes')
  expect(found.hits.map(({ key }) => key)).toEqual(['a', 'b'])
  expect([found.total, found.nextCursor]).toEqual([3, 'after b'])
  expect(bench.query.mock.calls[0]?.[0]).toMatchObject({
    partition: 'notes:1',
    all: [[{ text: 'engine' }]],
    none: [{ text: 'steam' }],
    filter: { tags: ['notes'] },
    restrictedKeys: [],
  })
  expect((await search(createBench(['a', 'b']), 'engine')).nextCursor).toBeUndefined()
})

it('returns the corrected query', async () => {
  const found = await search(createBench(['a'], { corrections: new Map([['enigne', 'engine']]) }), 'the enigne')
  expect(found.suggestion).toBe('the engine')
})

it.each(['🍕', '%', '""'])('finds nothing for the query %j, and states that it has no words', async (q) => {
  const bench = createBench(['a'])
  expect(await search(bench, q)).toMatchObject({ hits: [], total: 0, isWordless: true })
  expect(bench.query).not.toHaveBeenCalled()
})

it.each(['author:u/ada', 'type:page engine'])('rejects the query %j', async (q) => {
  await expect(search(createBench([]), q)).rejects.toMatchObject({ code: 'invalid_search_query' })
})

it('rejects a semantic search without an embedder', async () => {
  await expect(search(createBench([]), 'engine', { mode: 'semantic' })).rejects.toMatchObject({
    code: 'semantic_search_disabled',
  })
})

it.each(['public', 'notes', ''])('refuses to search and to remove the partition %j', async (partition) => {
  const { partitions, query, remove } = createBench([])
  await expect(partitions.search({ partition, q: 'engine', limit: 1 })).rejects.toThrow(TypeError)
  await expect(partitions.remove(['notes:1', partition])).rejects.toThrow(TypeError)
  expect([query.mock.calls.length, remove.mock.calls.length]).toEqual([0, 0])
})

it('removes partitions', async () => {
  const { partitions, remove } = createBench([])
  await partitions.remove(['notes:1', 'notes:2'])
  await partitions.remove([])
  expect(remove.mock.calls).toEqual([[{ partitions: ['notes:1', 'notes:2'] }]])
})
