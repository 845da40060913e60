import {
  type ActingApp,
  type AuditChain,
  type AuditLogEntry,
  type AuditLogQuery,
  type AuditLogStore,
  type AuditOutcome,
  type AuditType,
  ERASED_DID,
  FIRST_AUDIT_HASH,
  type JsonObject,
  type NewAuditLogEntry,
} from '@eep/core/ports'
import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely'
import type { Bigint, BigintOrNull } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { holdExisting, isOfProfiles, isText, isUuid, json, keepAccount, toDate } from '../rows.ts'

/** The tables of this group. Only this file uses them, so they are declared here. */
type AuditLogTables = {
  audit_chains: { profile_id: Bigint; first_position: Bigint; base_hash: string; position: Bigint; hash: string }
  audit_log: {
    profile_id: Bigint
    position: Bigint
    entry_id: string
    event_type: AuditType
    actor_did: string
    actor_salt: string | null
    actor_digest: string
    actor_account_id: string | null
    actor_profile_id: BigintOrNull
    publisher_did: string
    at: Date
    outcome: AuditOutcome
    details: JsonObject
    previous_hash: string
    hash: string
    hash_signature: string
    signature: string
    redacted_signature: string
    through: ActingApp | null
    through_salt: string | null
    through_digest: string | null
    through_account_id: string | null
  }
}

type AllTables = Database & AuditLogTables
type AuditLogDb = Kysely<AllTables>
type Condition = (where: ExpressionBuilder<AllTables, 'audit_log'>) => Expression<SqlBool>

/** Keeps the number of parameters of a statement below the limit of PostgreSQL. */
/** Each log is locked until the end of the transaction. */
const LOGS_AT_ONCE = 50
const ROWS_AT_ONCE = 500

export function auditLog(database: Db): AuditLogStore {
  const db: AuditLogDb = database.withTables<AuditLogTables>()

  const getChain = async (profileId: number): Promise<AuditChain | undefined> => {
    const row = await db.selectFrom('audit_chains').selectAll().where('profile_id', '=', profileId).executeTakeFirst()
    return row && toChain(row)
  }

  /** The actors of entries that exist, locked against deletion until the transaction ends. */
  async function holdActors(profileId: number, entries: readonly NewAuditLogEntry[]) {
    const profiles = new Set([profileId, ...entries.flatMap((entry) => entry.actorProfileId ?? [])])
    const accounts = [...new Set(entries.flatMap(accountsOf))].filter(isUuid).sort()
    const heldProfiles = new Set(await holdExisting(database, [...profiles], accounts))
    const heldAccounts = new Set<string>()
    for (const id of accounts) if (await keepAccount(database, id)) heldAccounts.add(id)
    return {
      isHere: heldProfiles.has(profileId),
      /** Whether the account that acted by an app exists. */
      hasApp: ({ throughAccountId: account }: NewAuditLogEntry) => account !== null && heldAccounts.has(account),
      hasActor: ({ actorAccountId, actorProfileId }: NewAuditLogEntry) =>
        (actorAccountId === null || heldAccounts.has(actorAccountId)) &&
        (actorProfileId === null || heldProfiles.has(actorProfileId)),
    }
  }

  /** Redacts the entries of some actors, which are locked together with the entries of some logs. */
  async function redact(isActor: Condition, ownIds: readonly number[] = []) {
    // Locked in a fixed order, because accounts that acted in the same logs, or in those of each other, may be erased
    // concurrently.
    const acted = await db
      .with('locked', (cte) =>
        cte
          .selectFrom('audit_log')
          .select(['profile_id', 'position', isOfProfiles(ownIds).as('is_own')])
          .where((where) => where.or([isActor(where), isOfProfiles(ownIds)]))
          .orderBy('profile_id')
          .orderBy('position')
          .forUpdate(),
      )
      .selectFrom('locked')
      .select(['profile_id', 'position'])
      .where('is_own', '=', false)
      .execute()
    for (const { profile_id: profileId, position } of acted) {
      await db
        .updateTable('audit_log')
        .set((row) => ({ ...REDACTED, signature: row.ref('redacted_signature') }))
        .where('profile_id', '=', profileId)
        .where('position', '=', position)
        .execute()
    }
  }

  /** Deletes the oldest entries of one log, at most `limit`. */
  async function pruneChain(profileId: number, before: Date, limit: number): Promise<number> {
    const chain = await db
      .selectFrom('audit_chains')
      .selectAll()
      .where('profile_id', '=', profileId)
      .forUpdate()
      .executeTakeFirst()
    if (!chain) return 0
    const kept = await db
      .selectFrom('audit_log')
      .select('position')
      .where('profile_id', '=', profileId)
      .where('at', '>=', before)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst()
    const end = kept ? Number(kept.position) : Number(chain.position) + 1
    const first = Math.min(end, Number(chain.first_position) + limit)
    const next = await db
      .selectFrom('audit_log')
      .select('previous_hash')
      .where('profile_id', '=', profileId)
      .where('position', '=', first)
      .executeTakeFirst()
    const { numDeletedRows } = await db
      .deleteFrom('audit_log')
      .where('profile_id', '=', profileId)
      .where('position', '<', first)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('audit_chains')
      .set({ first_position: first, base_hash: next?.previous_hash ?? chain.hash })
      .where('profile_id', '=', profileId)
      .execute()
    return Number(numDeletedRows)
  }

  return {
    getChain,

    async list(query, { offset = 0, ...page }) {
      if (query.actorDid !== undefined && !isText(query.actorDid)) return { items: [], total: 0 }
      const wanted = selected(db, query)
      const counted = wanted.select(({ fn }) => fn.countAll<number | string>().as('count'))
      const by = query.sort === 'asc' ? asc : desc
      const listed = await listPage(
        wanted
          .selectAll()
          .select(counted.as('total'))
          .$if(offset > 0, (rows) => rows.offset(offset)),
        page,
        {
          order: [by('at', 'moment'), by('profile_id', 'number'), by('position', 'number')],
          item: toEntry,
          key: ({ at, profileId, position }) => [at.getTime(), profileId, position],
          counted,
        },
      )
      if (offset === 0 || listed.items.length > 0) return listed
      return { ...listed, total: Number((await counted.executeTakeFirstOrThrow()).count) }
    },

    async listChain(profileId, { after, limit }) {
      const rows = await db
        .selectFrom('audit_log')
        .selectAll()
        .where('profile_id', '=', profileId)
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit)
        .execute()
      return rows.map(toEntry)
    },

    async append(profileId, end, entries) {
      const last = entries.at(-1)
      const { isHere, hasActor, hasApp } = await holdActors(profileId, entries)
      if (!isHere) return 'gone'
      if (!last) return 'appended'
      await db
        .insertInto('audit_chains')
        .values({
          profile_id: profileId,
          first_position: 1,
          base_hash: FIRST_AUDIT_HASH,
          position: 0,
          hash: FIRST_AUDIT_HASH,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      // Concurrent calls wait for each other here, and all but one find another end.
      const { numUpdatedRows } = await db
        .updateTable('audit_chains')
        .set({ position: last.position, hash: last.hash })
        .where('profile_id', '=', profileId)
        .where('position', '=', end.position)
        .where('hash', '=', end.hash)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return 'moved'
      const rows = entries.map((entry) => toRow(profileId, entry, { hasActor: hasActor(entry), hasApp: hasApp(entry) }))
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
        await db
          .insertInto('audit_log')
          .values(rows.slice(start, start + ROWS_AT_ONCE))
          .execute()
      }
      return 'appended'
    },

    async prune(before, limit) {
      const due = await db
        .selectFrom('audit_chains')
        .innerJoin('audit_log', (join) =>
          join
            .onRef('audit_log.profile_id', '=', 'audit_chains.profile_id')
            .onRef('audit_log.position', '=', 'audit_chains.first_position'),
        )
        .select('audit_chains.profile_id')
        .where('audit_log.at', '<', before)
        .orderBy('audit_log.at')
        .limit(Math.min(limit, LOGS_AT_ONCE))
        .execute()
      // In a fixed order, as the logs of an erased account are locked.
      const ids = due.map((row) => Number(row.profile_id)).sort((left, right) => left - right)
      let deleted = 0
      for (const id of ids) if (deleted < limit) deleted += await pruneChain(id, before, limit - deleted)
      return deleted
    },

    async redactActors(profileIds) {
      if (profileIds.length > 0) await redact(() => isOfProfiles(profileIds, 'actor_profile_id'))
    },

    async eraseAccount({ id, profileIds }) {
      const own = isOfProfiles(profileIds)
      // Before their entries, as `prune` does.
      await db.selectFrom('audit_chains').select('profile_id').where(own).orderBy('profile_id').forUpdate().execute()
      const isActor: Condition = (where) =>
        where.or([where('actor_account_id', '=', id), isOfProfiles(profileIds, 'actor_profile_id')])
      await redact(isActor, profileIds)
      await db.updateTable('audit_log').set(WITHOUT_APP).where('through_account_id', '=', id).execute()
      await db.deleteFrom('audit_chains').where(own).execute()
    },
  }
}

const WITHOUT_APP = { through: null, through_salt: null, through_account_id: null } as const

const REDACTED = {
  actor_did: ERASED_DID,
  actor_salt: null,
  actor_account_id: null,
  actor_profile_id: null,
  ...WITHOUT_APP,
} as const

const accountsOf = ({ actorAccountId, throughAccountId }: NewAuditLogEntry): readonly string[] =>
  [actorAccountId, throughAccountId].filter((id) => id !== null)

const selected = (db: AuditLogDb, { profileId, actorDid, eventType, outcome, from, to }: AuditLogQuery) =>
  db
    .selectFrom('audit_log')
    .$if(profileId !== undefined, (rows) => rows.where('profile_id', '=', profileId as number))
    .$if(actorDid !== undefined, (rows) => rows.where('actor_did', '=', actorDid as string))
    .$if(eventType !== undefined, (rows) => rows.where('event_type', '=', eventType as AuditType))
    .$if(outcome !== undefined, (rows) => rows.where('outcome', '=', outcome as AuditOutcome))
    .$if(from !== undefined, (rows) => rows.where('at', '>=', from as Date))
    .$if(to !== undefined, (rows) => rows.where('at', '<', to as Date))

/** What an entry names and exists. */
interface Held {
  readonly hasActor: boolean
  readonly hasApp: boolean
}

const toRow = (profileId: number, entry: NewAuditLogEntry, { hasActor, hasApp }: Held) => ({
  profile_id: profileId,
  position: entry.position,
  entry_id: entry.entryId,
  event_type: entry.eventType,
  actor_did: entry.actorDid,
  actor_salt: entry.actorSalt,
  actor_digest: entry.actorDigest,
  actor_account_id: entry.actorAccountId,
  actor_profile_id: entry.actorProfileId,
  publisher_did: entry.publisherDid,
  at: entry.at,
  outcome: entry.outcome,
  details: json(entry.details),
  previous_hash: entry.previousHash,
  hash: entry.hash,
  hash_signature: entry.hashSignature,
  signature: entry.signature,
  redacted_signature: entry.redactedSignature,
  through: entry.through && json(entry.through),
  through_salt: entry.throughSalt,
  through_digest: entry.throughDigest,
  through_account_id: entry.throughAccountId,
  ...(!hasApp && WITHOUT_APP),
  ...(!hasActor && { ...REDACTED, signature: entry.redactedSignature }),
})

const toChain = (row: Selectable<AuditLogTables['audit_chains']>): AuditChain => ({
  firstPosition: Number(row.first_position),
  baseHash: row.base_hash,
  position: Number(row.position),
  hash: row.hash,
})

const toEntry = (row: Selectable<AuditLogTables['audit_log']>): AuditLogEntry => ({
  profileId: Number(row.profile_id),
  position: Number(row.position),
  entryId: row.entry_id,
  eventType: row.event_type,
  actorDid: row.actor_did,
  actorSalt: row.actor_salt,
  actorDigest: row.actor_digest,
  through: row.through,
  throughSalt: row.through_salt,
  throughDigest: row.through_digest,
  publisherDid: row.publisher_did,
  at: toDate(row.at),
  outcome: row.outcome,
  details: row.details,
  previousHash: row.previous_hash,
  hash: row.hash,
  hashSignature: row.hash_signature,
  signature: row.signature,
})
