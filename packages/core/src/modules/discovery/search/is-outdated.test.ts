import { expect, it } from 'vitest'
import type { SearchStats } from '../../../ports/search-index.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { isOutdated } from './is-outdated.ts'

const indexAt = (position: string | undefined, stats: Partial<SearchStats> = {}) => ({
  position: async () => position,
  stats: async () => ({ documents: 1, isRebuilding: false, ...stats }),
})
// Nothing else of the storage is read.
const retainedAfter = (horizon: string) =>
  ({ eventRetention: { horizon: async () => horizon } }) as unknown as Pick<Readers, 'eventRetention'>

it.each([
  ['an index that is new', indexAt(undefined), true],
  ['an index for another embedder', indexAt('0-0-7', { embedderId: 'other' }), true],
  ['an index in another format', indexAt('0-0-7', { isOutdated: true }), true],
  ['an index that events were deleted for', indexAt('0-0-4'), true],
  ['an index at the oldest event', indexAt('0-0-5'), false],
  ['an index that follows the log', indexAt('0-0-9'), false],
])('decides about %s', async (_, index, expected) => {
  expect(await isOutdated(index, undefined, retainedAfter('0-0-5'))).toBe(expected)
})

it('treats an index as current when events are kept without a limit', async () => {
  expect(await isOutdated(indexAt('0-0-1'), undefined, { eventRetention: undefined })).toBe(false)
})
