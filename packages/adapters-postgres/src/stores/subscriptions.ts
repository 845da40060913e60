import type { Subscription, SubscriptionStore } from '@eep/core/ports'
import type { Db } from '../database.ts'
import { isText, isUuid, keepAccount, unlessTaken } from '../rows.ts'
import { billingMessages } from './billing-messages.ts'
import { subscriptionLeases } from './subscription-leases.ts'
import { subscriptionLists } from './subscription-lists.ts'
import { storeReminder } from './subscription-reminders.ts'
import { isLive, toCheckout, toCheckoutRow, toSubscription } from './subscription-rows.ts'

export function subscriptions(db: Db): SubscriptionStore {
  const get = async (processor: string, processorSubscriptionId: string) => {
    if (!isText(processor, processorSubscriptionId)) return undefined
    const row = await db
      .selectFrom('subscriptions')
      .selectAll()
      .where('processor', '=', processor)
      .where('processor_subscription_id', '=', processorSubscriptionId)
      .executeTakeFirst()
    return row && toSubscription(row)
  }

  return {
    get,
    ...subscriptionLists(db),
    ...subscriptionLeases(db),
    ...billingMessages(db),

    async getLive(accountId) {
      if (!isUuid(accountId)) return undefined
      const row = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(isLive)
        .executeTakeFirst()
      return row && toSubscription(row)
    },

    async getCheckout(accountId) {
      if (!isUuid(accountId)) return undefined
      const row = await db
        .selectFrom('subscription_checkouts')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row && toCheckout(row)
    },

    async getCustomer(accountId, processor, currency) {
      if (!isUuid(accountId) || !isText(processor, currency)) return undefined
      const row = await db
        .selectFrom('subscriptions')
        .select('processor_customer_id')
        .where('account_id', '=', accountId)
        .where('processor', '=', processor)
        .where('currency', '=', currency)
        .where('processor_customer_id', 'is not', null)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.processor_customer_id ?? undefined
    },

    async listCustomers(accountId, processor) {
      if (!isUuid(accountId) || !isText(processor)) return []
      const rows = await db
        .selectFrom('subscriptions')
        .select('processor_customer_id')
        .where('account_id', '=', accountId)
        .where('processor', '=', processor)
        .where('processor_customer_id', 'is not', null)
        .groupBy('processor_customer_id')
        .orderBy((eb) => eb.fn.max('created_at'), 'desc')
        .orderBy('processor_customer_id')
        .execute()
      return rows.flatMap((row) => row.processor_customer_id ?? [])
    },

    async getAccountOf(processor, customerId) {
      if (!isText(processor, customerId)) return undefined
      const row = await db
        .selectFrom('subscriptions')
        .select('account_id')
        .where('processor', '=', processor)
        .where('processor_customer_id', '=', customerId)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.account_id
    },

    async put(subscription) {
      if (!(await keepAccount(db, subscription.accountId))) return undefined
      const { processor, processorSubscriptionId } = subscription
      const written = await unlessTaken(db, async () => ({ row: await write(db, subscription) }))
      if (!written) return undefined
      return written.row ? toSubscription(written.row) : get(processor, processorSubscriptionId)
    },

    async claimTrialReminder(subscriptionId, trialEnd, days) {
      if (!isUuid(subscriptionId)) return false
      const trial = await db
        .selectFrom('subscriptions')
        .select('id')
        .where('id', '=', subscriptionId)
        .where('status', '=', 'trialing')
        .where('cancel_at_period_end', '=', false)
        .where('trial_end', '=', trialEnd)
        .forKeyShare()
        .executeTakeFirst()
      return trial !== undefined && storeReminder(db, subscriptionId, trialEnd, days)
    },

    async putCheckout(checkout) {
      if (!(await keepAccount(db, checkout.accountId))) return false
      const { account_id, ...columns } = toCheckoutRow(checkout)
      await db
        .insertInto('subscription_checkouts')
        .values({ account_id, ...columns })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
        .execute()
      return true
    },

    async deleteCheckout(accountId, attempt) {
      await db
        .deleteFrom('subscription_checkouts')
        .where('account_id', '=', accountId)
        .where('attempt', '=', attempt)
        .execute()
    },

    async eraseAccount({ id }) {
      for (const table of ['subscription_checkouts', 'subscription_leases', 'paid_years', 'subscriptions'] as const) {
        await db.deleteFrom(table).where('account_id', '=', id).execute()
      }
    },
  }
}

/** Undefined when the stored subscription has already ended; it is not changed then. */
const write = (db: Db, one: Subscription) =>
  db
    .insertInto('subscriptions')
    .values({
      id: one.id,
      account_id: one.accountId,
      processor: one.processor,
      processor_subscription_id: one.processorSubscriptionId,
      currency: one.currency,
      created_at: one.createdAt,
      ...changing(one),
    })
    .onConflict((conflict) =>
      conflict.columns(['processor', 'processor_subscription_id']).doUpdateSet(changing(one)).where(isLive),
    )
    .returningAll()
    .executeTakeFirst()

const changing = (one: Subscription) => ({
  tier: one.tier,
  price_at_creation_cents: one.priceAtCreationCents,
  next_tier: one.nextTier,
  next_price_cents: one.nextPriceCents,
  processor_customer_id: one.processorCustomerId,
  status: one.status,
  trial_end: one.trialEnd,
  current_period_end: one.currentPeriodEnd,
  cancel_at_period_end: one.cancelAtPeriodEnd,
  canceled_at: one.canceledAt,
  updated_at: one.updatedAt,
})
