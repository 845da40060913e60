import { expect, it } from 'vitest'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import { createMemorySeal } from './sealed-memory.ts'
import { createMemorySource, type MemorySourceDeps } from './search-source.ts'

// Changes are made of these fields of events alone, so nothing is read and no other field is needed.
const read = {} as MemorySourceDeps['read']
const source = createMemorySource({ read, clock: () => new Date(), seal: createMemorySeal([]) })
const changesOf = (type: string, data: object) => source.changes({ type, data, profileId: 7 } as unknown as StoredEvent)

it('names the documents of entries, and the partitions of sessions', () => {
  expect(changesOf('memory.entries_changed', { sessionId: 'a', entryIds: [1, 2] })).toEqual([
    { partition: 'memory:a', keys: ['entry:1', 'entry:2'] },
  ])
  expect(changesOf('memory.session_removed', { sessionId: 'a' })).toEqual([{ partition: 'memory:a', isDeleted: true }])
  expect(changesOf('memory.session_created', { sessionId: 'a' })).toEqual([])
})

it.each(['memory.entries_changed', 'memory.session_removed'])('changes nothing for %s of an erased account', (type) => {
  expect(changesOf(type, {})).toEqual([])
})
