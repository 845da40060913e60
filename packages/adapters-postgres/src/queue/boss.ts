import { CompiledQuery } from 'kysely'
import { type Db as BossDb, PgBoss } from 'pg-boss'
import type { UntypedDb } from '../untyped-db.ts'
import { transactionIn } from './sql-text.ts'

/** The queue of all jobs. */
export const QUEUE = 'jobs'

/**
 * Lets pg-boss use the connections of the storage. A transaction that it sends as one text is run as a transaction here: a text that
 * failed half way would leave the connection of the host in a failed transaction.
 */
function executorOn(db: UntypedDb): BossDb {
  const run = async (on: UntypedDb, text: string, values: unknown[] = []) => {
    const { rows } = await on.executeQuery(CompiledQuery.raw(text, values))
    return rows
  }
  return {
    async executeSql(text, values) {
      const statements = transactionIn(text)
      if (!statements) return { rows: await run(db, text, values) }
      return db.transaction().execute(async (trx) => {
        const rows: unknown[] = []
        for (const statement of statements) rows.push(...(await run(trx, statement)))
        return { rows }
      })
    },
  }
}

export interface BossOptions {
  /** The interval of checks for dead processes. Default: never. */
  readonly superviseSeconds?: number | undefined
}

/** Timers of the queue do not keep the process alive. */
const clock = {
  now: () => Date.now(),
  setTimeout: (work: () => void, ms: number) => setTimeout(work, ms).unref(),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work: () => void, ms: number) => setInterval(work, ms).unref(),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
}

/** Creates pg-boss on the existing tables, which migrations create. */
export const bossOn = (db: UntypedDb, schema: string, { superviseSeconds }: BossOptions = {}): PgBoss =>
  new PgBoss({
    db: executorOn(db),
    schema: `"${schema}"`,
    clock,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: superviseSeconds !== undefined,
    ...(superviseSeconds !== undefined && {
      superviseIntervalSeconds: superviseSeconds,
      monitorIntervalSeconds: superviseSeconds,
    }),
    maintenanceIntervalSeconds: 3_600,
    queueCacheIntervalSeconds: 3_600,
    // No job waits for another.
    flowIntervalSeconds: 24 * 3_600,
    reindex: false,
    monitorVacuum: false,
  })

/**
 * Adds a job to the queue in the transaction of the connection. A job has one message with its id, so that it is
 * never delivered twice concurrently. Higher priorities go first.
 */
export async function sendJob(db: UntypedDb, schema: string, id: string, priority: number): Promise<void> {
  await bossOn(db, schema).send(QUEUE, null, { id, priority })
}
