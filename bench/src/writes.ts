import { randomUUID } from 'node:crypto'
import { postgresStorage } from '@eep/adapters-postgres'
import { newAccount, newEvent } from '@eep/core/testing'
import { startEmbeddedPostgres } from '@eep/test/support/embedded-postgres'
import type { PostgresServerKind } from '@eep/test/support/postgres-server'
import { Pool, type PoolClient } from 'pg'
import { type Measured, median, middle, type Pair } from './measure.ts'

/** How many writers there are, and how many times the rate of a locked log they must reach. */
const WRITERS = [
  { writers: 1, must: 0.7 },
  { writers: 8, must: 2 },
  { writers: 32, must: 3 },
] as const

const WARM_MS = 2_000
const MS = 2_000
const ROUNDS = 3
/**
 * What a disk in a network adds to each commit, in microseconds. What the local disk takes differs between machines, and where
 * it takes next to nothing, the processors are measured and not the log.
 */
const COMMIT_DELAY_US = 2_000
/** What each writer of a locked log holds until it commits. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('eep_eep.events', 0)), pg_notify('eep_eep', '')`

/**
 * Makes every transaction that appends an event hold one lock until it commits: the simple way to make events visible in
 * order, which the log is compared with.
 */
function lockedPool(connectionString: string, max: number): Pool {
  const pool = new Pool({ connectionString, max })
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>
    const locking = async (text: string, values?: unknown[]) => {
      if (text.startsWith('insert into "eep"."events"')) await query(LOCK)
      return query(text, values)
    }
    Object.assign(client, { query: locking })
  })
  return pool
}

/** Each writer changes its own row and appends an event, one transaction after another. */
async function run(storage: ReturnType<typeof postgresStorage>, accounts: readonly string[], ms: number) {
  const times: number[] = []
  const begun = performance.now()
  const end = begun + ms
  await Promise.all(
    accounts.map(async (id) => {
      while (performance.now() < end) {
        const from = performance.now()
        await storage.transaction(async (tx) => {
          await tx.accounts.save(id, { fullName: randomUUID() })
          await tx.events.append([newEvent({ accountId: id, data: { accountId: id } })])
        })
        times.push(performance.now() - from)
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  const slowest = times.sort((left, right) => left - right)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN
  return { requestsPerSecond: times.length / seconds, p99Ms: Math.round(slowest * 100) / 100 } satisfies Measured
}

/**
 * Writes per second of one writer and of many, against a log whose writers take turns. Commits wait for the disk: the
 * server of the tests is replaced by one that does, and as long as on a disk in a network.
 */
export async function measureWrites(connectionString: string, kind: PostgresServerKind) {
  if (kind !== 'embedded') return measureOn(connectionString)
  const server = await startEmbeddedPostgres({ durable: true, commitDelayUs: COMMIT_DELAY_US })
  try {
    return await measureOn(server.connectionString)
  } finally {
    await server.stop()
  }
}

async function measureOn(connectionString: string) {
  const pools = [new Pool({ connectionString, max: 40 }), lockedPool(connectionString, 40)] as const
  const [ours, locked] = [postgresStorage({ pool: pools[0] }), postgresStorage({ pool: pools[1], listen: false })]
  await ours.migrate()
  try {
    const ids = await Promise.all(
      Array.from({ length: 32 }, async () => {
        const account = newAccount()
        await ours.transaction((tx) => tx.accounts.insert(account))
        return account.id
      }),
    )
    const rows: ({ readonly what: string; readonly must: number } & Pair)[] = []
    for (const { writers, must } of WRITERS) {
      const accounts = ids.slice(0, writers)
      await run(ours, accounts, WARM_MS)
      await run(locked, accounts, WARM_MS)
      const rounds: { subject: Measured; bare: Measured }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({ bare: await run(locked, accounts, MS), subject: await run(ours, accounts, MS) })
      }
      rows.push({
        what: `writes of ${writers} ${writers === 1 ? 'writer' : 'writers'}, each with an event`,
        must,
        subject: middle(rounds.map(({ subject }) => subject)),
        bare: middle(rounds.map(({ bare }) => bare)),
        ratio: median(rounds.map(({ subject, bare }) => subject.requestsPerSecond / bare.requestsPerSecond)),
      })
    }
    return rows
  } finally {
    await Promise.all([ours.close(), locked.close()])
    await Promise.all(pools.map((pool) => pool.end()))
  }
}
