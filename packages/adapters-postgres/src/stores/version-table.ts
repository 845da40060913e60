import type { UntypedDb } from '../untyped-db.ts'

/** The table of the versions of one kind of text. */
interface VersionTable {
  readonly table: string
  /** The column with the id of the text. */
  readonly idColumn: string
}

/** The operations on versions that are the same for pages and documents of workspaces. */
export function versionTable<Id extends number | string>(db: UntypedDb, { table, idColumn }: VersionTable) {
  const deleteOf = (id: Id) => db.deleteFrom(table).where(idColumn, '=', id)

  return {
    /**
     * Removes a version if a save of this author may replace it at a time. Returns until when it could be replaced;
     * undefined when it stays.
     */
    async takeReplaceable(id: Id, version: number, author: string, at: Date): Promise<Date | undefined> {
      const row = await deleteOf(id)
        .where('version', '=', version)
        .where('created_by', '=', author)
        .where('replaceable_until', '>', at)
        .returning('replaceable_until')
        .executeTakeFirst()
      // Kysely cannot type the rows of a table whose name is a variable.
      return row?.replaceable_until as Date | undefined
    },

    /** Removes all but the newest versions. At least one is kept. */
    async prune(id: Id, kept: number): Promise<void> {
      const oldestKept = db
        .selectFrom(table)
        .select('version')
        .where(idColumn, '=', id)
        .orderBy('version', 'desc')
        .offset(Math.max(kept, 1) - 1)
        .limit(1)
      await deleteOf(id).where('version', '<', oldestKept).execute()
    },
  }
}
