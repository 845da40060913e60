import type { HiddenProfileStore } from '@eep/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { databaseNow, isUuid } from '../rows.ts'
import { lockPostsOf } from './feed-locks.ts'
import { toProfile } from './profile-row.ts'

/** The table of this group. */
type HiddenTables = {
  hidden_profiles: { profile_id: Bigint; import_id: string | null; touched_at: Date }
}

const withHidden = (database: Db): Kysely<Database & HiddenTables> => database.withTables<HiddenTables>()

/** Whether a profile is not hidden by an import or a deletion. */
export const isNotHidden = (database: Db) =>
  sql<boolean>`profiles.id not in (${withHidden(database).selectFrom('hidden_profiles').select('profile_id')})`

export function hiddenProfiles(database: Db, schema: string): HiddenProfileStore {
  const db = withHidden(database)
  const uuidOf = (importId: string) => (isUuid(importId) ? importId : null)

  return {
    async hide(id, { importId, at }) {
      const { numUpdatedRows } = await db
        .updateTable('profiles')
        .set({ withdrawn_at: at })
        .where('id', '=', id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      const row = await db
        .insertInto('hidden_profiles')
        .values({ profile_id: id, import_id: importId ?? null, touched_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('profile_id')
        .executeTakeFirst()
      return row !== undefined
    },

    async deleteOrHide(id, limit, at) {
      const profile = await db.selectFrom('profiles').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
      const isHidden = await db
        .selectFrom('hidden_profiles')
        .select('profile_id')
        .where('profile_id', '=', id)
        .executeTakeFirst()
      if (!profile || isHidden) return undefined
      let records = 0
      for (const { countUpTo } of contentsOf(id, schema)) {
        if (records > limit) break
        const { rows } = await countUpTo(limit + 1 - records).execute(database)
        records += Number(rows[0]?.count)
      }
      if (records <= limit) {
        await lockPostsOf(database, [id])
        await db.deleteFrom('profiles').where('id', '=', id).execute()
        return 'deleted'
      }
      for (const table of ['api_keys', 'members', 'invitations', 'transfers', 'profile_names'] as const) {
        await db.deleteFrom(table).where('profile_id', '=', id).execute()
      }
      await db
        .updateTable('profiles')
        .set({ withdrawn_at: at, username: nameless(id) })
        .where('id', '=', id)
        .execute()
      await db
        .insertInto('hidden_profiles')
        .values({ profile_id: id, import_id: null, touched_at: new Date(0) })
        .execute()
      return 'hidden'
    },

    async touch(id, importId, at) {
      const { numUpdatedRows } = await db
        .updateTable('hidden_profiles')
        .set({ touched_at: at })
        .where('profile_id', '=', id)
        .where('import_id', '=', uuidOf(importId))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async show(id, importId) {
      const { numDeletedRows } = await db
        .deleteFrom('hidden_profiles')
        .where('profile_id', '=', id)
        .where('import_id', '=', uuidOf(importId))
        .executeTakeFirst()
      if (numDeletedRows === 0n) return undefined
      const row = await db
        .updateTable('profiles')
        .set({ withdrawn_at: null })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toProfile(row)
    },

    async take(which, at, limit) {
      const rows = await db
        .updateTable('hidden_profiles')
        .set({ import_id: null, touched_at: at })
        .where('profile_id', 'in', (from) => {
          const hidden = from
            .selectFrom('hidden_profiles')
            .select('profile_id')
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('profiles')
                    .innerJoin('accounts', 'accounts.id', 'profiles.owner_account_id')
                    .select('profiles.id')
                    .whereRef('profiles.id', '=', 'hidden_profiles.profile_id')
                    .where('accounts.deletion_scheduled_at', '<=', databaseNow),
                ),
              ),
            )
            .limit(limit)
          if ('id' in which) return hidden.where('profile_id', '=', which.id).forUpdate()
          if ('importId' in which) return hidden.where('import_id', '=', uuidOf(which.importId)).forUpdate()
          return hidden.where('touched_at', '<', which.before).forUpdate().skipLocked()
        })
        .returning('profile_id')
        .execute()
      return rows.map((row) => Number(row.profile_id))
    },

    async deleteContents(id, limit, at) {
      const { numUpdatedRows } = await db
        .updateTable('hidden_profiles')
        .set({ touched_at: at })
        .where('profile_id', '=', id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return 0
      let deleted = 0
      for (const { removeUpTo } of contentsOf(id, schema)) {
        if (deleted >= limit) break
        const { numAffectedRows = 0n } = await removeUpTo(limit - deleted).execute(database)
        deleted += Number(numAffectedRows)
      }
      return deleted
    },
  }
}

/** The name of a hidden profile whose own is free. No profile can choose it. */
const nameless = (id: number) => `~${id}`

interface Contents {
  removeUpTo(limit: number): RawBuilder<unknown>
  countUpTo(limit: number): RawBuilder<{ readonly count: string }>
}

/** The records of a profile that are deleted in parts. What others lock in the order of ids is locked in that order here. */
function contentsOf(id: number, schema: string): readonly Contents[] {
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const [posts, pages, sessions] = [table('feed_posts'), table('pages'), table('memory_sessions')]
  const [services, notifications] = [table('services'), table('notifications')]
  const profile = sql`${id}::bigint`
  type Meant = RawBuilder<unknown> | ((limit: number) => RawBuilder<unknown>)
  const contents = (name: string, key: string, meant: Meant, order = sql``): Contents => {
    const upTo = (limit: number) => (typeof meant === 'function' ? meant(limit) : meant)
    return {
      removeUpTo: (limit) =>
        sql`with selected as materialized
          (select ${sql.raw(key)} from ${table(name)} where ${upTo(limit)} ${order} limit ${limit} for update)
        delete from ${table(name)} where (${sql.raw(key)}) in (select * from selected)`,
      countUpTo: (limit) =>
        sql`select count(*) as count from (select from ${table(name)} where ${upTo(limit)} limit ${limit}) found`,
    }
  }
  const own = (name: string) => contents(name, 'id', sql`profile_id = ${profile}`, sql`order by id`)
  const of = (name: string, key: string, column = 'profile_id') =>
    contents(name, key, sql`${sql.ref(column)} = ${profile}`)
  const below = (name: string, key: string, parent: RawBuilder<unknown>, column: string, owner = 'profile_id') =>
    contents(name, key, sql`${sql.ref(column)} in (select id from ${parent} where ${sql.ref(owner)} = ${profile})`)
  const notificationsOf = (owner: string) => [
    below('notification_actors', 'notification_id, profile_id', notifications, 'notification_id', owner),
    of('notifications', 'id', owner),
  ]
  return [
    below('feed_likes', 'post_id, account_id', posts, 'post_id'),
    of('feed_mentions', 'post_id, start'),
    // The index has them by time, and others lock posts by id.
    contents(
      'feed_posts',
      'id',
      (limit) => sql`id in (select id from ${posts} where profile_id = ${profile}
        order by created_at desc, id desc limit ${limit})`,
      sql`order by id`,
    ),
    below('memory_entries', 'id', sessions, 'session_id'),
    own('memory_sessions'),
    below('reactions', 'page_id, kind, account_id', pages, 'page_id'),
    below('page_versions', 'page_id, version', pages, 'page_id'),
    below('page_drafts', 'page_id', pages, 'page_id'),
    below('scheduled_publications', 'page_id', pages, 'page_id'),
    below('page_preview_links', 'id', pages, 'page_id'),
    of('old_paths', 'profile_id, path'),
    of('workspace_publications', 'document_id, profile_id'),
    own('pages'),
    own('files'),
    own('priced_resources'),
    own('jobs'),
    of('connections', 'follower_profile_id, followee_profile_id', 'follower_profile_id'),
    of('connections', 'follower_profile_id, followee_profile_id', 'followee_profile_id'),
    of('grants', 'id'),
    of('entitlements', 'id'),
    of('message_bodies', 'message_id', 'sender_profile_id'),
    of('conversation_sides', 'conversation_id, profile_id'),
    of('report_evidence', 'report_id', 'author_profile_id'),
    of('notification_actors', 'notification_id, profile_id'),
    ...notificationsOf('profile_id'),
    ...notificationsOf('about_profile_id'),
    below('reviews', 'id', services, 'service_id'),
    own('services'),
    of('audit_log', 'profile_id, position'),
    of('gate_session_revocations', 'profile_id, agent_did'),
    of('agreements', 'account_id, profile_id, document_hash'),
    of('analytics_minutes', 'profile_id, minute, metric, key'),
    of('analytics_hours', 'profile_id, hour, metric, key'),
    of('analytics_days', 'profile_id, day, metric, key'),
    of('analytics_visitors', 'profile_id, hour, visitor'),
  ]
}
