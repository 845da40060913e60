import { expect, it, vi } from 'vitest'
import type { SearchSource as PartitionSource } from '../../../framework/module/search-source.ts'
import type { SearchIndex, SearchRebuild } from '../../../ports/search-index.ts'
import { LOG_START, type StoredEvent } from '../../../ports/storage/events.ts'
import type { SearchSource, SearchSourceReader } from '../../../ports/storage/search.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { gateConfigChanged } from '../../access/gates/events.ts'
import { trustLevelChanged } from '../../profiles/trust-levels/events.ts'
import { createIndexer } from './indexer.ts'

// The indexer reads these fields of events only.
const requestAt = (cursor: string) =>
  ({ type: 'search.reindex_requested', cursor, data: {}, profileId: null }) as unknown as StoredEvent

const savedPage = {
  type: 'content.page_saved',
  cursor: '2',
  data: { pageId: 7 },
  profileId: 1,
} as unknown as StoredEvent

function createBench(
  commit: () => Promise<void>,
  more: Partial<SearchIndex & SearchSourceReader> = {},
  sources: readonly PartitionSource[] = [],
  head = LOG_START,
) {
  const steps: string[] = []
  // The indexer calls these methods only.
  const index = {
    stats: async () => ({ documents: 0, isRebuilding: false }),
    position: async () => '0-0-1',
    async rebuild() {
      steps.push('begin')
      return { put: async () => {}, commit, discard: async () => {} } satisfies SearchRebuild
    },
    mark: async (position: string) => void steps.push(`mark ${position}`),
    ping: async () => {},
    remove: async () => {},
    ...more,
  } as unknown as SearchIndex
  const searchSources = { listIds: async () => [], listListed: async () => [], ...more }
  const onError = vi.fn()
  // As above: no other store is read.
  const read = { searchSources, events: { head: async () => head } } as unknown as Readers<'searchSources'>
  const indexer = createIndexer({
    read,
    index,
    sources,
    embedderId: undefined,
    embedding: undefined,
    onError,
    retryMs: 1,
  })
  return { steps, onError, indexer }
}

it('begins a rebuild before the position moves', async () => {
  const { steps, indexer } = createBench(async () => {})
  await indexer.handler.prepare([requestAt('2')], new AbortController().signal, '1')
  expect(steps).toEqual(['begin', 'mark 2'])
  await indexer.stop()
})

it('begins a rebuild again after it failed', async () => {
  const commit = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('the index is unavailable'))
  const { steps, onError, indexer } = createBench(commit)
  await indexer.handler.prepare([requestAt('2')], new AbortController().signal, '1')
  await vi.waitFor(() => expect(commit).toHaveBeenCalledTimes(2))
  expect(steps.filter((step) => step === 'begin')).toHaveLength(2)
  expect(onError).toHaveBeenCalledTimes(1)
  await indexer.stop()
})

it('tries to begin a rebuild until it can', async () => {
  const rebuild = vi.fn<SearchIndex['rebuild']>().mockRejectedValue(new Error('the index is unavailable'))
  const { steps, indexer } = createBench(async () => {}, { rebuild })
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(indexer.handler.prepare([requestAt('2')], new AbortController().signal, '1')).rejects.toThrow(
      'the index is unavailable',
    )
  }
  expect(rebuild).toHaveBeenCalledTimes(2)
  expect(steps).toEqual([])
  await indexer.stop()
})

it('indexes everything of a profile again when the trust in it changes', async () => {
  const listIds = vi.fn<SearchSourceReader['listIds']>(async () => [])
  // Only whether it is listed is read.
  const listed = { kind: 'profile', id: 1, profile: { id: 1 } } as unknown as SearchSource
  const { indexer } = createBench(async () => {}, { listIds, listListed: async () => [listed] })
  const changed = { type: trustLevelChanged.type, cursor: '2', data: {}, profileId: 1 } as unknown as StoredEvent
  await indexer.handler.prepare([changed], new AbortController().signal, '1')
  await vi.waitFor(() =>
    expect(listIds.mock.calls.map(([kind, { profileId }]) => [kind, profileId])).toEqual(
      ['profile', 'page', 'post', 'file'].map((kind) => [kind, 1]),
    ),
  )
  await indexer.stop()
})

it.each([
  ['when it opens or closes a resource', { isAccessChanged: true }, ['profile', 'page', 'file']],
  ['but nothing when the same resources are public', { isAccessChanged: false }, []],
])('indexes after a change of a gate what gates can close, %s', async (_, data, kinds) => {
  const listIds = vi.fn<SearchSourceReader['listIds']>(async () => [])
  // Only whether it is listed is read.
  const listed = { kind: 'profile', id: 1, profile: { id: 1 } } as unknown as SearchSource
  const { steps, indexer } = createBench(async () => {}, { listIds, listListed: async () => [listed] })
  const changed = { type: gateConfigChanged.type, cursor: '2', data, profileId: 1 } as unknown as StoredEvent
  await indexer.handler.prepare([changed], new AbortController().signal, '1')
  await vi.waitFor(() => expect(steps.at(-1)).toBe('mark 2'))
  expect(listIds.mock.calls.map(([kind]) => kind)).toEqual(kinds)
  await indexer.stop()
})

it('stores no position past an event while it is in work', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly number[]>()
  const listed = { kind: 'profile', id: 1, profile: { id: 1 } } as unknown as SearchSource
  const { steps, indexer } = createBench(async () => {}, { listIds: () => promise, listListed: async () => [listed] })
  const changed = { type: trustLevelChanged.type, cursor: '2', data: {}, profileId: 1 } as unknown as StoredEvent
  await indexer.handler.prepare([changed], new AbortController().signal, '1')
  expect([steps, indexer.handler.pendingSince?.()]).toEqual([['mark 1'], '1'])
  resolve([])
  await vi.waitFor(() => expect(steps).toEqual(['mark 1', 'mark 2']))
  expect(indexer.handler.pendingSince?.()).toBeUndefined()
  await indexer.stop()
})

it('resumes an interrupted rebuild when its instance gets the lease, without an event', async () => {
  const commit = vi.fn<() => Promise<void>>(async () => {})
  const { steps, indexer } = createBench(commit, { stats: async () => ({ documents: 0, isRebuilding: true }) })
  await indexer.handler.leased?.('2')
  await vi.waitFor(() => expect(commit).toHaveBeenCalledTimes(1))
  expect(steps).toEqual(['begin', 'mark 2'])
  await indexer.stop()
})

it.each([
  ['is new', undefined, '0-0-5', ['begin', 'mark 0-0-5']],
  ['is up to date', '0-0-5', '0-0-5', []],
  ['is new and has nothing to index', undefined, LOG_START, []],
] as const)('rebuilds an index when it %s', async (_, position, head, expected) => {
  const { steps, indexer } = createBench(async () => {}, { position: async () => position }, [], head)
  await indexer.handler.leased?.(head)
  expect(steps).toEqual(expected)
  await indexer.stop()
})

it('leaves a rebuild to the instance that took over the lease', async () => {
  const { promise: taken, reject: takeOver } = Promise.withResolvers<void>()
  const commit = vi.fn(() => taken)
  const { steps, onError, indexer } = createBench(commit)
  await indexer.handler.prepare([requestAt('2')], new AbortController().signal, '1')
  await vi.waitFor(() => expect(commit).toHaveBeenCalled())
  indexer.handler.lost?.()
  takeOver(new Error('Another rebuild of the search index was started'))
  await indexer.stop()
  expect(steps).toEqual(['begin', 'mark 2'])
  expect(onError).not.toHaveBeenCalled()
})

it('leaves an event to the next process when it stops', async () => {
  const { steps, indexer } = createBench(async () => {})
  await expect(indexer.handler.prepare([savedPage], AbortSignal.abort(new Error('stopping')), '1')).rejects.toThrow(
    'stopping',
  )
  expect(steps).toEqual([])
  await indexer.stop()
})

it('counts the attempts of a rebuild to store a document apart from those of changes', async () => {
  // Documents are made of these fields only.
  const page = {
    kind: 'page',
    id: 7,
    profile: { id: 1, type: 'person' },
    updatedAt: new Date(0),
    body: '',
    gates: null,
  } as unknown as SearchSource
  const refused = new Error('cannot store page:7')
  const put = vi.fn<SearchRebuild['put']>().mockRejectedValueOnce(refused).mockRejectedValueOnce(refused)
  const commit = vi.fn(async () => {})
  const { onError, indexer } = createBench(commit, {
    listIds: async (kind, { after }) => (kind === 'page' && after === 0 ? [7] : []),
    listListed: async () => [page],
    put: () => Promise.reject(refused),
    rebuild: async () => ({ put, commit, discard: async () => {} }),
  })
  const { signal } = new AbortController()
  for (let attempt = 1; attempt < 5; attempt++) {
    await expect(indexer.handler.prepare([savedPage], signal, '1')).rejects.toThrow('cannot store page:7')
  }
  await indexer.handler.prepare([requestAt('2')], signal, '1')
  await vi.waitFor(() => expect(commit).toHaveBeenCalled())
  expect(onError.mock.calls).toEqual([[refused]])
  await indexer.stop()
})

const noteOf = (key: string) => ({ key, title: key, body: '', updatedAt: new Date(0) })

/** A source whose events name a key of the partition `notes:1`, or nothing when it is deleted. */
const notesOf = (present: ReadonlySet<string>): PartitionSource => ({
  name: 'notes',
  changes: ({ data }) =>
    typeof data.key === 'string'
      ? [{ partition: 'notes:1', keys: [data.key] }]
      : [{ partition: 'notes:1', isDeleted: true }],
  listDocuments: async (_partition, keys) => keys.filter((key) => present.has(key)).map(noteOf),
  async listAll(cursor) {
    const items = [...present].map((key) => ({ partition: 'notes:1', document: noteOf(key) }))
    return cursor === undefined ? { items: items.slice(0, 1), nextCursor: '1' } : { items: items.slice(1) }
  },
})

const noteChanged = (key?: string) =>
  ({ type: 'notes.changed', cursor: '3', data: { key }, profileId: null }) as unknown as StoredEvent

it('puts and removes documents of modules in their partitions', async () => {
  const put = vi.fn<SearchIndex['put']>(async () => {})
  const remove = vi.fn<SearchIndex['remove']>(async () => {})
  const { indexer } = createBench(async () => {}, { put, remove }, [notesOf(new Set(['a']))])
  const { signal } = new AbortController()
  await indexer.handler.prepare([noteChanged('a'), noteChanged('b')], signal, '1')
  expect(remove.mock.calls).toEqual([[{ keys: ['b'], partition: 'notes:1' }]])
  expect(put.mock.calls.map(([documents]) => documents.map(({ key, partition }) => [partition, key]))).toEqual([
    [['notes:1', 'a']],
  ])
  await indexer.handler.prepare([noteChanged('a'), noteChanged()], signal, '1')
  expect(remove).toHaveBeenLastCalledWith({ partitions: ['notes:1'] })
  expect(put).toHaveBeenCalledTimes(1)
  await indexer.stop()
})

it('puts all documents of modules into a rebuild', async () => {
  const put = vi.fn<SearchRebuild['put']>(async () => {})
  const commit = vi.fn(async () => {})
  const rebuild = async () => ({ put, commit, discard: async () => {} })
  const { indexer } = createBench(commit, { rebuild }, [notesOf(new Set(['a', 'b', 'c']))])
  await indexer.handler.prepare([requestAt('2')], new AbortController().signal, '1')
  await vi.waitFor(() => expect(commit).toHaveBeenCalled())
  expect(put.mock.calls.flatMap(([documents]) => documents.map(({ key }) => key))).toEqual(['a', 'b', 'c'])
  await indexer.stop()
})
