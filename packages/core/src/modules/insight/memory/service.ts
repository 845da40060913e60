import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { MemoryQuota, MemoryRefusal, MemorySession, MemoryUse } from '../../../ports/storage/memory.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import { agentOfNew, type MemoryActor, type RequireSession, reachOf } from './access.ts'
import { type EntryInput, type OpenEntry, openEntry, sealEntry } from './entries.ts'
import {
  memoryEntryNotFound,
  memoryFull,
  memorySessionNotFound,
  tooManyMemoryEntries,
  tooManyMemorySessions,
} from './errors.ts'
import { memoryEntriesChanged, memorySessionCreated, memorySessionRemoved } from './events.ts'
import type { MemorySeal } from './sealed-memory.ts'

export interface MemoryDeps extends GuardedStorage<'memory'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission' | 'lockWithPermission'>
  readonly planLimits: PlanTable
  readonly seal: MemorySeal
  readonly requireSession: RequireSession
}

/** A session to create. */
export interface SessionInput {
  readonly profileId: number
  readonly agentDid?: string | undefined
  readonly name?: string | undefined
  readonly ttlSeconds: number
}

/** A session that can be read. */
export interface OpenSession extends Omit<MemorySession, 'name'> {
  readonly name: string | null
}

/** Changes of an entry. Fields that are missing stay as they are. */
export type EntryChanges = { readonly [Field in keyof EntryInput]?: EntryInput[Field] | undefined }

/** The maximum number of entries of a session. */
export const MAX_ENTRIES = 10_000
export const MEGABYTE = 1_048_576

const REFUSALS = {
  not_found: memorySessionNotFound,
  too_many_entries: tooManyMemoryEntries,
  too_large: memoryFull,
} as const

function refuse(refusal: MemoryRefusal): never {
  throw REFUSALS[refusal]()
}

/** Creates the service of sessions and their entries. */
export function createMemoryService({ read, write, clock, profiles, planLimits, seal, requireSession }: MemoryDeps) {
  const openSession = ({ name, ...session }: MemorySession): OpenSession => ({
    ...session,
    name: name && seal.open(name, session.id),
  })

  /** A session of a list. Its name is null while its key is missing, so that the others can be listed. */
  const listedSession = (session: MemorySession): OpenSession =>
    seal.canOpen(session.name) ? openSession(session) : { ...session, name: null }

  /** Locks what a change needs, and returns the limits of the account that owns the profile. */
  async function lock(tx: Stores<'memory'>, profileId: number, caller: Caller) {
    await tx.memory.hold(profileId)
    const profile = await profiles.lockWithPermission(tx, profileId, caller, 'memory.use')
    const owner = await tx.accounts.get(profile.ownerAccountId)
    const { maxMemorySessions, maxMemoryMb } = planLimits(owner?.tier ?? 'community')
    const quota: MemoryQuota = { maxBytes: maxMemoryMb * MEGABYTE, maxEntries: MAX_ENTRIES }
    return { maxMemorySessions, quota }
  }

  return {
    /** What an account has in sessions that have not expired, over all profiles that it owns. */
    useOf: (accountId: string): Promise<MemoryUse> => read.memory.useOfAccount(accountId, clock()),

    /**
     * Creates a session for a profile that the caller may act for.
     *
     * @throws `not_profile_owner`, `profile_not_found`, `memory_agent_mismatch`, `memory_signature_required`, `too_many_memory_sessions`
     */
    async create({ profileId, agentDid, name, ttlSeconds }: SessionInput, actor: MemoryActor): Promise<OpenSession> {
      const { caller } = actor
      await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'memory.use')
      const owner = agentOfNew(agentDid, actor)
      return write(async (tx, emit) => {
        const { maxMemorySessions } = await lock(tx, profileId, caller)
        const createdAt = clock()
        const id = randomUUID()
        const session = await tx.memory.insertSession(
          {
            id,
            profileId,
            agentDid: owner,
            createdAt,
            name: name === undefined ? null : seal.seal(name, id),
            expiresAt: new Date(createdAt.getTime() + ttlSeconds * 1_000),
          },
          maxMemorySessions,
          createdAt,
        )
        if (session === 'too_many') throw tooManyMemorySessions()
        if (session === 'profile_gone') throw profileNotFound()
        emit(memorySessionCreated, { sessionId: id }, { profileId, accountId: caller.account.id })
        return openSession(session)
      })
    },

    /**
     * Lists the sessions of a profile that the actor reaches, newest first. The name of a session whose key is missing is null.
     *
     * @throws `not_profile_owner`, `profile_not_found`, `invalid_cursor`
     */
    async list(profileId: number, actor: MemoryActor, page: PageRequest): Promise<Page<OpenSession>> {
      const { caller } = actor
      await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'memory.use')
      const found = await read.memory.listSessions({ profileId, owner: reachOf(actor), at: clock() }, page)
      return { ...found, items: found.items.map(listedSession) }
    },

    /** @throws `memory_session_not_found` */
    get: async (id: string, actor: MemoryActor): Promise<OpenSession> => openSession(await requireSession(id, actor)),

    /**
     * Deletes a session with its entries.
     *
     * @throws `memory_session_not_found`
     */
    async delete(id: string, actor: MemoryActor): Promise<void> {
      const { id: sessionId, profileId } = await requireSession(id, actor)
      const { caller } = actor
      await write(async (tx, emit) => {
        await lock(tx, profileId, caller)
        if (!(await tx.memory.deleteSession(sessionId))) throw memorySessionNotFound()
        emit(memorySessionRemoved, { sessionId }, { profileId, accountId: caller.account.id })
      })
    },

    /**
     * Adds entries to a session, all of them or none.
     *
     * @throws `memory_session_not_found`, `too_many_memory_entries`, `memory_full`
     */
    async add(id: string, entries: readonly EntryInput[], actor: MemoryActor): Promise<readonly OpenEntry[]> {
      const { id: sessionId, profileId } = await requireSession(id, actor)
      const { caller } = actor
      const sealed = entries.map((entry) => sealEntry(entry, sessionId, seal))
      return write(async (tx, emit) => {
        const { quota } = await lock(tx, profileId, caller)
        const added = await tx.memory.addEntries(sessionId, sealed, quota, clock())
        if (typeof added === 'string') return refuse(added)
        const changed = { sessionId, entryIds: added.map((entry) => entry.id) }
        emit(memoryEntriesChanged, changed, { profileId, accountId: caller.account.id })
        return added.map((entry) => openEntry(entry, seal))
      })
    },

    /**
     * Lists the entries of a session, newest first.
     *
     * @throws `memory_session_not_found`, `invalid_cursor`, `memory_key_missing`
     */
    async listEntries(id: string, actor: MemoryActor, page: PageRequest): Promise<Page<OpenEntry>> {
      const session = await requireSession(id, actor)
      const found = await read.memory.listEntries(session.id, page)
      return { ...found, items: found.items.map((entry) => openEntry(entry, seal)) }
    },

    /**
     * Changes an entry. Concurrent changes of different fields are both kept.
     *
     * @throws `memory_session_not_found`, `memory_entry_not_found`, `memory_full`, `memory_key_missing`
     */
    async update(id: string, entryId: number, changes: EntryChanges, actor: MemoryActor): Promise<OpenEntry> {
      const { id: sessionId, profileId } = await requireSession(id, actor)
      const { caller } = actor
      return write(async (tx, emit) => {
        const { quota } = await lock(tx, profileId, caller)
        const at = clock()
        if (!(await tx.memory.lockSession(sessionId, at))) throw memorySessionNotFound()
        const [stored] = await tx.memory.getEntries(sessionId, [entryId])
        if (!stored) throw memoryEntryNotFound()
        const before = openEntry(stored, seal)
        const changed: EntryInput = {
          role: changes.role ?? before.role,
          content: changes.content ?? before.content,
          metadata: changes.metadata ?? before.metadata,
          importance: changes.importance ?? before.importance,
        }
        const updated = await tx.memory.updateEntry(sessionId, entryId, sealEntry(changed, sessionId, seal), quota, at)
        if (typeof updated === 'string') return refuse(updated)
        const event = { sessionId, entryIds: [entryId] }
        emit(memoryEntriesChanged, event, { profileId, accountId: caller.account.id })
        return openEntry(updated, seal)
      })
    },

    /** @throws `memory_session_not_found`, `memory_entry_not_found` */
    async deleteEntry(id: string, entryId: number, actor: MemoryActor): Promise<void> {
      const { id: sessionId, profileId } = await requireSession(id, actor)
      const { caller } = actor
      await write(async (tx, emit) => {
        await lock(tx, profileId, caller)
        if (!(await tx.memory.deleteEntry(sessionId, entryId, clock()))) throw memoryEntryNotFound()
        const event = { sessionId, entryIds: [entryId] }
        emit(memoryEntriesChanged, event, { profileId, accountId: caller.account.id })
      })
    },
  }
}

/** Sessions of agents, and their entries. */
export type MemoryService = ReturnType<typeof createMemoryService>
