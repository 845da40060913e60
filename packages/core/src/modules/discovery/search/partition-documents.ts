import type { PartitionDocument, SearchSource } from '../../../framework/module/search-source.ts'
import type { SearchDocument } from '../../../ports/search-index.ts'
import type { StoredEvent } from '../../../ports/storage/events.ts'

/** The number of characters of a body that are indexed. */
export const BODY_CHARACTERS = 200_000

/** Returns a document of a module as the index stores it. Partitions have no kinds and no restricted documents. */
export const documentOf = (partition: string, document: PartitionDocument): SearchDocument => ({
  headings: [],
  keywords: [],
  excerpt: '',
  profileId: 0,
  ...document,
  body: document.body.slice(0, BODY_CHARACTERS),
  partition,
  kind: 'page',
  profileType: 'person',
  visibility: 'public',
  revision: String(document.updatedAt.getTime()),
})

/** The documents to read again, and the partitions to remove. */
export interface ChangedPartitions {
  readonly documents: readonly {
    readonly source: SearchSource
    readonly partition: string
    readonly keys: readonly string[]
  }[]
  readonly deleted: readonly string[]
}

/** @throws TypeError for a partition that belongs to another module */
function requireOwn({ name }: SearchSource, { partition }: { readonly partition: string }): void {
  if (!partition.startsWith(`${name}:`)) throw new TypeError(`The partition "${partition}" must begin with "${name}:"`)
}

/**
 * The changes of a batch of events in the partitions of modules. Documents of deleted partitions are not read. An event whose source
 * throws is reported and skipped, because it would stop the indexer for good.
 */
export function changedPartitions(
  sources: readonly SearchSource[],
  events: readonly StoredEvent[],
  onError: (error: unknown) => void,
): ChangedPartitions {
  const changesOf = (source: SearchSource, event: StoredEvent) => {
    try {
      return source.changes(event)
    } catch (error) {
      onError(error)
      return []
    }
  }
  const changed = new Map<string, { readonly source: SearchSource; readonly keys: Set<string> }>()
  const deleted = new Set<string>()
  for (const source of sources) {
    for (const change of events.flatMap((event) => changesOf(source, event))) {
      requireOwn(source, change)
      const { partition } = change
      if ('isDeleted' in change) {
        deleted.add(partition)
        continue
      }
      const known = changed.get(partition) ?? { source, keys: new Set<string>() }
      for (const key of change.keys) known.keys.add(key)
      changed.set(partition, known)
    }
  }
  const documents = [...changed]
    .filter(([partition]) => !deleted.has(partition))
    .map(([partition, { source, keys }]) => ({ source, partition, keys: [...keys] }))
  return { documents, deleted: [...deleted] }
}
