import { sql } from 'kysely'
import type { UntypedDb } from '../untyped-db.ts'
import { queueTables } from './queue-tables.ts'

/** Marks the place in a migration where the library creates the tables of the queue. */
export const QUEUE_TABLES = '-- the tables of pg-boss, schema 43'

export async function installQueue(db: UntypedDb, schema: string): Promise<void> {
  for (const statement of queueTables(schema)) await sql.raw(statement).execute(db)
}
