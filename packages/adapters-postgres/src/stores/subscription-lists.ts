import type { Batch, SubscriptionReader } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isText } from '../rows.ts'
import { remindersOf } from './subscription-reminders.ts'
import { isLive, toCheckout, toSubscription } from './subscription-rows.ts'

/** Lists that background work reads in batches. */
export function subscriptionLists(
  db: Db,
): Pick<SubscriptionReader, 'listDue' | 'listLeaving' | 'listTrialsEnding' | 'listCheckouts'> {
  const live = (processor: string, { limit, after }: Batch) =>
    db
      .selectFrom('subscriptions')
      .selectAll('subscriptions')
      .where('processor', '=', processor)
      .where(isLive)
      .$if(after !== undefined, (query) => query.where('subscriptions.id', '>', after as string))
      .orderBy('subscriptions.id')
      .limit(limit)

  return {
    async listDue(processor, at, batch) {
      if (!isText(processor)) return []
      const rows = await live(processor, batch).where('current_period_end', '<=', at).execute()
      return rows.map(toSubscription)
    },

    async listLeaving(processor, batch) {
      if (!isText(processor)) return []
      const rows = await live(processor, batch)
        .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
        .where('accounts.deletion_scheduled_at', 'is not', null)
        .where('cancel_at_period_end', '=', sql<boolean>`false`)
        .execute()
      return rows.map(toSubscription)
    },

    async listTrialsEnding(processor, { from, to }, batch) {
      if (!isText(processor)) return []
      const rows = await live(processor, batch)
        .where('status', '=', 'trialing')
        .where('cancel_at_period_end', '=', false)
        .where('trial_end', '>', from)
        .where('trial_end', '<=', to)
        .where((query) => query.not(query.exists(remindersOf(query, 'trial_end'))))
        .execute()
      return rows.map(toSubscription)
    },

    async listCheckouts(processor, before, { limit, after }) {
      if (!isText(processor)) return []
      const rows = await db
        .selectFrom('subscription_checkouts')
        .selectAll()
        .where('processor', '=', processor)
        .where('created_at', '<', before)
        .$if(after !== undefined, (query) => query.where('account_id', '>', after as string))
        .orderBy('account_id')
        .limit(limit)
        .execute()
      return rows.map(toCheckout)
    },
  }
}
