import type { AddedNotification, NewNotification } from '@eep/core/ports'
import { sql } from 'kysely'
import { isUuid, json } from '../rows.ts'
import type { NotificationDb } from './notification-rows.ts'

/** Adds notifications, each to the unread one of its group if there is one. Skips those whose account or profiles do not exist. */
export async function addNotifications(
  db: NotificationDb,
  items: readonly NewNotification[],
): Promise<readonly AddedNotification[]> {
  const added: AddedNotification[] = []
  for (const item of await whatExists(db, items)) added.push(await addOne(db, item))
  return added
}

/** Returns the notifications whose account and profiles exist, without the apps of erased accounts, and locks these until the transaction ends. */
async function whatExists(db: NotificationDb, items: readonly NewNotification[]): Promise<readonly NewNotification[]> {
  const accounts = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', sql<string>`any(${items.flatMap(accountsOf).filter(isUuid)}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const profilesOf = ({ profileId, aboutProfileId, actorProfileId }: NewNotification) =>
    [profileId, aboutProfileId, actorProfileId].filter((id) => id !== null)
  const profiles = await db
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', sql<number>`any(${items.flatMap(profilesOf)}::bigint[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const accountIds = new Set(accounts.map(({ id }) => id))
  const profileIds = new Set(profiles.map(({ id }) => Number(id)))
  return items
    .filter((item) => accountIds.has(item.accountId) && profilesOf(item).every((id) => profileIds.has(id)))
    .map((item) => (item.through && accountIds.has(item.through.accountId) ? item : { ...item, through: null }))
}

const accountsOf = ({ accountId, through }: NewNotification) => [accountId, ...(through ? [through.accountId] : [])]

/** Whether the merged events are all of one account by one app. */
const isSameApp = sql`notifications.through_account_id = excluded.through_account_id
  and notifications.through::jsonb = excluded.through::jsonb`

async function addOne(db: NotificationDb, item: NewNotification): Promise<AddedNotification> {
  // Locked first, so that this and the end of a digest are serialized.
  if (item.digestAt !== null) {
    await db
      .insertInto('notification_digests')
      .values({ account_id: item.accountId, due_at: item.digestAt, attempts: 0 })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({ due_at: sql<Date>`notification_digests.due_at` }),
      )
      .execute()
  }
  const { id, accountId, profileId, kind, actorProfileId, inApp, createdAt: at, through } = item
  const row = await db
    .insertInto('notifications')
    .values({
      id,
      position: sql`default`,
      account_id: accountId,
      profile_id: profileId,
      about_profile_id: item.aboutProfileId,
      permission: item.permission,
      kind,
      group_key: item.groupKey,
      count: 1,
      has_actors: actorProfileId !== null,
      data: json(item.data),
      in_app: inApp,
      email_due_at: item.emailAt,
      email_attempts: 0,
      in_digest: item.digestAt !== null,
      created_at: at,
      updated_at: at,
      through: through ? json({ name: through.name, host: through.host }) : null,
      through_account_id: through?.accountId ?? null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'group_key'])
        .where('read_at', 'is', null)
        .where('group_key', 'is not', null)
        .doUpdateSet((query) => ({
          count: sql<number>`notifications.count + 1`,
          position: query.ref('excluded.position'),
          about_profile_id: query.ref('excluded.about_profile_id'),
          permission: query.ref('excluded.permission'),
          data: query.ref('excluded.data'),
          in_digest: sql<boolean>`notifications.in_digest or excluded.in_digest`,
          updated_at: at,
          through: sql`case when ${isSameApp} then notifications.through end`,
          through_account_id: sql`case when ${isSameApp} then notifications.through_account_id end`,
        })),
    )
    .returning(['id', 'count'])
    .executeTakeFirstOrThrow()
  if (actorProfileId !== null) {
    await db
      .insertInto('notification_actors')
      .values({ notification_id: row.id, profile_id: actorProfileId, at })
      .onConflict((conflict) => conflict.columns(['notification_id', 'profile_id']).doUpdateSet({ at }))
      .execute()
  }
  const actors = await db
    .selectFrom('notification_actors')
    .where('notification_id', '=', row.id)
    .select((query) => query.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  const count = actorProfileId === null ? row.count : Number(actors.count)
  return { id: row.id, accountId, profileId, kind, inApp, count, isNew: row.id === id }
}
