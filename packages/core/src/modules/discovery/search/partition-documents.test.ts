import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import type { PartitionChange, SearchSource } from '../../../framework/module/search-source.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'
import { BODY_CHARACTERS, changedPartitions, documentOf } from './partition-documents.ts'

/** What each event changes, by the id of the event. */
const changesOf = new Map<string, readonly PartitionChange[]>()

/** A source that finds the changes of its events in `changesOf`. */
const sourceOf = (name: string): SearchSource => ({
  name,
  changes: ({ id, type }) => (type === `${name}.changed` ? (changesOf.get(id) ?? []) : []),
  listDocuments: async () => [],
  listAll: async () => ({ items: [] }),
})

function eventOf(type: string, ...changes: readonly PartitionChange[]): StoredEvent {
  const id = randomUUID()
  changesOf.set(id, changes)
  return { id, type, profileId: null, accountId: null, data: {}, at: new Date(), cursor: '1' }
}

it('collects the keys of each partition once, without those of deleted partitions', () => {
  const notes = sourceOf('notes')
  const events = [
    eventOf('notes.changed', { partition: 'notes:1', keys: ['a', 'b'] }, { partition: 'notes:2', keys: ['c'] }),
    eventOf('other.changed', { partition: 'notes:1', keys: ['x'] }),
    eventOf('notes.changed', { partition: 'notes:1', keys: ['b', 'd'] }, { partition: 'notes:2', isDeleted: true }),
  ]
  expect(changedPartitions([sourceOf('books'), notes], events, vi.fn())).toEqual({
    documents: [{ source: notes, partition: 'notes:1', keys: ['a', 'b', 'd'] }],
    deleted: ['notes:2'],
  })
})

it.each(['public', 'books:1', 'notes', 'notesandmore:1'])('rejects the partition %s of another module', (partition) => {
  const event = eventOf('notes.changed', { partition, keys: ['a'] })
  expect(() => changedPartitions([sourceOf('notes')], [event], vi.fn())).toThrow(
    `The partition "${partition}" must begin with`,
  )
})

it('reports an event that its source cannot read, and handles the others', () => {
  const failure = new TypeError('no changes')
  const notes: SearchSource = {
    ...sourceOf('notes'),
    changes(event) {
      if (event.id === broken.id) throw failure
      return sourceOf('notes').changes(event)
    },
  }
  const broken = eventOf('notes.changed')
  const onError = vi.fn()
  const events = [broken, eventOf('notes.changed', { partition: 'notes:1', keys: ['a'] })]
  expect(changedPartitions([notes], events, onError).documents).toEqual([
    { source: notes, partition: 'notes:1', keys: ['a'] },
  ])
  expect(onError.mock.calls).toEqual([[failure]])
})

it('completes a document of a module', () => {
  const updatedAt = new Date(5)
  expect(documentOf('notes:1', { key: 'a', title: 'A title', body: 'A text', updatedAt })).toMatchObject({
    partition: 'notes:1',
    key: 'a',
    visibility: 'public',
    revision: '5',
    excerpt: '',
    headings: [],
  })
})

it('cuts a body that is longer than what is indexed', () => {
  const body = 'a '.repeat(BODY_CHARACTERS)
  const document = { key: 'a', title: 'A title', body, updatedAt: new Date(5) }
  expect(documentOf('notes:1', document).body).toHaveLength(BODY_CHARACTERS)
})
