import { createHash } from 'node:crypto'
import type { RateLimitStore } from '@eep/core/ports'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from './database.ts'

const SWEEP_EVERY_MS = 60_000
const SWEPT_AT_ONCE = 10_000
/** A request waits this long for the counter; then the instance counts by itself. */
const PATIENCE_MS = 1_000

/**
 * Counts in the table `rate_limits` of a schema, for all instances together: one statement a hit, windows by the clock of
 * the database. Keys are kept as digests, because they hold addresses and account ids.
 */
export function sqlRateLimits(db: Kysely<Database>, schema: string): RateLimitStore {
  const table = `"${schema}".rate_limits`
  const hit = `
    insert into ${table} as kept (key, count, resets_at)
    values ($1, 1, statement_timestamp() + $2::double precision * interval '1 millisecond')
    on conflict (key) do update set
      count = case when kept.resets_at <= statement_timestamp() then 1 else kept.count + 1 end,
      resets_at = case when kept.resets_at <= statement_timestamp() then excluded.resets_at else kept.resets_at end
    returning count, extract(epoch from resets_at - statement_timestamp())::double precision * 1000 as left_ms`
  const sweep = `
    delete from ${table} where key in (
      select key from ${table} where resets_at <= statement_timestamp() limit ${SWEPT_AT_ONCE} for update skip locked
    )`
  let sweptAtMs = Date.now()

  const sweepNowAndThen = () => {
    if (Date.now() - sweptAtMs < SWEEP_EVERY_MS) return
    sweptAtMs = Date.now()
    // What stays is swept a minute later.
    db.executeQuery(CompiledQuery.raw(sweep)).catch(() => {})
  }

  return {
    async hit(key, windowMs) {
      sweepNowAndThen()
      const digest = createHash('sha256').update(`${windowMs}:${key}`).digest('base64url')
      const counting = db.executeQuery<{ count: number | string; left_ms: number }>(
        CompiledQuery.raw(hit, [digest, windowMs]),
      )
      const { rows } = await within(PATIENCE_MS, counting)
      const [row] = rows
      if (!row) throw new Error('A hit was not counted')
      return { count: Number(row.count), resetAtMs: Math.round(Date.now() + row.left_ms) }
    },
  }
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not count a request within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
