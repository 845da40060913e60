import type { Level, TrustLevelStore } from '@eep/core/ports'
import type { Kysely } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { keepProfile } from '../rows.ts'

/** The table of this group. Only this file uses it, so it is declared here. */
type TrustLevelTables = {
  trust_levels: { profile_id: Bigint; level: Level; recheck_at: Date | null }
}

export function trustLevels(database: Db): TrustLevelStore {
  const db: Kysely<Database & TrustLevelTables> = database.withTables<TrustLevelTables>()
  return {
    async put({ profileId, level, recheckAt }) {
      if (!(await keepProfile(database, profileId))) return undefined
      const levelOf = db.selectFrom('trust_levels').select('level').where('profile_id', '=', profileId).forUpdate()
      for (;;) {
        const before = await levelOf.executeTakeFirst()
        if (before) {
          const changed = db.updateTable('trust_levels').set({ level, recheck_at: recheckAt })
          await changed.where('profile_id', '=', profileId).execute()
          return before.level
        }
        const added = await db
          .insertInto('trust_levels')
          .values({ profile_id: profileId, level, recheck_at: recheckAt })
          .onConflict((conflict) => conflict.doNothing())
          .returning('profile_id')
          .executeTakeFirst()
        if (added) return null
        // A concurrent call has added the row meanwhile.
      }
    },

    async takeDue(at, limit) {
      const due = db
        .selectFrom('trust_levels')
        .select('profile_id')
        .where('recheck_at', '<=', at)
        .orderBy('recheck_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()
      const rows = await db
        .with('due', () => due)
        .updateTable('trust_levels')
        .from('due')
        .set({ recheck_at: null })
        .whereRef('trust_levels.profile_id', '=', 'due.profile_id')
        .returning('trust_levels.profile_id')
        .execute()
      return rows.map((row) => Number(row.profile_id))
    },
  }
}
