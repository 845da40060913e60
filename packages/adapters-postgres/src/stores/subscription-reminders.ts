import type { ExpressionBuilder } from 'kysely'
import type { Database, Db } from '../database.ts'

/** The reminders of the end of a subscription that is in one of its columns. */
export const remindersOf = (
  { selectFrom }: Pick<ExpressionBuilder<Database, 'subscriptions'>, 'selectFrom'>,
  end: 'current_period_end' | 'trial_end',
) =>
  selectFrom('subscription_reminders')
    .select('days')
    .whereRef('subscription_id', '=', 'subscriptions.id')
    .whereRef('ends_at', '=', `subscriptions.${end}`)

/** Stores the reminder of an end. Exactly one of concurrent callers gets true. */
export async function storeReminder(db: Db, subscriptionId: string, endsAt: Date, days: number): Promise<boolean> {
  const row = await db
    .insertInto('subscription_reminders')
    .values({ subscription_id: subscriptionId, ends_at: endsAt, days })
    .onConflict((conflict) => conflict.doNothing())
    .returning('days')
    .executeTakeFirst()
  return row !== undefined
}
