import { type Kysely, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import type { Database } from './database.ts'

const prepared = new WeakSet<object>()

/**
 * Takes a connection whose dates are of the form that `pg` reads, whatever the default of the database or the role is.
 * Dates in another form would be parsed as null, and an entitlement with an end would become permanent.
 */
export async function connectWithIsoDates(pool: PostgresPool): Promise<PostgresPoolClient> {
  const client = await pool.connect()
  if (prepared.has(client)) return client
  try {
    await client.query('set datestyle to ISO', [])
  } catch (error) {
    client.release()
    throw error
  }
  prepared.add(client)
  return client
}

/** Throws, saying what to do, when dates come in a form that drivers read wrongly or not at all. */
export async function assertIsoDates(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ style: string }>`select current_setting('DateStyle') as style`.execute(db)
  const style = rows[0]?.style ?? ''
  if (/^ISO/i.test(style)) return
  throw new Error(`Dates come as "${style}": set DateStyle to ISO for the role or the database`)
}
