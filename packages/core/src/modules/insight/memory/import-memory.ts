import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { importedTime } from '../../../framework/module/imported-times.ts'
import { parseList } from '../../../framework/module/parse-member.ts'
import {
  type ImportPart,
  type ImportSource,
  importBatches,
  type ProfileImporter,
  type SkippedItem,
} from '../../../framework/module/profile-import.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { unauthenticated } from '../../../kernel/errors.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { invalidArchive } from '../../../ports/archive-format.ts'
import type { NewMemoryEntry } from '../../../ports/storage/memory.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { profileNotFound } from '../../profiles/profiles/index.ts'
import { sealEntry } from './entries.ts'
import { memoryFull, tooManyMemoryEntries, tooManyMemorySessions } from './errors.ts'
import { memoryEntriesChanged, memorySessionCreated } from './events.ts'
import { SESSIONS_PATH, sessionPath } from './memory-archive.ts'
import { MAX_TTL_SECONDS, newEntry, sessionBody } from './schemas.ts'
import type { MemorySeal } from './sealed-memory.ts'
import { MAX_ENTRIES, MEGABYTE } from './service.ts'

export interface MemoryImportDeps {
  readonly read: Readers<'memory'>
  readonly clock: Clock
  readonly planLimits: PlanTable
  readonly seal: MemorySeal
}

const time = z.iso.datetime().transform((text) => new Date(text))
const { agent_did, name } = sessionBody.shape

const MAX_SESSIONS = 100_000
const exportedSession = z.object({
  id: z.uuid().toLowerCase(),
  agent_did: agent_did.unwrap().nullable(),
  name: name.unwrap().nullable(),
  created_at: time,
  expires_at: time,
})

const exportedEntry = newEntry.strip().extend({ id: z.int().min(1), created_at: time })

/** A session to import, with its new id. Its entries are encrypted for that. */
interface SessionToImport {
  readonly id: string
  readonly exported: z.output<typeof exportedSession>
  readonly entries: readonly (NewMemoryEntry & { readonly createdAt: Date })[]
}

/**
 * Imports sessions that have not expired, with their agents, entries, times and ends. Sessions that exceed the limits of the plan are
 * left out, older ones first.
 */
export function createMemoryImporter({ read, clock, planLimits, seal }: MemoryImportDeps): ProfileImporter {
  async function entriesOf(source: ImportSource, exportedId: string, id: string, now: Date) {
    const path = sessionPath(exportedId)
    const entries = await parseList(path, exportedEntry, (await source.json(path)) ?? [], MAX_ENTRIES)
    return entries
      .toSorted((left, right) => left.id - right.id)
      .map(({ created_at, id: _, ...entry }) => ({
        ...sealEntry(entry, id, seal),
        createdAt: importedTime(created_at, now),
      }))
  }

  async function check(source: ImportSource): Promise<ImportPart> {
    const now = clock()
    const listed = await parseList(
      SESSIONS_PATH,
      exportedSession,
      (await source.json(SESSIONS_PATH)) ?? [],
      MAX_SESSIONS,
    )
    if (new Set(listed.map((session) => session.id)).size < listed.length) {
      throw invalidArchive({ message: `${SESSIONS_PATH}: Contains a session twice` })
    }
    const account = await read.accounts.get(source.accountId)
    if (!account) throw unauthenticated()
    const { maxMemorySessions, maxMemoryMb } = planLimits(account.tier)
    const quota = { maxBytes: maxMemoryMb * MEGABYTE, maxEntries: MAX_ENTRIES }
    const used = await read.memory.useOfAccount(source.accountId, now)
    const selected: SessionToImport[] = []
    const skipped: SkippedItem[] = []
    let bytes = used.bytes

    async function refuse(exported: SessionToImport['exported']): Promise<string | undefined> {
      if (exported.expires_at <= now) return 'expired'
      if (used.sessions + selected.length >= maxMemorySessions) return tooManyMemorySessions.code
      const id = randomUUID()
      const entries = await entriesOf(source, exported.id, id, now)
      const size = entries.reduce((sum, entry) => sum + entry.bytes, 0)
      if (bytes + size > quota.maxBytes) return memoryFull.code
      bytes += size
      selected.push({ id, exported, entries })
      return undefined
    }

    for (const exported of listed) {
      const reason = await refuse(exported)
      if (reason !== undefined) skipped.push({ member: SESSIONS_PATH, item: exported.id, reason })
    }

    return {
      counts: {
        memory_sessions: selected.length,
        memory_entries: selected.reduce((sum, { entries }) => sum + entries.length, 0),
      },
      skipped,

      *store({ profile, accountId, at }) {
        const origin = { profileId: profile.id, accountId }
        for (const { id: sessionId, exported, entries } of selected) {
          yield async (tx, emit) => {
            const { memory } = requireGroup(tx, 'memory')
            const inserted = await memory.insertSession(
              {
                id: sessionId,
                profileId: profile.id,
                agentDid: exported.agent_did,
                name: exported.name === null ? null : seal.seal(exported.name, sessionId),
                createdAt: importedTime(exported.created_at, at),
                expiresAt: new Date(Math.min(exported.expires_at.getTime(), at.getTime() + MAX_TTL_SECONDS * 1_000)),
              },
              maxMemorySessions,
              at,
            )
            if (inserted === 'too_many') throw tooManyMemorySessions()
            if (inserted === 'profile_gone') throw profileNotFound()
            emit(memorySessionCreated, { sessionId }, origin)
          }
          for (const batch of importBatches(entries)) {
            yield async (tx, emit) => {
              const added = await requireGroup(tx, 'memory').memory.addEntries(sessionId, batch, quota, at)
              if (added === 'too_large') throw memoryFull()
              if (added === 'too_many_entries') throw tooManyMemoryEntries()
              // It expired since the check.
              if (added === 'not_found') return
              emit(memoryEntriesChanged, { sessionId, entryIds: added.map((entry) => entry.id) }, origin)
            }
          }
        }
      },
    }
  }

  return { reads: (path) => path === SESSIONS_PATH || /^memory\/[0-9a-f-]{36}\.json$/.test(path), check }
}
