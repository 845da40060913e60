import { type Kysely, type PostgresPoolClient, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Sets the date format of a connection to the one that `pg` parses, whatever the default of the database or the role.
 * Dates in another format would be parsed as null, and an entitlement with an end would become permanent. It also turns `jit` off, which
 * compiles statements for seconds that run for milliseconds. If this fails, the connection is returned to its pool.
 */
export async function setUpConnection(client: PostgresPoolClient): Promise<void> {
  try {
    await client.query(`select set_config('datestyle', 'ISO', false), set_config('jit', 'off', false)`, [])
  } catch (error) {
    client.release()
    throw error
  }
}

/** Throws with a fix when the date format is one that drivers parse incorrectly. */
export async function assertIsoDates(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ style: string }>`select current_setting('DateStyle') as style`.execute(db)
  const style = rows[0]?.style ?? ''
  if (/^ISO/i.test(style)) return
  throw new Error(`Dates are returned as "${style}": set DateStyle to ISO for the role or the database`)
}
