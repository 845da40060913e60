import type {
  AddedNotification,
  JsonObject,
  NamedProfile,
  NewNotification,
  Notification,
  NotificationEmail,
  NotificationScope,
  NotificationStore,
} from '@eep/core/ports'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Bigint, BigintOrNull } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { isUuid, json, keepAccount, toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'

/** The tables of this group. Only this file uses them, so they are declared here. */
type NotificationTables = {
  notifications: {
    id: string
    position: Bigint
    account_id: string
    profile_id: BigintOrNull
    about_profile_id: BigintOrNull
    permission: Notification['permission']
    kind: string
    group_key: string | null
    count: number
    has_actors: boolean
    data: JsonObject
    in_app: boolean
    email_due_at: Date | null
    email_attempts: number
    in_digest: boolean
    created_at: Date
    updated_at: Date
    read_at: Date | null
  }
  notification_actors: { notification_id: string; profile_id: Bigint; at: Date }
  notification_preferences: {
    account_id: string
    kind: string
    in_app: boolean
    email: NotificationEmail | null
  }
  notification_digests: { account_id: string; due_at: Date; attempts: number }
}

type NotificationDb = Kysely<Database & NotificationTables>

/** The maximum number of actors that a notification names. */
const SHOWN_ACTORS = 3

export function notifications(database: Db): NotificationStore {
  const db: NotificationDb = database.withTables<NotificationTables>()
  return {
    async list(scope, { kinds, unread = false }, request) {
      const theirs = listed(db, scope, kinds).$if(unread, (query) => query.where('read_at', 'is', null))
      const counted = theirs.select((query) => query.fn.countAll<string>().as('count'))
      const query = theirs
        .selectAll('notifications')
        .select((query) =>
          query
            .selectFrom('notification_actors')
            .whereRef('notification_id', '=', 'notifications.id')
            .select(({ fn }) => fn.countAll<string>().as('count'))
            .as('actor_count'),
        )
        .select(counted.as('total'))
      const page = await listPage(query, request, {
        order: [desc('notifications.position', 'number')],
        item: toNotification,
        key: ({ position }) => [position],
        counted,
      })
      return { ...page, items: await named(db, page.items) }
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

    async add(items) {
      const added: AddedNotification[] = []
      for (const item of await whatExists(db, items)) added.push(await addOne(db, item))
      return added
    },

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
      const row = await counted(db).where('id', '=', taken.id).executeTakeFirstOrThrow()
      const [notification] = await named(db, [toNotification(row)])
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
      const rows = await waitingFor(counted(db), taken.account_id)
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
        items: await named(db, rows.map(toNotification)),
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

    async prune(before, limit) {
      const old = db.selectFrom('notifications').select('id').where('updated_at', '<', before).limit(limit)
      const { numDeletedRows } = await db.deleteFrom('notifications').where('id', 'in', old).executeTakeFirst()
      return Number(numDeletedRows)
    },

    async eraseAccount({ id, profileIds }) {
      await db.deleteFrom('notifications').where('account_id', '=', id).execute()
      await db.deleteFrom('notification_preferences').where('account_id', '=', id).execute()
      await db.deleteFrom('notification_digests').where('account_id', '=', id).execute()
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

/** Selects notifications with the number of their actors. */
const counted = (db: NotificationDb) =>
  db
    .selectFrom('notifications')
    .selectAll('notifications')
    .select((query) =>
      query
        .selectFrom('notification_actors')
        .whereRef('notification_id', '=', 'notifications.id')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('actor_count'),
    )

/** The time of the next attempt of an email. Each attempt doubles the delay. */
const retryTime = (now: Date, retryMs: number, attempts: 'attempts' | 'email_attempts') =>
  sql<Date>`${now}::timestamptz
    + ${String(retryMs)}::text::float8 * power(2, ${sql.ref(attempts)}) * interval '1 millisecond'`

/** Selects pending notifications of the digest of an account. */
const waitingFor = <Row>(
  query: SelectQueryBuilder<Database & NotificationTables, 'notifications', Row>,
  accountId: string,
) => query.where('account_id', '=', accountId).where('in_digest', '=', true).where('read_at', 'is', null)

type Unnamed = Omit<Notification, 'actors' | 'about'> & { readonly aboutProfileId: number | null }

function toNotification(row: {
  readonly id: string
  readonly position: number | string
  readonly account_id: string
  readonly profile_id: number | string | null
  readonly about_profile_id: number | string | null
  readonly permission: Notification['permission']
  readonly kind: string
  readonly count: number
  readonly has_actors: boolean
  readonly actor_count: number | string | null
  readonly data: JsonObject
  readonly in_app: boolean
  readonly created_at: Date
  readonly updated_at: Date
  readonly read_at: Date | null
}): Unnamed {
  return {
    id: row.id,
    position: Number(row.position),
    accountId: row.account_id,
    profileId: toNumberOrNull(row.profile_id),
    aboutProfileId: toNumberOrNull(row.about_profile_id),
    permission: row.permission,
    kind: row.kind,
    count: row.has_actors ? Number(row.actor_count) : row.count,
    data: row.data,
    inApp: row.in_app,
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
    readAt: toDateOrNull(row.read_at),
  }
}

/** Selects profiles that are neither withdrawn nor of banned accounts. */
const nameable = (db: NotificationDb) =>
  db
    .selectFrom('profiles')
    .innerJoin('accounts', 'accounts.id', 'profiles.owner_account_id')
    .where('profiles.withdrawn_at', 'is', null)
    .where('accounts.banned_at', 'is', null)

/** Adds the profiles that notifications name. */
async function named(db: NotificationDb, items: readonly Unnamed[]): Promise<readonly Notification[]> {
  if (items.length === 0) return []
  const abouts = await nameable(db)
    .where('profiles.id', '=', sql<number>`any(${items.flatMap((item) => item.aboutProfileId ?? [])}::bigint[])`)
    .select(['profiles.id', 'profiles.type', 'profiles.username'])
    .execute()
  const actors = await db
    .selectFrom('notifications')
    .innerJoinLateral(
      () =>
        nameable(db)
          .innerJoin('notification_actors as acted', 'acted.profile_id', 'profiles.id')
          .whereRef('acted.notification_id', '=', sql.ref('notifications.id'))
          .where('profiles.visibility', '!=', 'private')
          .select(['profiles.id', 'profiles.type', 'profiles.username', 'acted.at'])
          .orderBy('acted.at', 'desc')
          .orderBy('profiles.id', 'desc')
          .limit(SHOWN_ACTORS)
          .as('actor'),
      (join) => join.onTrue(),
    )
    .where('notifications.id', '=', sql<string>`any(${items.map(({ id }) => id)}::uuid[])`)
    .select(['notifications.id as notification_id', 'actor.id', 'actor.type', 'actor.username'])
    .orderBy('actor.at', 'desc')
    .orderBy('actor.id', 'desc')
    .execute()
  const toProfile = ({ id, type, username }: (typeof abouts)[number]): NamedProfile => ({
    id: Number(id),
    type,
    username,
  })
  return items.map(({ aboutProfileId, ...item }) => {
    const about = abouts.find((profile) => Number(profile.id) === aboutProfileId)
    return {
      ...item,
      about: about ? toProfile(about) : null,
      actors: actors.filter((actor) => actor.notification_id === item.id).map(toProfile),
    }
  })
}

/** Returns the notifications whose account and profiles exist, and locks these until the transaction ends. */
async function whatExists(db: NotificationDb, items: readonly NewNotification[]): Promise<readonly NewNotification[]> {
  const accounts = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', sql<string>`any(${items.map(({ accountId }) => accountId).filter(isUuid)}::uuid[])`)
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
  return items.filter((item) => accountIds.has(item.accountId) && profilesOf(item).every((id) => profileIds.has(id)))
}

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
  const { id, accountId, profileId, kind, actorProfileId, inApp, createdAt: at } = item
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
