import type { WebhookAttempt, WebhookHealth, WebhookStore } from '@eep/core/ports'
import { sql } from 'kysely'
import { desc, listPage } from '../list-page.ts'
import { databaseNow, fromNow, toNumberOrNull } from '../rows.ts'
import { storable } from '../search/storable.ts'
import { firstDue, lockWebhook } from './webhook-queue.ts'
import { OPEN, RUNNING, text, toAttempt, toWebhook, type WebhookDb } from './webhook-rows.ts'

/** Leases of webhooks, and the attempts to deliver to them. */
export function webhookDeliveries(
  db: WebhookDb,
): Pick<WebhookStore, 'isDue' | 'claim' | 'hold' | 'report' | 'release' | 'listAttempts' | 'getHealth'> {
  const dueAt = (now: Date) =>
    db
      .selectFrom('webhooks')
      .innerJoin('accounts', 'accounts.id', 'webhooks.account_id')
      .select('webhooks.id')
      .where('webhooks.status', 'in', ['active', 'pending_verification'])
      .where('webhooks.due_at', '<=', now)
      .where((where) => where.or([where('webhooks.not_before', 'is', null), where('webhooks.not_before', '<=', now)]))
      .where((where) =>
        where.or([where('webhooks.lease_until', 'is', null), where('webhooks.lease_until', '<=', databaseNow)]),
      )
      .where('accounts.banned_at', 'is', null)
      .where('accounts.deletion_scheduled_at', 'is', null)

  return {
    async isDue(now) {
      return (await dueAt(now).limit(1).executeTakeFirst()) !== undefined
    },

    async claim(holder, { now, limit, leaseMs }) {
      const due = dueAt(now).orderBy('webhooks.due_at').limit(limit).forNoKeyUpdate('webhooks').skipLocked()
      const rows = await db
        .updateTable('webhooks')
        .set({ holder, lease_until: fromNow(leaseMs) })
        .where('id', 'in', due)
        .returningAll()
        .execute()
      return rows.map(toWebhook)
    },

    async hold({ webhookId, holder }, leaseMs) {
      const { numUpdatedRows } = await db
        .updateTable('webhooks')
        .set({ holder, lease_until: fromNow(leaseMs) })
        .where('id', '=', text(webhookId))
        .where('status', 'in', OPEN)
        .where((where) =>
          where.or([
            where('holder', '=', holder),
            where('lease_until', 'is', null),
            where('lease_until', '<=', databaseNow),
          ]),
        )
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async report({ webhookId: id, holder }, { attempts, settled, dropped, retried, failures, notBefore }, leaseMs) {
      const held = await db
        .selectFrom('webhooks')
        .select('id')
        .where('id', '=', text(id))
        .where('holder', '=', holder)
        .where('status', 'in', RUNNING)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!held) return undefined
      if (attempts.length > 0) await insertAttempts(db, id, attempts)
      let done = 0n
      const waiting = { id: (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[]::uuid[])` }
      if (settled.length > 0) {
        const { numUpdatedRows } = await db
          .updateTable('webhook_deliveries')
          .set({ settled_at: databaseNow })
          .where('webhook_id', '=', id)
          .where('id', '=', waiting.id(settled))
          .where('settled_at', 'is', null)
          .executeTakeFirst()
        done += numUpdatedRows
      }
      if (dropped.length > 0) {
        const { numDeletedRows } = await db
          .deleteFrom('webhook_deliveries')
          .where('webhook_id', '=', id)
          .where('id', '=', waiting.id(dropped))
          .where('settled_at', 'is', null)
          .executeTakeFirst()
        done += numDeletedRows
      }
      if (retried && retried.ids.length > 0) {
        await db
          .updateTable('webhook_deliveries')
          .set({ attempts: sql<number>`attempts + 1`, due_at: retried.at })
          .where('webhook_id', '=', id)
          .where('id', '=', waiting.id(retried.ids))
          .where('settled_at', 'is', null)
          .execute()
      }
      const row = await db
        .updateTable('webhooks')
        .set({
          pending: sql<number>`pending - ${Number(done)}::integer`,
          lease_until: fromNow(leaseMs),
          ...(notBefore && { not_before: notBefore }),
          ...(failures === 'reset' && { failure_count: 0 }),
          ...(failures === 'raise' && { failure_count: sql<number>`failure_count + 1` }),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return toWebhook(row)
    },

    async release({ webhookId, holder }, notBefore) {
      const id = text(webhookId)
      await lockWebhook(db, id)
      const due = firstDue(db, id)
      await db
        .updateTable('webhooks')
        .set({
          holder: null,
          lease_until: null,
          // A batch may have become full meanwhile.
          due_at:
            notBefore === undefined
              ? due
              : sql<Date | null>`case
                  when pending >= max_batch_size and max_batch_size > 1 then ${due}
                  else greatest(${due}, ${notBefore}::timestamptz)
                end`,
        })
        .where('id', '=', id)
        .where('holder', '=', holder)
        // An unverified webhook stays due until it is verified.
        .where('status', '!=', 'pending_verification')
        .execute()
    },

    async listAttempts(id, request) {
      const own = db.selectFrom('webhook_attempts').where('webhook_id', '=', text(id))
      const counted = own.select((query) => query.fn.countAll<string>().as('count'))
      const page = await listPage(own.selectAll().select(counted.as('total')), request, {
        order: [desc('id', 'number')],
        item: (row) => ({ key: Number(row.id), attempt: toAttempt(row) }),
        key: ({ key }) => [key],
        counted,
      })
      return { ...page, items: page.items.map(({ attempt }) => attempt) }
    },

    getHealth: (id, since) => getHealth(db, id, since),
  }
}

async function getHealth(db: WebhookDb, id: string, since: Date): Promise<WebhookHealth> {
  const own = db.selectFrom('webhook_attempts').where('webhook_id', '=', text(id)).where('at', '>=', since)
  const figures = await own
    .select([
      sql<string>`count(*) filter (where outcome = 'delivered')`.as('delivered'),
      sql<string>`count(*) filter (where outcome <> 'delivered')`.as('failed'),
      sql<number | string | null>`percentile_disc(0.95) within group (order by response_time_ms)
        filter (where status_code is not null)`.as('p95'),
    ])
    .executeTakeFirstOrThrow()
  const last = await own
    .selectAll()
    .where('outcome', '!=', 'delivered')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    delivered: Number(figures.delivered),
    failed: Number(figures.failed),
    p95Ms: toNumberOrNull(figures.p95),
    lastFailure: last ? toAttempt(last) : null,
  }
}

async function insertAttempts(db: WebhookDb, id: string, attempts: readonly WebhookAttempt[]): Promise<void> {
  await db
    .insertInto('webhook_attempts')
    .values(
      attempts.map((attempt) => ({
        webhook_id: id,
        cursor: attempt.cursor,
        attempt: attempt.attempt,
        at: attempt.at,
        status_code: attempt.statusCode,
        response_time_ms: attempt.responseTimeMs,
        outcome: attempt.outcome,
        error: attempt.error,
        retry_after: attempt.retryAfter && storable(attempt.retryAfter),
      })),
    )
    .execute()
}
