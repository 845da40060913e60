import type { SearchDocument } from '../../ports/search-index.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'

/** A document that only its module finds. */
export interface PartitionDocument
  extends Pick<SearchDocument, 'key' | 'title' | 'body' | 'updatedAt'>,
    Partial<Pick<SearchDocument, 'profileId' | 'language' | 'headings' | 'keywords' | 'excerpt'>> {}

/**
 * What an event changes: some documents of a partition, or a partition that is deleted and never used again. The documents of a
 * profile that is deleted are removed from all partitions without it.
 */
export type PartitionChange =
  | { readonly partition: string; readonly keys: readonly string[] }
  | { readonly partition: string; readonly isDeleted: true }

/** Documents of several partitions. */
export interface PartitionPage {
  readonly items: readonly { readonly partition: string; readonly document: PartitionDocument }[]
  /** Undefined after the last page. */
  readonly nextCursor?: string | undefined
}

/**
 * Documents of a module for partitions of the search index, which public search never reads. The indexer of the module `search`
 * applies changes in the order of the event log, and reads all documents when the index is rebuilt. The module searches them with
 * the service `searchPartitions`.
 *
 * Documents are read when an event is handled, so that repeated and late events are harmless. Each change and each deletion needs
 * an event. Those of an account keep their payload when it is erased if they are defined with `keptOnErasure`.
 *
 * @example
 * searchSource: (_services, { read }) => ({
 *   name: 'notes',
 *   changes: ({ type, data }) =>
 *     type === notesChanged.type ? [{ partition: `notes:${data.bookId}`, keys: [`note:${data.noteId}`] }] : [],
 *   listDocuments: async (_partition, keys) => (await read.notes.listByIds(keys.map(noteIdOf))).map(documentOf),
 *   listAll: (cursor) => listNotes(read, cursor),
 * })
 */
export interface SearchSource {
  /** The name of the module. The names of its partitions begin with it and a colon: `notes:7`. */
  readonly name: string
  /** What an event changes; an empty list for events of others. Must not throw. */
  changes(event: StoredEvent): readonly PartitionChange[]
  /** The documents of these keys, at most 100, as they are now. Those that are missing are removed from the index. */
  listDocuments(partition: string, keys: readonly string[]): Promise<readonly PartitionDocument[]>
  /** All documents of all partitions, in pages of about 100. Concurrent changes may or may not be on a page. */
  listAll(cursor: string | undefined): Promise<PartitionPage>
}
