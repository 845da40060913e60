import type {
  EntitlementBuyers,
  EntitlementHolder,
  EntitlementQuery,
  EntitlementStore,
  GrantStore,
  OpenPurchaseReader,
  PageRequest,
} from '@eep/core/ports'
import { type CompiledQuery, sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { isText, isUuid, toDateOrNull } from '../rows.ts'
import { isActive } from './active-entitlements.ts'
import { listLasting } from './lasting-purchases.ts'
import { getOwnPurchase, listOwnPurchases } from './own-purchases.ts'
import { revoke, revokeOfReceipt, toEntitlement, toEntitlementRecord } from './taken-entitlements.ts'

type ActiveRow = Pick<Row<'entitlements'>, 'resource_pattern' | 'valid_until'> & { readonly is_over: boolean | null }

const heldBy = (db: Db, { profileId, payerWalletAddress, payerNetwork }: EntitlementHolder) =>
  db
    .selectFrom('entitlements')
    .where('profile_id', '=', profileId)
    .where('payer_wallet_address', '=', payerWalletAddress)
    .where('payer_network', '=', payerNetwork)

export function entitlements(db: Db): EntitlementStore {
  let patternsQuery: CompiledQuery | undefined

  return {
    async listActive(holder) {
      const rows = await heldBy(db, holder)
        .where(isActive)
        .selectAll()
        .orderBy('created_at')
        .orderBy('resource_pattern')
        .execute()
      return rows.map(toEntitlement)
    },

    async listActivePatterns(holder) {
      if ('buyers' in holder) return listPatternsOfBuyers(db, holder)
      // Compiled once, with the time as a parameter: compiling the SQL again and planning another condition take as
      // long as the response.
      patternsQuery ??= heldBy(db, holder)
        .select([
          'resource_pattern',
          'valid_until',
          sql`valid_until <= statement_timestamp() or revoked_at is not null`.as('is_over'),
        ])
        .compile()
      const parameters = [holder.profileId, holder.payerWalletAddress, holder.payerNetwork]
      const { rows } = await db.executeQuery<ActiveRow>({ ...patternsQuery, parameters })
      return rows
        .filter((row) => !row.is_over)
        .map((row) => ({ resourcePattern: row.resource_pattern, validUntil: toDateOrNull(row.valid_until) }))
    },

    async grant(entitlement) {
      const row = await db
        .insertInto('entitlements')
        .values({
          id: entitlement.id,
          profile_id: entitlement.profileId,
          resource_pattern: entitlement.resourcePattern,
          payer_wallet_address: entitlement.payerWalletAddress,
          payer_network: entitlement.payerNetwork,
          tier: entitlement.tier,
          receipt_id: entitlement.receiptId,
          valid_until: entitlement.validUntil,
          created_at: entitlement.createdAt,
          given_tier: entitlement.receiptId === null ? entitlement.tier : null,
          given_until: entitlement.receiptId === null ? entitlement.validUntil : null,
        })
        .onConflict((conflict) =>
          conflict.columns(['profile_id', 'payer_wallet_address', 'payer_network', 'resource_pattern']).doUpdateSet({
            valid_until: theLater('valid_until'),
            tier: theLater('tier'),
            receipt_id: theLater('receipt_id'),
            created_at: sql<Date>`case when entitlements.revoked_at is null then least(entitlements.created_at, excluded.created_at)
              else excluded.created_at end`,
            revoked_at: null,
            given_tier: theLaterGiven('given_tier'),
            given_until: theLaterGiven('given_until'),
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      return toEntitlement(row)
    },
  }
}

async function listPatternsOfBuyers(db: Db, { profileId, buyers }: EntitlementBuyers) {
  if (buyers.length === 0 || !isText(...buyers)) return []
  const rows = await db
    .selectFrom('entitlements')
    .select(['resource_pattern', 'valid_until'])
    .where('profile_id', '=', profileId)
    .where('receipt_id', 'in', (query) =>
      query
        .selectFrom('payments')
        .select('payments.receipt_id')
        .where('payments.buyer', 'in', buyers)
        .where('payments.profile_id', '=', profileId),
    )
    .where(isActive)
    .execute()
  return rows.map((row) => ({
    resourcePattern: row.resource_pattern,
    validUntil: toDateOrNull(row.valid_until),
  }))
}

async function list(db: Db, { profileId, active, payerWalletAddress }: EntitlementQuery, request: PageRequest) {
  let all = db.selectFrom('entitlements').where('profile_id', '=', profileId)
  if (active) all = all.where(isActive)
  if (payerWalletAddress !== undefined) all = all.where('payer_wallet_address', '=', payerWalletAddress)
  const counted = all.select((query) => query.fn.countAll<string>().as('count'))
  const query = all.selectAll().select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('created_at', 'moment'), asc('id', 'uuid')],
    item: toEntitlementRecord,
    key: (one) => [one.createdAt.getTime(), one.id],
    counted,
  })
}

/** Returns the column of the existing or the new row, whichever ends later. */
const theLater = <Column extends 'valid_until' | 'tier' | 'receipt_id'>(column: Column) =>
  sql<Row<'entitlements'>[Column]>`case
    when entitlements.revoked_at is not null or entitlements.valid_until < coalesce(excluded.valid_until, 'infinity') then ${sql.ref(`excluded.${column}`)}
    else ${sql.ref(`entitlements.${column}`)} end`

/** The same for manual grants, whose end depends on the tier: null has no end only with a tier. */
const theLaterGiven = <Column extends 'given_tier' | 'given_until'>(column: Column) =>
  sql<Row<'entitlements'>[Column]>`case
    when entitlements.revoked_at is not null or entitlements.given_tier is null then ${sql.ref(`excluded.${column}`)}
    when excluded.given_tier is not null and entitlements.given_until < coalesce(excluded.given_until, 'infinity')
      then ${sql.ref(`excluded.${column}`)}
    else ${sql.ref(`entitlements.${column}`)} end`

/** Purchases of buyers. */
export function openPurchases(db: Db): OpenPurchaseReader {
  return {
    listOf: (owner, request) => listOwnPurchases(db, owner, request),

    getOf: (owner, receiptId) => getOwnPurchase(db, owner, receiptId),

    async list(buyers, limit) {
      if (buyers.length === 0 || !isText(...buyers)) return []
      const rows = await db
        .selectFrom('payments')
        .innerJoinLateral(
          (query) =>
            query
              .selectFrom('entitlements')
              .select(['entitlements.receipt_id', 'entitlements.valid_until'])
              .whereRef('entitlements.receipt_id', '=', 'payments.receipt_id')
              .where(isActive)
              .orderBy('entitlements.valid_until', (order) => order.desc().nullsFirst())
              .limit(1)
              .as('longest'),
          (join) => join.onTrue(),
        )
        .select(['longest.receipt_id', 'longest.valid_until', 'payments.purchase'])
        .where('payments.buyer', 'in', buyers)
        .orderBy('payments.created_at', 'desc')
        .orderBy('payments.id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        receiptId: String(row.receipt_id),
        purchase: row.purchase,
        validUntil: toDateOrNull(row.valid_until),
      }))
    },
  }
}

/** Entitlements from the view of sellers, who can revoke them. */
export function grants(db: Db): GrantStore {
  return {
    listLasting: (holder, since) => listLasting(db, holder, since),
    list: (query, page) => list(db, query, page),

    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db.selectFrom('entitlements').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toEntitlementRecord(row)
    },

    async listGivenByAccount(accountId) {
      if (!isUuid(accountId)) return []
      const rows = await db
        .selectFrom('entitlements')
        .innerJoin('profiles', 'profiles.id', 'entitlements.profile_id')
        .select('entitlements.id')
        .where('profiles.owner_account_id', '=', accountId)
        .where('entitlements.given_tier', 'is not', null)
        .where('entitlements.revoked_at', 'is', null)
        .orderBy('entitlements.id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async listGivenTo({ payerWalletAddress, payerNetwork }) {
      if (!isText(payerWalletAddress) || !isText(payerNetwork)) return []
      const rows = await db
        .selectFrom('entitlements')
        .select('id')
        .where('payer_wallet_address', '=', payerWalletAddress)
        .where('payer_network', '=', payerNetwork)
        .where('given_tier', 'is not', null)
        .where('revoked_at', 'is', null)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    revoke: (id, at) => revoke(db, id, at),

    revokeOfReceipt: (receiptId, at, resourcePattern) => revokeOfReceipt(db, receiptId, at, resourcePattern),
  }
}
