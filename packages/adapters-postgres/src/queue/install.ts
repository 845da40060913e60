import { type Kysely, sql } from 'kysely'
import { queueTables } from './queue-tables.ts'

/** Stands in a migration where the tables of the queue are made, by the library that uses them. */
export const QUEUE_TABLES = '-- the tables of pg-boss, schema 43'

// biome-ignore lint/suspicious/noExplicitAny: migrations speak SQL and know no table types
export async function installQueue(db: Kysely<any>, schema: string): Promise<void> {
  for (const statement of queueTables(schema)) await sql.raw(statement).execute(db)
}
