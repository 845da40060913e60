import type { AccountProofs } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isUuid, toDate } from '../rows.ts'

/** How many of the latest payments count. */
const MAX_RECEIPTS = 20

/** What the records of many accounts prove, in one query; each fact is found by an index. */
export async function listProofs(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountProofs>> {
  const ids = accountIds.filter(isUuid)
  if (ids.length === 0) return new Map()
  // Receipts outlive accounts, so their columns are text.
  const accountId = sql<string>`accounts.id::text`
  const rows = await db
    .selectFrom('accounts')
    .where(sql<boolean>`accounts.id = any(${`{${ids.join()}}`}::text::uuid[])`)
    .select(['accounts.id', 'accounts.email_verified', 'accounts.created_at'])
    .select(({ exists, selectFrom }) => [
      // With `exists`, the planner may read whole tables for a hash of all accounts.
      selectFrom('wallets')
        .select('wallets.id')
        .whereRef('wallets.account_id', '=', 'accounts.id')
        .limit(1)
        .as('wallet_id'),
      selectFrom('identities')
        .select('identities.subject')
        .whereRef('identities.account_id', '=', 'accounts.id')
        .where('identities.provider', '!=', 'host')
        .limit(1)
        .as('provider_subject'),
      exists(
        selectFrom((from) =>
          from
            .selectFrom('receipts')
            .select(['receipts.receipt_id', 'receipts.seller_account_id'])
            .where('receipts.payer_account_id', '=', accountId)
            .orderBy('receipts.issued_at', 'desc')
            .orderBy('receipts.receipt_id')
            .limit(MAX_RECEIPTS)
            .as('paid'),
        )
          .select('paid.receipt_id')
          .where('paid.seller_account_id', 'is distinct from', accountId)
          .where(({ not, exists: isThere, selectFrom: from }) =>
            not(
              isThere(
                from('refunds').select('refunds.receipt_id').whereRef('refunds.receipt_id', '=', 'paid.receipt_id'),
              ),
            ),
          ),
      ).as('has_paid'),
    ])
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        emailVerified: row.email_verified,
        accountCreatedAt: toDate(row.created_at),
        walletLinked: row.wallet_id !== null,
        providerLinked: row.provider_subject !== null,
        hasPaid: Boolean(row.has_paid),
      },
    ]),
  )
}
