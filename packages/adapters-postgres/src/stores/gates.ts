import type { Gate, GateStore, GateVersionStore, GateVersionSummary, PageRequest } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
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
          bound_dids: json(gate.boundDids ?? {}),
          version: 1,
          updated_at: gate.updatedAt,
        })
        .onConflict((conflict) =>
          conflict.column('profile_id').doUpdateSet((row) => ({
            config: row.ref('excluded.config'),
            bound_dids: row.ref('excluded.bound_dids'),
            version: row('gates.version', '+', 1),
            updated_at: row.ref('excluded.updated_at'),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      await db
        .insertInto('gate_versions')
        .values({
          profile_id: gate.profileId,
          version: row.version,
          config: json(gate.config),
          bytes: Buffer.byteLength(JSON.stringify(gate.config)),
          changed_by: gate.changedBy,
          changed_at: gate.updatedAt,
        })
        .execute()
      return toGate(row)
    },
  }
}

async function listVersions(db: Db, profileId: number, request: PageRequest) {
  const versions = db.selectFrom('gate_versions').where('profile_id', '=', profileId)
  const counted = versions.select((query) => query.fn.countAll<string>().as('count'))
  const query = versions
    .select(['profile_id', 'version', 'bytes', 'changed_by', 'changed_at'])
    .select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('version', 'number')],
    item: toSummary,
    key: ({ version }) => [version],
    counted,
  })
}

const toSummary = (row: Omit<Row<'gate_versions'>, 'config'>): GateVersionSummary => ({
  profileId: Number(row.profile_id),
  version: row.version,
  bytes: row.bytes,
  changedBy: row.changed_by,
  changedAt: toDate(row.changed_at),
})

const toGate = (row: Row<'gates'>): Gate => ({
  profileId: Number(row.profile_id),
  config: row.config,
  boundDids: row.bound_dids,
  version: row.version,
  updatedAt: toDate(row.updated_at),
})

/** Versions of gate configurations. */
export function gateVersions(db: Db): GateVersionStore {
  return {
    list: (profileId, page) => listVersions(db, profileId, page),

    async get(profileId, version) {
      const row = await db
        .selectFrom('gate_versions')
        .selectAll()
        .where('profile_id', '=', profileId)
        .where('version', '=', sql<number>`${version}::bigint`)
        .executeTakeFirst()
      return row && { ...toSummary(row), config: row.config }
    },

    async prune(profileId, kept) {
      const newest = db.selectFrom('gates').select('version').where('profile_id', '=', profileId)
      const { numDeletedRows } = await db
        .deleteFrom('gate_versions')
        .where('profile_id', '=', profileId)
        .where('version', '<=', sql<number>`(${newest}) - ${Math.max(kept, 1)}::integer`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
