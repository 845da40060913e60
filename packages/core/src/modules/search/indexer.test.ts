import { expect, it, vi } from 'vitest'
import type { SearchIndex, SearchRebuild } from '../../ports/search-index.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { createIndexer } from './indexer.ts'

const requestAt = (cursor: string) =>
  ({ type: 'search.reindex_requested', cursor, data: {}, profileId: null }) as unknown as StoredEvent

function createBench(commit: () => Promise<void>, rebuild?: SearchIndex['rebuild']) {
  const steps: string[] = []
  const index = {
    stats: async () => ({ documents: 0, position: '1', isRebuilding: false }),
    rebuild:
      rebuild ??
      (async () => {
        steps.push('begin')
        return { put: async () => {}, commit, discard: async () => {} } satisfies SearchRebuild
      }),
    mark: async (position: string) => void steps.push(`mark ${position}`),
    ping: async () => {},
  } as unknown as SearchIndex
  const searchSources = { listIds: async () => [], listListed: async () => [] }
  const onError = vi.fn()
  const read = { searchSources } as unknown as Readers<'searchSources'>
  const indexer = createIndexer({ read, index, embedderId: undefined, embedding: undefined, onError, retryMs: 1 })
  return { steps, onError, indexer }
}

it('begins a rebuild before the position moves', async () => {
  const { steps, indexer } = createBench(async () => {})
  await indexer.handler.prepare([requestAt('2')], new AbortController().signal)
  expect(steps).toEqual(['begin', 'mark 2'])
  await indexer.stop()
})

it('begins a rebuild again after it failed', async () => {
  const commit = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('the index is unavailable'))
  const { steps, onError, indexer } = createBench(commit)
  await indexer.handler.prepare([requestAt('2')], new AbortController().signal)
  await vi.waitFor(() => expect(commit).toHaveBeenCalledTimes(2))
  expect(steps.filter((step) => step === 'begin')).toHaveLength(2)
  expect(onError).toHaveBeenCalledTimes(1)
  await indexer.stop()
})

it('tries to begin a rebuild until it can', async () => {
  const rebuild = vi.fn<SearchIndex['rebuild']>().mockRejectedValue(new Error('the index is unavailable'))
  const { steps, indexer } = createBench(async () => {}, rebuild)
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(indexer.handler.prepare([requestAt('2')], new AbortController().signal)).rejects.toThrow(
      'the index is unavailable',
    )
  }
  expect(rebuild).toHaveBeenCalledTimes(2)
  expect(steps).toEqual([])
  await indexer.stop()
})

it('leaves an event to the next process when it stops', async () => {
  const { steps, indexer } = createBench(async () => {})
  const changed = {
    type: 'content.page_saved',
    cursor: '2',
    data: { pageId: 7 },
    profileId: 1,
  } as unknown as StoredEvent
  await expect(indexer.handler.prepare([changed], AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
  expect(steps).toEqual([])
  await indexer.stop()
})
