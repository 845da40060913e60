import type { SmartSection, SmartSectionStore, SmartSections } from '@eep/core/ports'
import type { Kysely, Selectable } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { isOfProfiles, json, keepProfile, toDate } from '../rows.ts'

interface SmartSectionRow {
  profile_id: Bigint
  sections: readonly SmartSection[]
  version: number
  updated_at: Date
}

/** The table of this group. Only this file uses it, so it is declared here. */
type SmartSectionTables = { smart_sections: SmartSectionRow }

export function smartSections(database: Db): SmartSectionStore {
  const db: Kysely<Database & SmartSectionTables> = database.withTables<SmartSectionTables>()
  return {
    async get(profileId) {
      const row = await db
        .selectFrom('smart_sections')
        .selectAll()
        .where('profile_id', '=', profileId)
        .executeTakeFirst()
      return row && toSections(row)
    },

    async listOfProfiles(profileIds) {
      const rows = await db
        .selectFrom('smart_sections')
        .leftJoin('gates', 'gates.profile_id', 'smart_sections.profile_id')
        .select(['smart_sections.profile_id', 'sections', 'gates.config'])
        .where(isOfProfiles(profileIds, 'smart_sections.profile_id'))
        .execute()
      return new Map(rows.map((row) => [Number(row.profile_id), { sections: row.sections, gates: row.config }]))
    },

    async put({ profileId, sections, updatedAt }) {
      if (!(await keepProfile(database, profileId))) return undefined
      const row = await db
        .insertInto('smart_sections')
        .values({ profile_id: profileId, sections: json(sections), version: 1, updated_at: updatedAt })
        .onConflict((conflict) =>
          conflict.column('profile_id').doUpdateSet((row) => ({
            sections: row.ref('excluded.sections'),
            version: row('smart_sections.version', '+', 1),
            updated_at: row.ref('excluded.updated_at'),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      return toSections(row)
    },
  }
}

const toSections = (row: Selectable<SmartSectionRow>): SmartSections => ({
  profileId: Number(row.profile_id),
  sections: row.sections,
  version: row.version,
  updatedAt: toDate(row.updated_at),
})
