import type { SubscriptionStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Records of webhook messages of processors, so that each is processed once. */
export function billingMessages(db: Db): Pick<SubscriptionStore, 'beginMessage' | 'endMessage' | 'deleteMessages'> {
  const note = async (processor: string, id: string, state: 'processing' | 'done', at: Date) => {
    const row = await db
      .insertInto('billing_messages')
      .values({ processor, id, state, seen_at: at })
      .onConflict((conflict) =>
        conflict
          .columns(['processor', 'id'])
          .doUpdateSet({
            state,
            seen_at: at,
            ...(state === 'processing' && { tries: sql<number>`billing_messages.tries + 1` }),
          })
          .where('billing_messages.state', '=', 'processing'),
      )
      .returning('id')
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    beginMessage: (processor, id, at) => note(processor, id, 'processing', at),
    endMessage: (processor, id, at) => note(processor, id, 'done', at),

    async deleteMessages(before, limit) {
      const old = db
        .selectFrom('billing_messages')
        .select(['processor', 'id'])
        .where('seen_at', '<', before)
        .orderBy('seen_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()
      const { numDeletedRows } = await db
        .deleteFrom('billing_messages')
        .where(sql<boolean>`(processor, id) in ${old}`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
