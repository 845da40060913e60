import { CompiledQuery } from 'kysely'
import { type Db as BossDb, PgBoss } from 'pg-boss'
import type { UntypedDb } from '../untyped-db.ts'
import { transactionIn } from './sql-text.ts'

/** The one queue that all jobs wait in. */
export const QUEUE = 'jobs'

/**
 * Lets pg-boss use our connections. What it sends as a transaction in one text is run as one here: a text that failed
 * half way would leave the connection of the host in a transaction that is lost.
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
  /** How often is looked for processes that died. Default: never. */
  readonly superviseSeconds?: number | undefined
}

/** Timers of the queue never keep a process alive. */
const clock = {
  now: () => Date.now(),
  setTimeout: (work: () => void, ms: number) => setTimeout(work, ms).unref(),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work: () => void, ms: number) => setInterval(work, ms).unref(),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
}

/** pg-boss on our tables. It makes none: that is what migrations are for. */
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
 * Puts a job into the queue with the transaction of the connection. A job has one message, under its own id, so that it is
 * never handed out twice concurrently. Higher priorities go first.
 */
export async function sendJob(db: UntypedDb, schema: string, id: string, priority: number): Promise<void> {
  await bossOn(db, schema).send(QUEUE, null, { id, priority })
}
