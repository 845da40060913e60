import { allPages } from '../../kernel/all-pages.ts'
import type { Clock } from '../../kernel/clock.ts'
import { jsonListMember, type ProfileExporter } from '../../module/export-member.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import { openEntry } from './entries.ts'
import type { MemorySeal } from './sealed-memory.ts'
import { serializeEntry, serializeSession } from './serialize.ts'

export interface MemoryExportDeps {
  readonly read: Readers<'memory'>
  readonly clock: Clock
  readonly seal: MemorySeal
}

export const SESSIONS_PATH = 'memory/sessions.json'

/** The path of the entries of a session. */
export const sessionPath = (id: string): string => `memory/${id}.json`

/** The sessions of a profile that have not expired, of all agents, each as a list of entries, decrypted. */
export const createMemoryExporter = ({ read, clock, seal }: MemoryExportDeps): ProfileExporter =>
  async function* ({ profile, signal }) {
    const of = { profileId: profile.id, owner: 'any', at: clock() } as const
    const sessions = () => allPages((page) => read.memory.listSessions(of, page))
    const first = await read.memory.listSessions(of, { limit: 1 })
    if (first.total === 0) return
    yield jsonListMember(SESSIONS_PATH, async function* () {
      for await (const session of sessions()) {
        signal.throwIfAborted()
        yield serializeSession({ ...session, name: session.name && seal.open(session.name, session.id) })
      }
    })
    for await (const { id } of sessions()) {
      yield jsonListMember(sessionPath(id), async function* () {
        for await (const entry of allPages((page) => read.memory.listEntries(id, page), 100)) {
          signal.throwIfAborted()
          yield serializeEntry(openEntry(entry, seal))
        }
      })
    }
  }
