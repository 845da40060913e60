import type { NotificationScope, NotificationStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { isUuid, keepAccount } from '../rows.ts'
import { addNotifications } from './add-notifications.ts'
import { notificationEmails } from './notification-emails.ts'
import {
  actorCount,
  type NotificationDb,
  type NotificationTables,
  nameProfiles,
  toNotification,
} from './notification-rows.ts'

/** Notifications and preferences of accounts. */
export function notifications(database: Db): NotificationStore {
  const db: NotificationDb = database.withTables<NotificationTables>()
  return {
    async list(scope, { kinds, unread = false }, request) {
      const theirs = listed(db, scope, kinds).$if(unread, (query) => query.where('read_at', 'is', null))
      const counted = theirs.select((query) => query.fn.countAll<string>().as('count'))
      const query = theirs.selectAll('notifications').select(actorCount).select(counted.as('total'))
      const page = await listPage(query, request, {
        order: [desc('notifications.position', 'number')],
        item: toNotification,
        key: ({ position }) => [position],
        counted,
      })
      return { ...page, items: await nameProfiles(db, page.items) }
    },

    async countUnread(scope, kinds) {
      const row = await listed(db, scope, kinds)
        .where('read_at', 'is', null)
        .select((query) => query.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    async listPreferences(accountIds) {
      const rows = await db
        .selectFrom('notification_preferences')
        .selectAll()
        .where('account_id', '=', sql<string>`any(${accountIds.filter(isUuid)}::uuid[])`)
        .execute()
      return rows.map((row) => ({ accountId: row.account_id, kind: row.kind, inApp: row.in_app, email: row.email }))
    },

    add: (items) => addNotifications(db, items),

    async markRead({ accountId, profileId, withAccount }, at, ids) {
      if (!isUuid(accountId)) return 0
      const { numUpdatedRows } = await db
        .updateTable('notifications')
        .set({ read_at: at })
        .where('account_id', '=', accountId)
        .where('in_app', '=', true)
        .where('read_at', 'is', null)
        .where((query) =>
          query.or([
            query('profile_id', '=', profileId),
            query.and([query.val(withAccount), query('profile_id', 'is', null)]),
          ]),
        )
        .$if(ids !== undefined, (query) =>
          query.where('id', '=', sql<string>`any(${(ids ?? []).filter(isUuid)}::uuid[])`),
        )
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    async putPreferences(accountId, preferences) {
      if (!(await keepAccount(database, accountId))) return false
      for (const { kind, inApp, email } of preferences) {
        await db
          .insertInto('notification_preferences')
          .values({ account_id: accountId, kind, in_app: inApp, email })
          .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet({ in_app: inApp, email }))
          .execute()
      }
      return true
    },

    ...notificationEmails(db),

    async prune(before, limit) {
      return deleteSelected(db, 'notifications', ['id'], (rows) =>
        rows.where('updated_at', '<', before).orderBy('updated_at').limit(limit),
      )
    },

    async eraseAccount({ id, profileIds }) {
      await db.deleteFrom('notifications').where('account_id', '=', id).execute()
      await db.deleteFrom('notification_preferences').where('account_id', '=', id).execute()
      await db.deleteFrom('notification_digests').where('account_id', '=', id).execute()
      await db
        .updateTable('notifications')
        .set({ through: null, through_account_id: null })
        .where('through_account_id', '=', id)
        .execute()
      const theirs = sql<number>`any(${profileIds}::bigint[])`
      await db.deleteFrom('notifications').where('about_profile_id', '=', theirs).execute()
      await db.deleteFrom('notification_actors').where('profile_id', '=', theirs).execute()
    },
  }
}

/** Selects the listed notifications of a profile and an account. */
const listed = (
  db: NotificationDb,
  { accountId, profileId, withAccount }: NotificationScope,
  kinds: readonly string[],
) =>
  db
    .selectFrom('notifications')
    .where('in_app', '=', true)
    .where('account_id', '=', sql<string>`${isUuid(accountId) ? accountId : null}::uuid`)
    .where('kind', '=', sql<string>`any(${kinds}::text[])`)
    .where((query) =>
      query.or([
        query('notifications.profile_id', '=', profileId),
        query.and([query.val(withAccount), query('notifications.profile_id', 'is', null)]),
      ]),
    )
    .where((query) =>
      query.or([
        query('has_actors', '=', false),
        query.exists(
          query
            .selectFrom('notification_actors')
            .select('notification_actors.profile_id')
            .whereRef('notification_id', '=', 'notifications.id'),
        ),
      ]),
    )
