import type { ProfileExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember, type ProfileExporter } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { openEntry } from './entries.ts'
import { createMemorySeal, type MemorySeal } from './sealed-memory.ts'
import { serializeEntry, serializeSession } from './serialize.ts'

export interface MemoryExportDeps {
  readonly read: Readers<'memory'>
  readonly clock: Clock
  readonly seal: MemorySeal
}

export const SESSIONS_PATH = 'memory/sessions.json'

/** The path of the entries of a session. */
export const sessionPath = (id: string): string => `memory/${id}.json`

/**
 * The sessions of a profile that have not expired, of all agents, each as a list of entries, decrypted. Entries and names whose
 * key is missing are left out, and the sessions have the number of these entries.
 */
export const createMemoryExporter = ({ read, clock, seal }: MemoryExportDeps): ProfileExporter =>
  async function* ({ profile, signal }) {
    const of = { profileId: profile.id, owner: 'any', at: clock() } as const
    const sessions = () => allPages((page) => read.memory.listSessions(of, page))
    const first = await read.memory.listSessions(of, { limit: 1 })
    if (first.total === 0) return
    const unreadable = new Map<string, number>()
    for await (const { id } of sessions()) {
      yield jsonListMember(sessionPath(id), async function* () {
        let left = 0
        for await (const entry of allPages((page) => read.memory.listEntries(id, page), 100)) {
          signal.throwIfAborted()
          if (seal.canOpen(entry.payload)) yield serializeEntry(openEntry(entry, seal))
          else left += 1
        }
        unreadable.set(id, left)
      })
    }
    // After their entries, each of which is read once.
    yield jsonListMember(SESSIONS_PATH, async function* () {
      for await (const { name, ...session } of sessions()) {
        signal.throwIfAborted()
        const readable = name && seal.canOpen(name) ? seal.open(name, session.id) : null
        yield {
          ...serializeSession({ ...session, name: readable }),
          unreadable_entries: unreadable.get(session.id) ?? 0,
        }
      }
    })
  }

/** As `createMemoryExporter`, for a service without the keys: it leaves out what is encrypted, and counts it. */
export const exportOfProfile: ProfileExportFile<'memory'>['exportOfProfile'] = ({ read, clock }) =>
  createMemoryExporter({ read, clock, seal: createMemorySeal([]) })
