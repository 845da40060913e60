import type { Gate, GateStore } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { json, toDate } from '../rows.ts'

export function gates(db: Db): GateStore {
  return {
    async get(profileId) {
      const row = await db.selectFrom('gates').selectAll().where('profile_id', '=', profileId).executeTakeFirst()
      return row && toGate(row)
    },

    async put(gate) {
      const row = await db
        .insertInto('gates')
        .values({
          profile_id: gate.profileId,
          config: json(gate.config),
          version: 1,
          updated_at: gate.updatedAt,
        })
        .onConflict((conflict) =>
          conflict.column('profile_id').doUpdateSet((row) => ({
            config: row.ref('excluded.config'),
            version: row('gates.version', '+', 1),
            updated_at: row.ref('excluded.updated_at'),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      return toGate(row)
    },
  }
}

const toGate = (row: Row<'gates'>): Gate => ({
  profileId: Number(row.profile_id),
  config: row.config,
  version: row.version,
  updatedAt: toDate(row.updated_at),
})
