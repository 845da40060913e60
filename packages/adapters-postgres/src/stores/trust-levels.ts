import type { Level, TrustLevelStore } from '@eep/core/ports'
import type { Kysely } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { keepProfile } from '../rows.ts'

/** The table of this group. Only this file uses it, so it is declared here. */
type TrustLevelTables = {
  /** `level` is null only inside of the transaction that adds the row. */
  trust_levels: { profile_id: Bigint; level: Level | null; recheck_at: Date | null }
}

export function trustLevels(database: Db): TrustLevelStore {
  const db: Kysely<Database & TrustLevelTables> = database.withTables<TrustLevelTables>()
  return {
    async put({ profileId, level, recheckAt }) {
      if (!(await keepProfile(database, profileId))) return undefined
      // The row exists before it is locked, so that concurrent calls wait for each other at the first level, too.
      await db
        .insertInto('trust_levels')
        .values({ profile_id: profileId, level: null, recheck_at: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const { level: before } = await db
        .selectFrom('trust_levels')
        .select('level')
        .where('profile_id', '=', profileId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      await db
        .updateTable('trust_levels')
        .set({ level, recheck_at: recheckAt })
        .where('profile_id', '=', profileId)
        .execute()
      return before
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
