import { type Kysely, type PostgresPoolClient, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Makes the dates of a connection come in the form that `pg` reads, whatever the default of the database or the role is.
 * Dates in another form would be parsed as null, and an entitlement with an end would become permanent. A connection where
 * that fails goes back to its pool.
 */
export async function setIsoDates(client: PostgresPoolClient): Promise<void> {
  try {
    await client.query('set datestyle to ISO', [])
  } catch (error) {
    client.release()
    throw error
  }
}

/** Throws, saying what to do, when dates come in a form that drivers read wrongly or not at all. */
export async function assertIsoDates(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ style: string }>`select current_setting('DateStyle') as style`.execute(db)
  const style = rows[0]?.style ?? ''
  if (/^ISO/i.test(style)) return
  throw new Error(`Dates come as "${style}": set DateStyle to ISO for the role or the database`)
}
