import type { RefundClaim } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { databaseNow, isText, toDate } from '../rows.ts'

const toRefundClaim = (row: Row<'refund_claims'>): RefundClaim => ({
  receiptId: row.receipt_id,
  reference: row.reference,
  reason: row.reason,
  claimedAt: toDate(row.claimed_at),
  claimedBy: row.claimed_by,
})

export async function getRefundClaim(db: Db, receiptId: string): Promise<RefundClaim | undefined> {
  if (!isText(receiptId)) return undefined
  const row = await db.selectFrom('refund_claims').selectAll().where('receipt_id', '=', receiptId).executeTakeFirst()
  return row && toRefundClaim(row)
}

export async function claimRefund(db: Db, claim: RefundClaim): Promise<RefundClaim | undefined> {
  if (!isText(claim.receiptId)) return undefined
  // Refunds lock the receipt too, so that no claim remains next to a refund.
  const receipt = await db
    .selectFrom('receipts')
    .select('receipt_id')
    .where('receipt_id', '=', claim.receiptId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const refund =
    receipt &&
    (await db.selectFrom('refunds').select('receipt_id').where('receipt_id', '=', claim.receiptId).executeTakeFirst())
  if (!receipt || refund) return undefined
  const values = {
    reference: claim.reference,
    reason: claim.reason,
    claimed_at: claim.claimedAt,
    claimed_by: claim.claimedBy,
    check_at: databaseNow,
  }
  const row = await db
    .insertInto('refund_claims')
    .values({ receipt_id: claim.receiptId, ...values })
    .onConflict((conflict) => conflict.column('receipt_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRefundClaim(row)
}

export async function takeRefundClaims(db: Db, limit: number): Promise<readonly RefundClaim[]> {
  const due = db
    .selectFrom('refund_claims')
    .select('receipt_id')
    .where('check_at', '<=', databaseNow)
    .orderBy('check_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const rows = await db
    .updateTable('refund_claims')
    // Older claims are checked less often: after a day about every two hours.
    .set({ check_at: sql<Date>`${databaseNow} + interval '1 minute' + (${databaseNow} - claimed_at) / 10` })
    .where('receipt_id', 'in', due)
    .returningAll()
    .execute()
  return rows.map(toRefundClaim)
}

export async function dropRefundClaim(db: Db, receiptId: string, reference: string): Promise<boolean> {
  if (!isText(receiptId, reference)) return false
  const { numDeletedRows } = await db
    .deleteFrom('refund_claims')
    .where('receipt_id', '=', receiptId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
