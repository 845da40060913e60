import type { HiddenProfileStore } from '@eep/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { isUuid } from '../rows.ts'
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
          const hidden = from.selectFrom('hidden_profiles').select('profile_id').limit(limit)
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
      for (const remove of contentsOf(id, schema)) {
        if (deleted >= limit) break
        const { numAffectedRows = 0n } = await remove(limit - deleted).execute(database)
        deleted += Number(numAffectedRows)
      }
      return deleted
    },
  }
}

/** Statements that delete up to a number of rows each. What others lock in the order of ids is locked in that order here. */
function contentsOf(id: number, schema: string): readonly ((limit: number) => RawBuilder<unknown>)[] {
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const [posts, pages, sessions] = [table('feed_posts'), table('pages'), table('memory_sessions')]
  const profile = sql`${id}::bigint`
  const own = (name: string) => (limit: number) =>
    sql`delete from ${table(name)} where id in
    (select id from ${table(name)} where profile_id = ${profile} order by id limit ${limit} for update)`
  const below = (name: string, key: string, parent: RawBuilder<unknown>, column: string) => (limit: number) =>
    sql`delete from ${table(name)} where (${sql.raw(key)}) in
      (select ${sql.raw(key)} from ${table(name)}
        where ${sql.ref(column)} in (select id from ${parent} where profile_id = ${profile}) limit ${limit})`
  const connections = (end: string) => (limit: number) =>
    sql`delete from ${table('connections')} where (follower_profile_id, followee_profile_id) in
      (select follower_profile_id, followee_profile_id from ${table('connections')}
        where ${sql.ref(end)} = ${profile} limit ${limit})`
  return [
    below('feed_likes', 'post_id, account_id', posts, 'post_id'),
    own('feed_posts'),
    below('memory_entries', 'id', sessions, 'session_id'),
    own('memory_sessions'),
    below('page_versions', 'page_id, version', pages, 'page_id'),
    own('pages'),
    own('files'),
    connections('follower_profile_id'),
    connections('followee_profile_id'),
  ]
}
