import type { GrantQuery, GrantRecord, GrantStore, PageRequest } from '@eep/core/ports'
import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import type { Database, Db } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { databaseNow, isText, isUuid } from '../rows.ts'
import { isLive, toGrantRecord } from './live-grants.ts'
import { ENTITLEMENT_KEY, entitlementsOfGrants, lockEntitlements } from './lock-entitlements.ts'
import { recompute } from './recompute-entitlements.ts'

/** Grants from the view of sellers, who can end them. */
export function grants(db: Db): GrantStore {
  return {
    list: (query, page) => list(db, query, page),

    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db.selectFrom('grants').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toGrantRecord(row)
    },

    async listGivenByAccount(accountId) {
      if (!isUuid(accountId)) return []
      const rows = await db
        .selectFrom('grants')
        .innerJoin('profiles', 'profiles.id', 'grants.profile_id')
        .select('grants.id')
        .where('profiles.owner_account_id', '=', accountId)
        .where('grants.reason', '=', 'hand')
        .where('grants.ended_at', 'is', null)
        .orderBy('grants.id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async listGivenTo({ payerWalletAddress, payerNetwork }) {
      if (!isText(payerWalletAddress) || !isText(payerNetwork)) return []
      const rows = await db
        .selectFrom('grants')
        .select('id')
        .where('payer_wallet_address', '=', payerWalletAddress)
        .where('payer_network', '=', payerNetwork)
        .where('reason', '=', 'hand')
        .where('ended_at', 'is', null)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async end(id, at) {
      if (!isUuid(id)) return []
      const named = await db
        .selectFrom('grants')
        .select(['receipt_id', 'resource_pattern'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!named) return []
      const { receipt_id: receiptId, resource_pattern: pattern } = named
      const isNamed =
        receiptId === null
          ? sql<boolean>`grants.id = ${id}::uuid`
          : sql<boolean>`grants.receipt_id = ${receiptId} and grants.resource_pattern = ${pattern}`
      return change(db, isNamed, { ended_at: at })
    },

    endOfReceipt: (receiptId, at) => changeOfReceipt(db, receiptId, { ended_at: at }),

    suspendOfReceipt: (receiptId, at) =>
      changeOfReceipt(db, receiptId, { suspended_at: at }, sql`grants.suspended_at is null`),

    resumeOfReceipt: (receiptId, at) =>
      changeOfReceipt(
        db,
        receiptId,
        {
          suspended_at: null,
          ends_at: sql<Date | null>`grants.ends_at
            + greatest(${at}::timestamptz - greatest(grants.suspended_at, grants.starts_at), interval '0')`,
        },
        sql`grants.suspended_at is not null`,
      ),

    async restoreOfReceipt(receiptId, endedAt, at) {
      if (!isText(receiptId)) return []
      const which = sql<boolean>`grants.receipt_id = ${receiptId} and grants.ended_at = ${endedAt}::timestamptz`
      return changeThese(db, which, {
        ended_at: null,
        suspended_at: null,
        ends_at: sql<Date | null>`grants.ends_at
          + greatest(${at}::timestamptz - greatest(coalesce(grants.suspended_at, grants.ended_at), grants.starts_at), interval '0')`,
      })
    },

    async takeDueGrants(limit) {
      const due = entitlementsOfGrants(db)
        .where('grants.is_due', '=', true)
        .where('grants.starts_at', '<=', databaseNow)
        .orderBy('grants.starts_at')
        .limit(limit)
      const taken = await lockEntitlements(db, due).skipLocked().execute()
      const ids = taken.map(({ id }) => id)
      if (ids.length === 0) return 0
      await db
        .updateTable('grants')
        .from('entitlements')
        .set({ is_due: false })
        .where((where) => where.and(ENTITLEMENT_KEY.map(isOfEntitlement)))
        .where('entitlements.id', 'in', ids)
        .where('grants.is_due', '=', true)
        .where('grants.starts_at', '<=', databaseNow)
        .execute()
      await recompute(db, ids)
      return ids.length
    },
  }
}

const isOfEntitlement = (column: (typeof ENTITLEMENT_KEY)[number]) =>
  sql<boolean>`${sql.ref(`grants.${column}`)} = ${sql.ref(`entitlements.${column}`)}`

type Changes = UpdateObject<Database, 'grants'>

async function changeOfReceipt(
  db: Db,
  receiptId: string,
  changes: Changes,
  and = sql<boolean>`true`,
): Promise<readonly GrantRecord[]> {
  return isText(receiptId) ? change(db, sql<boolean>`grants.receipt_id = ${receiptId} and ${and}`, changes) : []
}

/**
 * Changes grants that are not ended, and the entitlements of their holders. These are locked first, so that of concurrent
 * changes of a grant one has an effect.
 */
const change = (db: Db, isNamed: RawBuilder<boolean>, changes: Changes): Promise<readonly GrantRecord[]> =>
  changeThese(db, sql<boolean>`${isNamed} and grants.ended_at is null`, changes)

async function changeThese(db: Db, which: RawBuilder<boolean>, changes: Changes): Promise<readonly GrantRecord[]> {
  const locked = await lockEntitlements(db, entitlementsOfGrants(db).where(which)).execute()
  if (locked.length === 0) return []
  const rows = await db.updateTable('grants').set(changes).where(which).returningAll().execute()
  await recompute(
    db,
    locked.map(({ id }) => id),
  )
  return rows.map(toGrantRecord).sort((left, right) => (left.id < right.id ? -1 : 1))
}

function list(db: Db, { profileId, active, payerWalletAddress }: GrantQuery, request: PageRequest) {
  let all = db.selectFrom('grants').where('profile_id', '=', profileId)
  if (active) all = all.where(isLive)
  if (payerWalletAddress !== undefined) all = all.where('payer_wallet_address', '=', payerWalletAddress)
  const counted = all.select((query) => query.fn.countAll<string>().as('count'))
  const query = all.selectAll().select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('created_at', 'moment'), asc('id', 'uuid')],
    item: toGrantRecord,
    key: (one) => [one.createdAt.getTime(), one.id],
    counted,
  })
}
