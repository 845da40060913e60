import type { MemoryEntry, MemoryRole, MemorySession, MemoryStore, NewMemoryEntry } from '@eep/core/ports'
import { type Generated, type Kysely, type Selectable, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { isUuid, keepProfile, toDate } from '../rows.ts'

interface SessionRow {
  id: string
  profile_id: Bigint
  agent_did: string | null
  name: string | null
  name_key_id: string | null
  created_at: Date
  updated_at: Date
  expires_at: Date
  /** When it was deleted; its rows are deleted later. */
  removed_at: Date | null
  entries: Generated<number>
  bytes: Generated<number | string>
}

interface EntryRow {
  id: Generated<number | string>
  session_id: string
  role: MemoryRole
  payload: string
  key_id: string | null
  importance: number
  bytes: number
  created_at: Date
  updated_at: Date
}

/** The tables of this group. Only this file uses them, so they are declared here. */
type MemoryTables = { memory_sessions: SessionRow; memory_entries: EntryRow }

/** Whether ids can be compared with a column of the type `bigint`. */
const idList = (ids: readonly number[]) =>
  sql<number>`any(${`{${ids.filter(Number.isSafeInteger).join()}}`}::text::bigint[])`

export function memory(database: Db): MemoryStore {
  const db: Kysely<Database & MemoryTables> = database.withTables<MemoryTables>()

  const present = () => db.selectFrom('memory_sessions').where('removed_at', 'is', null)
  const live = (id: string, at: Date) => present().selectAll().where('id', '=', id).where('expires_at', '>', at)
  /** The entries of a session, unless it is deleted. */
  const entriesOf = (sessionId: string) =>
    db
      .selectFrom('memory_entries')
      .where('session_id', '=', sessionId)
      .where(({ exists }) => exists(present().select('id').where('id', '=', sessionId)))

  async function getSession(id: string, at: Date): Promise<MemorySession | undefined> {
    if (!isUuid(id)) return undefined
    const row = await live(id, at).executeTakeFirst()
    return row && toSession(row)
  }

  async function lockSession(id: string, at: Date): Promise<MemorySession | undefined> {
    if (!isUuid(id)) return undefined
    const row = await live(id, at).forUpdate().executeTakeFirst()
    return row && toSession(row)
  }

  async function getEntries(sessionId: string, ids: readonly number[]): Promise<readonly MemoryEntry[]> {
    if (!isUuid(sessionId) || ids.length === 0) return []
    const rows = await entriesOf(sessionId).selectAll().where('id', '=', idList(ids)).execute()
    return rows.map(toEntry)
  }

  const ownerOf = (profileId: number) =>
    db.selectFrom('profiles').select('owner_account_id').where('id', '=', profileId)

  async function hold(profileId: number): Promise<boolean> {
    const held = await db
      .selectFrom('accounts')
      .select('id')
      .where('id', 'in', ownerOf(profileId))
      .forNoKeyUpdate()
      .executeTakeFirst()
    return held !== undefined
  }

  /** How much accounts have in sessions that have not expired. */
  const uses = (at: Date) =>
    present()
      .innerJoin('profiles', 'profiles.id', 'memory_sessions.profile_id')
      .select(({ fn }) => [
        fn.countAll<string>().as('sessions'),
        sql<string>`coalesce(sum(memory_sessions.entries), 0)`.as('entries'),
        sql<string>`coalesce(sum(memory_sessions.bytes), 0)`.as('bytes'),
      ])
      .where('expires_at', '>', at)

  /** How much the account that owns a profile has. */
  const useOf = (profileId: number, at: Date) =>
    uses(at).where('profiles.owner_account_id', 'in', ownerOf(profileId)).executeTakeFirstOrThrow()

  /** Locks the account and a session, in the order of all transactions. */
  async function holdSession(id: string, at: Date): Promise<MemorySession | undefined> {
    const found = await getSession(id, at)
    if (!found || !(await hold(found.profileId))) return undefined
    return lockSession(id, at)
  }

  const count = (id: string, entries: number, bytes: number, at: Date) =>
    db
      .updateTable('memory_sessions')
      .set((row) => ({ entries: row('entries', '+', entries), bytes: row('bytes', '+', bytes), updated_at: at }))
      .where('id', '=', id)
      .execute()

  return {
    getSession,
    lockSession,
    getEntries,
    hold,

    async useOfAccount(accountId, at) {
      if (!isUuid(accountId)) return { sessions: 0, entries: 0, bytes: 0 }
      const use = await uses(at).where('profiles.owner_account_id', '=', accountId).executeTakeFirstOrThrow()
      return { sessions: Number(use.sessions), entries: Number(use.entries), bytes: Number(use.bytes) }
    },

    async listSessions({ profileId, owner, at }, request) {
      const wanted = present()
        .where('profile_id', '=', profileId)
        .where('expires_at', '>', at)
        .$if(owner !== 'any', (query) =>
          query.where('agent_did', 'is not distinct from', owner === 'any' ? null : owner.did),
        )
      const counted = wanted.select(({ fn }) => fn.countAll<string>().as('count'))
      return listPage(wanted.selectAll().select(counted.as('total')), request, {
        order: [desc('memory_sessions.created_at', 'moment'), desc('memory_sessions.id', 'uuid')],
        item: toSession,
        key: ({ createdAt, id }) => [createdAt.getTime(), id],
        counted,
      })
    },

    async listEntries(sessionId, request) {
      if (!isUuid(sessionId)) return { items: [], total: 0 }
      const wanted = entriesOf(sessionId)
      const counted = wanted.select(({ fn }) => fn.countAll<string>().as('count'))
      return listPage(wanted.selectAll().select(counted.as('total')), request, {
        order: [desc('memory_entries.id', 'number')],
        item: toEntry,
        key: ({ id }) => [id],
        counted,
      })
    },

    async listNewest(sessionId, { maxEntries, maxBytes }) {
      if (!isUuid(sessionId)) return []
      const newest = entriesOf(sessionId)
        .select(['id', sql<number>`sum(bytes) over (order by id desc)`.as('until_here')])
        .orderBy('id', 'desc')
        .limit(maxEntries)
        .as('newest')
      const rows = await db
        .selectFrom(newest)
        .innerJoin('memory_entries', 'memory_entries.id', 'newest.id')
        .selectAll('memory_entries')
        .where('until_here', '<=', maxBytes)
        .orderBy('memory_entries.id', 'desc')
        .execute()
      return rows.map(toEntry)
    },

    async listAll(after, limit, at) {
      const rows = await db
        .selectFrom('memory_entries')
        .innerJoin('memory_sessions', 'memory_sessions.id', 'session_id')
        .selectAll('memory_entries')
        .select('profile_id')
        .where('removed_at', 'is', null)
        .where('memory_entries.id', '>', after)
        .where('expires_at', '>', at)
        .orderBy('memory_entries.id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ ...toEntry(row), profileId: Number(row.profile_id) }))
    },

    async insertSession({ id, profileId, agentDid, name, createdAt, expiresAt }, maxSessions, at) {
      if (!(await hold(profileId)) || !(await keepProfile(database, profileId))) return 'profile_gone'
      const { sessions } = await useOf(profileId, at)
      if (Number(sessions) >= maxSessions) return 'too_many'
      const row = await db
        .insertInto('memory_sessions')
        .values({
          id,
          profile_id: profileId,
          agent_did: agentDid,
          name: name?.text ?? null,
          name_key_id: name?.keyId ?? null,
          created_at: createdAt,
          updated_at: createdAt,
          expires_at: expiresAt,
          removed_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toSession(row)
    },

    async deleteSession(id) {
      if (!isUuid(id)) return false
      const { numUpdatedRows } = await db
        .updateTable('memory_sessions')
        .set(removed)
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async addEntries(sessionId, entries, { maxBytes, maxEntries }, at) {
      const session = await holdSession(sessionId, at)
      if (!session) return 'not_found'
      if (session.entries + entries.length > maxEntries) return 'too_many_entries'
      const added = entries.reduce((sum, { bytes }) => sum + bytes, 0)
      const { bytes } = await useOf(session.profileId, at)
      if (Number(bytes) + added > maxBytes) return 'too_large'
      if (entries.length === 0) return []
      const rows = await db
        .insertInto('memory_entries')
        .values(
          entries.map((entry) => ({
            session_id: sessionId,
            created_at: entry.createdAt ?? at,
            updated_at: entry.createdAt ?? at,
            ...columnsOf(entry),
          })),
        )
        .returningAll()
        .execute()
      await count(sessionId, entries.length, added, at)
      return rows.map(toEntry).sort((one, other) => one.id - other.id)
    },

    async updateEntry(sessionId, id, entry, { maxBytes }, at) {
      const session = await holdSession(sessionId, at)
      const [before] = session ? await getEntries(sessionId, [id]) : []
      if (!session || !before) return 'not_found'
      const grown = entry.bytes - before.bytes
      const { bytes } = await useOf(session.profileId, at)
      if (grown > 0 && Number(bytes) + grown > maxBytes) return 'too_large'
      const row = await db
        .updateTable('memory_entries')
        .set({ ...columnsOf(entry), updated_at: at })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await count(sessionId, 0, grown, at)
      return toEntry(row)
    },

    async deleteEntry(sessionId, id, at) {
      if (!(await lockSession(sessionId, at))) return false
      const [before] = await getEntries(sessionId, [id])
      if (!before) return false
      await db.deleteFrom('memory_entries').where('id', '=', id).execute()
      await count(sessionId, -1, -before.bytes, at)
      return true
    },

    async removeExpired(at, limit) {
      const expired = present()
        .select('id')
        .where('expires_at', '<=', at)
        .orderBy('expires_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()
      const rows = await db
        .updateTable('memory_sessions')
        .set(removed)
        .where('id', 'in', expired)
        .returning(['id', 'profile_id'])
        .execute()
      return rows.map((row) => ({ id: row.id, profileId: Number(row.profile_id) }))
    },

    async sweep(limit) {
      const entries = await deleteSelected(db, 'memory_entries', ['id'], (rows) =>
        rows
          .where('session_id', 'in', db.selectFrom('memory_sessions').select('id').where('removed_at', 'is not', null))
          .limit(limit),
      )
      const left = limit - entries
      if (left === 0) return limit
      const sessions = await deleteSelected(db, 'memory_sessions', ['id'], (rows) =>
        rows
          .where('removed_at', 'is not', null)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('memory_entries').select('id').whereRef('session_id', '=', 'memory_sessions.id'))),
          )
          .limit(left),
      )
      return entries + sessions
    },

    async listOutdated(formerKeyIds, limit) {
      const isOutdated = (column: 'key_id' | 'name_key_id') =>
        sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} = any(${formerKeyIds}::text[]))`
      const entries = await db
        .selectFrom('memory_entries')
        .select(['id', 'session_id', 'payload', 'key_id'])
        .where(isOutdated('key_id'))
        .orderBy('id')
        .limit(limit)
        .execute()
      const names = await db
        .selectFrom('memory_sessions')
        .select(['id', 'name', 'name_key_id'])
        .where('name', 'is not', null)
        .where(isOutdated('name_key_id'))
        .limit(limit - entries.length)
        .execute()
      return [
        ...entries.map((row) => ({
          sessionId: row.session_id,
          entryId: Number(row.id),
          text: row.payload,
          keyId: row.key_id,
        })),
        ...names.map((row) => ({ sessionId: row.id, entryId: null, text: row.name ?? '', keyId: row.name_key_id })),
      ]
    },

    async replaceOutdated(texts) {
      for (const { before, after } of texts) {
        const { sessionId, entryId } = before
        await (entryId === null
          ? db
              .updateTable('memory_sessions')
              .set({ name: after.text, name_key_id: after.keyId })
              .where('id', '=', sessionId)
              .where('name', '=', before.text)
              .execute()
          : db
              .updateTable('memory_entries')
              .set({ payload: after.text, key_id: after.keyId })
              .where('id', '=', entryId)
              .where('payload', '=', before.text)
              .execute())
      }
    },
  }
}

const removed = { removed_at: sql<Date>`now()` }

const columnsOf = ({ role, payload, importance, bytes }: NewMemoryEntry) => ({
  role,
  payload: payload.text,
  key_id: payload.keyId,
  importance,
  bytes,
})

const toSession = (row: Selectable<SessionRow>): MemorySession => ({
  id: row.id,
  profileId: Number(row.profile_id),
  agentDid: row.agent_did,
  name: row.name === null ? null : { text: row.name, keyId: row.name_key_id },
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
  expiresAt: toDate(row.expires_at),
  entries: row.entries,
  bytes: Number(row.bytes),
})

const toEntry = (row: Selectable<EntryRow>): MemoryEntry => ({
  id: Number(row.id),
  sessionId: row.session_id,
  role: row.role,
  payload: { text: row.payload, keyId: row.key_id },
  importance: row.importance,
  bytes: row.bytes,
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})
