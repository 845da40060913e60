import type { SubscriptionStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'

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
      return deleteSelected(db, 'billing_messages', ['processor', 'id'], (rows) =>
        rows.where('seen_at', '<', before).orderBy('seen_at').limit(limit),
      )
    },
  }
}
