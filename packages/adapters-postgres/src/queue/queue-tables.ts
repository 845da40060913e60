import { getConstructionPlans } from 'pg-boss'
import { QUEUE } from './boss.ts'
import { transactionIn } from './sql-text.ts'

/** How long a message waits for an instance with its job kind, in seconds. */
const WAITS = 60 * 24 * 3_600
/** The time for which a completed message is kept, in seconds. */
const KEPT = 3_600

/** Returns the SQL that creates the tables and the queue in an existing schema, to run in a transaction. */
export function queueTables(schema: string): readonly string[] {
  const quoted = `"${schema}"`
  const options = JSON.stringify({
    policy: 'standard',
    // The row of the job counts its attempts and determines the last one.
    retryLimit: 1_000_000,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    retentionSeconds: WAITS,
    deleteAfterSeconds: KEPT,
    expireInSeconds: 24 * 3_600,
    heartbeatSeconds: 20,
  })
  return [
    ...(transactionIn(getConstructionPlans(quoted, { createSchema: false })) ?? []),
    `select ${quoted}.create_queue('${QUEUE}', '${options}'::jsonb)`,
  ].filter((statement) => !/^set local\b/i.test(statement))
}
