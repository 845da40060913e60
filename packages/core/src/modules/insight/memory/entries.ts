import type { JsonObject } from '../../../kernel/json.ts'
import type { MemoryEntry, MemoryRole, NewMemoryEntry } from '../../../ports/storage/memory.ts'
import type { MemorySeal } from './sealed-memory.ts'

/** What an agent gives for an entry. */
export interface EntryInput {
  readonly role: MemoryRole
  readonly content: string
  readonly metadata: JsonObject
  /** 0 to 1. */
  readonly importance: number
}

/** An entry that can be read. */
export interface OpenEntry extends EntryInput {
  readonly id: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Returns an entry as it is stored. */
export function sealEntry({ role, content, metadata, importance }: EntryInput, sessionId: string, seal: MemorySeal) {
  const payload = JSON.stringify({ content, metadata })
  return {
    role,
    importance,
    payload: seal.seal(payload, sessionId),
    // As it is stored before it is encrypted: escapes make some texts six times as long.
    bytes: Buffer.byteLength(payload),
  } satisfies NewMemoryEntry
}

/** @throws `memory_key_missing` */
export function openEntry(entry: MemoryEntry, seal: MemorySeal): OpenEntry {
  const { id, sessionId, role, importance, createdAt, updatedAt, payload } = entry
  const { content, metadata } = JSON.parse(seal.open(payload, sessionId)) as Pick<EntryInput, 'content' | 'metadata'>
  return { id, role, content, metadata, importance, createdAt, updatedAt }
}
