import type { Entitlement, EntitlementHolder, EntitlementStore } from '@eep/core/ports'
import { type CompiledQuery, sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { databaseNow, toDate, toDateOrNull } from '../rows.ts'

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
        .where((where) => where.or([where('valid_until', 'is', null), where('valid_until', '>', databaseNow)]))
        .selectAll()
        .orderBy('created_at')
        .orderBy('resource_pattern')
        .execute()
      return rows.map(toEntitlement)
    },

    async listActivePatterns(holder) {
      // Compiled once, and the time told and not asked for: writing the SQL anew and planning a condition more take as
      // long as the answer.
      patternsQuery ??= heldBy(db, holder)
        .select(['resource_pattern', sql`valid_until <= statement_timestamp()`.as('is_over')])
        .compile()
      const parameters = [holder.profileId, holder.payerWalletAddress, holder.payerNetwork]
      const { rows } = await db.executeQuery<{ resource_pattern: string; is_over: boolean | null }>({
        ...patternsQuery,
        parameters,
      })
      return rows.filter((row) => !row.is_over).map((row) => row.resource_pattern)
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
        })
        .onConflict((conflict) =>
          conflict.columns(['profile_id', 'payer_wallet_address', 'payer_network', 'resource_pattern']).doUpdateSet({
            valid_until: theLater('valid_until'),
            tier: theLater('tier'),
            receipt_id: theLater('receipt_id'),
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      return toEntitlement(row)
    },
  }
}

/** The column of whichever ends later: the row that is held already, or the one that was to be inserted. */
const theLater = <Column extends 'valid_until' | 'tier' | 'receipt_id'>(column: Column) =>
  sql<Row<'entitlements'>[Column]>`case
    when entitlements.valid_until < coalesce(excluded.valid_until, 'infinity') then ${sql.ref(`excluded.${column}`)}
    else ${sql.ref(`entitlements.${column}`)} end`

const toEntitlement = (row: Row<'entitlements'>): Entitlement => ({
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
