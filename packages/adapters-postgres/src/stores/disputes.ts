import type { PaymentDisputeStore } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { isText } from '../rows.ts'

/** Disputes of payments. */
export function disputes(db: Db): PaymentDisputeStore {
  return {
    async put({ receiptId, reference, state, isAppeal = false, updatedAt }) {
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
            .where('disputes.state', '!=', state)
            .where(({ and, eb, or, val }) =>
              or([
                and([eb('disputes.state', '=', 'opened'), eb('disputes.updated_at', '<=', updatedAt)]),
                and([
                  eb('disputes.state', '!=', 'opened'),
                  eb('disputes.updated_at', '<', updatedAt),
                  val(isAppeal || state !== 'opened'),
                ]),
              ]),
            ),
        )
        .returning('reference')
        .executeTakeFirst()
      if (!recorded) {
        const known = await db
          .selectFrom('disputes')
          .select('state')
          .where('receipt_id', '=', receiptId)
          .where('reference', '=', reference)
          .executeTakeFirst()
        if (known?.state !== state) return undefined
      }
      const open = await db
        .selectFrom('disputes')
        .select('reference')
        .where('receipt_id', '=', receiptId)
        .where('state', '=', 'opened')
        .limit(1)
        .executeTakeFirst()
      return { isNew: recorded !== undefined, isDisputed: open !== undefined }
    },
  }
}
