import type { PaymentDisputeStore } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { isText } from '../rows.ts'

/** Disputes of payments. */
export function disputes(db: Db): PaymentDisputeStore {
  return {
    async put({ receiptId, reference, state, updatedAt }) {
      if (!isText(receiptId, reference)) return undefined
      const receipt = await db
        .selectFrom('receipts')
        .select('receipt_id')
        .where('receipt_id', '=', receiptId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!receipt) return undefined
      const recorded = await db
        .insertInto('disputes')
        .values({ receipt_id: receiptId, reference, state, updated_at: updatedAt })
        .onConflict((conflict) =>
          conflict
            .columns(['receipt_id', 'reference'])
            .doUpdateSet({ state, updated_at: updatedAt })
            .where('disputes.state', '=', 'opened')
            .where((where) => where.val(state), '!=', 'opened'),
        )
        .returning('reference')
        .executeTakeFirst()
      if (!recorded) return undefined
      const open = await db
        .selectFrom('disputes')
        .select('reference')
        .where('receipt_id', '=', receiptId)
        .where('state', '=', 'opened')
        .limit(1)
        .executeTakeFirst()
      return { isDisputed: open !== undefined }
    },
  }
}
