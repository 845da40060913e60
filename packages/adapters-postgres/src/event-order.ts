import { sql } from 'kysely'
import type { UntypedDb } from './untyped-db.ts'

/**
 * Events are ordered by the ids of their transactions. A log that was restored into another cluster may contain ids that this
 * cluster has not reached yet, so new events would be sorted before restored ones. Ids are therefore compared within an era.
 */
const hasEventsOfTheFuture = (schema: string) => sql<boolean>`exists (
  select from ${sql.table(`${schema}.events`)} as event
  where event.era = log.era and event.xid >= pg_snapshot_xmax(pg_current_snapshot())
)`

/** Starts a new era when the log was restored from a cluster with higher transaction ids. */
export async function startEraAfterRestore(db: UntypedDb, schema: string): Promise<void> {
  await sql`
    update ${sql.table(`${schema}.event_log`)} as log set era = era + 1
    where ${hasEventsOfTheFuture(schema)}`.execute(db)
}

/** Throws with a fix when the log was restored and no new era has started since. */
export async function assertEventOrder(db: UntypedDb, schema: string): Promise<void> {
  const { rows } = await sql<{ wrong: boolean }>`
    select ${hasEventsOfTheFuture(schema)} as wrong from ${sql.table(`${schema}.event_log`)} as log`.execute(db)
  if (!rows[0]?.wrong) return
  throw new Error(
    `The event log of the schema "${schema}" was restored from another cluster: call storage.migrate() before the service starts, or run \`npx --no-install eep-postgres migrate\``,
  )
}
