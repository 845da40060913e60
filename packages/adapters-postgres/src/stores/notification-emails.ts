import type { NotificationStore } from '@eep/core/ports'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import { isUuid, toDate } from '../rows.ts'
import {
  countingActors,
  type NotificationDb,
  type NotificationTables,
  nameProfiles,
  toNotification,
} from './notification-rows.ts'

type EmailStore = Pick<NotificationStore, 'takeEmail' | 'endEmail' | 'takeDigest' | 'endDigest'>

/** Emails about single notifications, and digests. */
export function notificationEmails(db: NotificationDb): EmailStore {
  return {
    async takeEmail(now, { retryMs }) {
      const due = db
        .selectFrom('notifications')
        .select('id')
        .where('email_due_at', '<=', now)
        .where('read_at', 'is', null)
        .orderBy('email_due_at')
        .orderBy('position')
        .limit(1)
        .forUpdate()
        .skipLocked()
      const taken = await db
        .updateTable('notifications')
        .set({
          email_due_at: retryTime(now, retryMs, 'email_attempts'),
          email_attempts: sql<number>`email_attempts + 1`,
        })
        .where('id', '=', due)
        .returning(['id', 'email_due_at', 'email_attempts'])
        .executeTakeFirst()
      if (!taken?.email_due_at) return undefined
      const row = await countingActors(db).where('id', '=', taken.id).executeTakeFirstOrThrow()
      const [notification] = await nameProfiles(db, [toNotification(row)])
      return notification && { notification, attempt: taken.email_attempts, retryAt: toDate(taken.email_due_at) }
    },

    async endEmail(id, retryAt) {
      if (!isUuid(id)) return
      await db
        .updateTable('notifications')
        .set({ email_due_at: null })
        .where('id', '=', id)
        .where('email_due_at', '=', retryAt)
        .execute()
    },

    async takeDigest(now, { retryMs, limit }) {
      const due = db
        .selectFrom('notification_digests')
        .select('account_id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked()
      const taken = await db
        .updateTable('notification_digests')
        .set({ due_at: retryTime(now, retryMs, 'attempts'), attempts: sql<number>`attempts + 1` })
        .where('account_id', '=', due)
        .returning(['account_id', 'due_at', 'attempts'])
        .executeTakeFirst()
      if (!taken) return undefined
      const rows = await waitingFor(countingActors(db), taken.account_id)
        .orderBy('in_app')
        .orderBy(sql`case when in_app then -position else position end`)
        .limit(limit)
        .execute()
      const all = await waitingFor(db.selectFrom('notifications'), taken.account_id)
        .select(({ fn }) => [
          fn.countAll<string>().filterWhere('in_app', '=', true).as('listed'),
          fn.countAll<string>().filterWhere('in_app', '=', false).as('unlisted'),
          fn.max('position').as('upTo'),
        ])
        .executeTakeFirstOrThrow()
      return {
        accountId: taken.account_id,
        items: await nameProfiles(db, rows.map(toNotification)),
        waiting: { listed: Number(all.listed), unlisted: Number(all.unlisted) },
        upTo: Number(all.upTo ?? 0),
        attempt: taken.attempts,
        retryAt: toDate(taken.due_at),
      }
    },

    async endDigest({ accountId, upTo, retryAt }, unlistedIds, nextAt) {
      if (!isUuid(accountId)) return
      const ended = await db
        .updateTable('notification_digests')
        .set({ due_at: nextAt, attempts: 0 })
        .where('account_id', '=', accountId)
        .where('due_at', '=', retryAt)
        .executeTakeFirst()
      if (ended.numUpdatedRows === 0n) return
      await db
        .updateTable('notifications')
        .set({ in_digest: false })
        .where('account_id', '=', accountId)
        .where('in_digest', '=', true)
        .where((query) =>
          query.or([
            query.and([query('in_app', '=', true), query('position', '<=', upTo)]),
            query('id', '=', sql<string>`any(${unlistedIds.filter(isUuid)}::uuid[])`),
            query('read_at', 'is not', null),
          ]),
        )
        .execute()
      const waiting = db.selectFrom('notifications').select('id').where('account_id', '=', accountId)
      await db
        .deleteFrom('notification_digests')
        .where('account_id', '=', accountId)
        .where((query) => query.not(query.exists(waiting.where('in_digest', '=', true))))
        .execute()
    },
  }
}

/** The time of the next attempt of an email. Each attempt doubles the delay. */
const retryTime = (now: Date, retryMs: number, attempts: 'attempts' | 'email_attempts') =>
  sql<Date>`${now}::timestamptz
    + ${String(retryMs)}::text::float8 * power(2, ${sql.ref(attempts)}) * interval '1 millisecond'`

/** Selects pending notifications of the digest of an account. */
const waitingFor = <Row>(
  query: SelectQueryBuilder<Database & NotificationTables, 'notifications', Row>,
  accountId: string,
) => query.where('account_id', '=', accountId).where('in_digest', '=', true).where('read_at', 'is', null)
