import { accountHolder, type EntitlementHolder, type LastingPurchase } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { toDate } from '../rows.ts'

/** Selects lasting purchases of a holder at a profile without refunded ones, oldest first. */
export async function listLasting(
  db: Db,
  { profileId, payerWalletAddress, payerNetwork }: EntitlementHolder,
  since: Date,
): Promise<readonly LastingPurchase[]> {
  // Receipts have addresses as they were sent, and entitlements have them in lower case.
  const wallet = sql<string>`case when receipts.payer_wallet_address ilike '0x%'
    then lower(receipts.payer_wallet_address) else receipts.payer_wallet_address end`
  const rows = await db
    .selectFrom('receipts')
    .innerJoin('payments', 'payments.receipt_id', 'receipts.receipt_id')
    .select(['receipts.receipt_id', 'receipts.issued_at', 'payments.purchase'])
    .where('receipts.profile_id', '=', profileId)
    .where('payments.profile_id', '=', profileId)
    .where('receipts.per', '!=', 'request')
    .where('receipts.issued_at', '>=', since)
    .where((where) =>
      where.or([
        where.and([where(wallet, '=', payerWalletAddress), where('receipts.payer_network', '=', payerNetwork)]),
        where('receipts.payer_did', '=', payerWalletAddress),
        where.and([
          where('receipts.payer_account_id', '=', payerWalletAddress),
          where(sql`${payerNetwork}::text`, '=', accountHolder('').payerNetwork),
        ]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refunds').select('refunds.receipt_id').whereRef('refunds.receipt_id', '=', 'receipts.receipt_id'),
        ),
      ),
    )
    .orderBy('receipts.issued_at')
    .orderBy('receipts.receipt_id')
    .execute()
  return rows.map((row) => ({ receiptId: row.receipt_id, issuedAt: toDate(row.issued_at), purchase: row.purchase }))
}
