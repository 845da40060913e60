import { sql } from 'kysely'
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

    /**
     * Removes all but a number of versions, at least one: the current one stays, then the newest ones that a person saved, then the newest
     * automatic ones.
     */
    async prune(id: Id, kept: number): Promise<void> {
      const spare = db
        .selectFrom(table)
        .select('version')
        .where(idColumn, '=', id)
        .orderBy(sql`version = max(version) over ()`, 'desc')
        // An automatic save has a time until which it could be replaced.
        .orderBy(sql`replaceable_until is null`, 'desc')
        .orderBy('version', 'desc')
        .offset(Math.max(kept, 1))
      await deleteOf(id).where('version', 'in', spare).execute()
    },
  }
}
