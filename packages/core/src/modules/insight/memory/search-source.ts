import type { PartitionDocument, SearchSource } from '../../../framework/module/search-source.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { MemoryEntry } from '../../../ports/storage/memory.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { openEntry } from './entries.ts'
import { memoryEntriesChanged, memorySessionRemoved } from './events.ts'
import type { MemorySeal } from './sealed-memory.ts'

const NAME = 'memory'
const KEY = 'entry:'
const PAGE = 100

/** The partition of a session. */
export const partitionOf = (sessionId: string): string => `${NAME}:${sessionId}`
const sessionIdOf = (partition: string) => partition.slice(NAME.length + 1)
const documentKey = (entryId: number) => `${KEY}${entryId}`
/** The entry of a key in the index. */
export const entryIdOf = (key: string): number => Number(key.slice(KEY.length))

interface ChangedEntries {
  readonly sessionId: string
  readonly entryIds: readonly number[]
}

export interface MemorySourceDeps {
  readonly read: Readers<'memory'>
  readonly clock: Clock
  readonly seal: MemorySeal
}

/** The documents of sessions in the search index: one for each entry. With encryption there are none. */
export function createMemorySource({ read, clock, seal }: MemorySourceDeps): SearchSource {
  const isIndexed = seal.keyId === null

  /** Texts that are still encrypted with a former key are not put into the index. */
  const documentOf = (profileId: number, entry: MemoryEntry): PartitionDocument => ({
    key: documentKey(entry.id),
    profileId,
    title: '',
    body: openEntry(entry, seal).content,
    updatedAt: entry.updatedAt,
  })
  const isPlain = ({ payload }: MemoryEntry) => payload.keyId === null

  return {
    name: NAME,
    changes({ type, data }) {
      // Events of an account that was erased have no data.
      const { sessionId, entryIds = [] } = data as Partial<ChangedEntries>
      if (sessionId === undefined) return []
      const partition = partitionOf(sessionId)
      if (type === memoryEntriesChanged.type) return [{ partition, keys: entryIds.map(documentKey) }]
      return type === memorySessionRemoved.type ? [{ partition, isDeleted: true }] : []
    },
    async listDocuments(partition, keys) {
      const session = isIndexed ? await read.memory.getSession(sessionIdOf(partition), clock()) : undefined
      if (!session) return []
      const entries = await read.memory.getEntries(session.id, keys.map(entryIdOf))
      return entries.filter(isPlain).map((entry) => documentOf(session.profileId, entry))
    },
    async listAll(cursor) {
      if (!isIndexed) return { items: [] }
      const entries = await read.memory.listAll(Number(cursor ?? 0), PAGE, clock())
      const items = entries.filter(isPlain).map((entry) => ({
        partition: partitionOf(entry.sessionId),
        document: documentOf(entry.profileId, entry),
      }))
      return { items, nextCursor: entries.length === PAGE ? String(entries.at(-1)?.id) : undefined }
    },
  }
}
