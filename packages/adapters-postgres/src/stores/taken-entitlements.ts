import type { Entitlement, EntitlementRecord, TakenEntitlement } from '@eep/core/ports'
import type { Updateable } from 'kysely'
import type { Database, Db, Row } from '../database.ts'
import { isText, isUuid, toDate, toDateOrNull } from '../rows.ts'

export const toEntitlement = (row: Row<'entitlements'>): Entitlement => ({
  id: row.id,
  profileId: Number(row.profile_id),
  resourcePattern: row.resource_pattern,
  payerWalletAddress: row.payer_wallet_address,
  payerNetwork: row.payer_network,
  tier: row.tier,
  receiptId: row.receipt_id,
  validUntil: toDateOrNull(row.valid_until),
  createdAt: toDate(row.created_at),
})

export const toEntitlementRecord = (row: Row<'entitlements'>): EntitlementRecord => ({
  ...toEntitlement(row),
  revokedAt: toDateOrNull(row.revoked_at),
})

/** Entitlements that are not revoked, locked until the transaction ends. */
const held = (db: Db) => db.selectFrom('entitlements').selectAll().where('revoked_at', 'is', null).forUpdate()

const NOTHING_GIVEN = { given_tier: null, given_until: null } as const

/** Changes an entitlement that is not revoked, and returns it. */
const change = (db: Db, id: string, changes: Updateable<Database['entitlements']>) =>
  db.updateTable('entitlements').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

async function takeAll(db: Db, row: Row<'entitlements'>, at: Date): Promise<TakenEntitlement> {
  const revoked = await change(db, row.id, { revoked_at: at, ...NOTHING_GIVEN })
  return { taken: toEntitlementRecord(revoked), left: null }
}

/** Revokes the manual grant of an entitlement, or all of it when it has none. */
export async function revoke(db: Db, id: string, at: Date): Promise<TakenEntitlement | undefined> {
  if (!isUuid(id)) return undefined
  const row = await held(db).where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { given_tier: tier, given_until: validUntil, receipt_id: receiptId } = row
  if (tier === null || receiptId === null) return takeAll(db, row, at)
  const left = toEntitlement(await change(db, id, NOTHING_GIVEN))
  return { taken: { ...left, tier, receiptId: null, validUntil: toDateOrNull(validUntil), revokedAt: at }, left }
}

/** Revokes what a receipt granted. Manual grants that have not expired remain. */
export async function revokeOfReceipt(
  db: Db,
  receiptId: string,
  at: Date,
  resourcePattern?: string,
): Promise<readonly TakenEntitlement[]> {
  if (!isText(receiptId)) return []
  const taken: TakenEntitlement[] = []
  const given = held(db).where('receipt_id', '=', receiptId)
  const rows = resourcePattern === undefined ? given : given.where('resource_pattern', '=', resourcePattern)
  for (const row of await rows.orderBy('id').execute()) {
    const { given_tier: tier, given_until: until } = row
    const end = toDateOrNull(until)
    if (tier === null || (end !== null && end <= at)) {
      taken.push(await takeAll(db, row, at))
      continue
    }
    const left = await change(db, row.id, { tier, valid_until: until, receipt_id: null })
    taken.push({ taken: { ...toEntitlement(row), revokedAt: at }, left: toEntitlement(left) })
  }
  return taken
}
