import { createHash } from 'node:crypto'
import type { RateLimitHit, RateLimitHits, RateLimitStore } from '@eep/core/ports'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from './database.ts'

const SWEEP_EVERY_MS = 60_000
const SWEPT_AT_ONCE = 10_000
/** The timeout of a batch, after which the instance counts separately. */
const PATIENCE_MS = 1_000

/**
 * Counts hits of all instances in the table `rate_limits`, with one statement per batch and windows by the clock of
 * the database. Keys are stored as digests, because they contain addresses and account ids.
 */
export function sqlRateLimits(db: Kysely<Database>, schema: string): RateLimitStore {
  const table = `"${schema}".rate_limits`
  // Every instance locks the rows of a batch in the same order, so that they cannot deadlock.
  const add = `
    insert into ${table} as kept (key, count, resets_at)
    select key, hits, statement_timestamp() + window_ms * interval '1 millisecond'
    from json_to_recordset($1::text::json) as sent (key text, hits bigint, window_ms double precision)
    order by key
    on conflict (key) do update set
      count = case when kept.resets_at <= statement_timestamp() then excluded.count else kept.count + excluded.count end,
      resets_at = case when kept.resets_at <= statement_timestamp() then excluded.resets_at else kept.resets_at end
    returning key, count, extract(epoch from resets_at - statement_timestamp())::double precision * 1000 as left_ms`
  const giveBack = `
    update ${table} set count = greatest(0, count - 1) where key = $1 and resets_at > statement_timestamp()`
  const sweep = `
    delete from ${table} where key in (
      select key from ${table} where resets_at <= statement_timestamp() limit ${SWEPT_AT_ONCE} for update skip locked
    )`
  let sweptAtMs = Date.now()

  const sweepNowAndThen = () => {
    if (Date.now() - sweptAtMs < SWEEP_EVERY_MS) return
    sweptAtMs = Date.now()
    // Remaining rows are deleted a minute later.
    db.executeQuery(CompiledQuery.raw(sweep)).catch(() => {})
  }

  async function hitMany(batch: readonly RateLimitHits[]): Promise<readonly RateLimitHit[]> {
    sweepNowAndThen()
    const sent = batch.map(({ key, windowMs, hits }) => ({ key: digestOf(key, windowMs), hits, window_ms: windowMs }))
    const counting = db.executeQuery<{ key: string; count: number | string; left_ms: number }>(
      CompiledQuery.raw(add, [JSON.stringify(sent)]),
    )
    const { rows } = await within(PATIENCE_MS, counting)
    const byKey = new Map(rows.map((row) => [row.key, row]))
    const now = Date.now()
    return sent.map(({ key }) => {
      const row = byKey.get(key)
      if (!row) throw new Error('A hit was not counted')
      return { count: Number(row.count), resetAtMs: Math.round(now + row.left_ms) }
    })
  }

  return {
    hitMany,
    async hit(key, windowMs) {
      const [hit] = await hitMany([{ key, windowMs, hits: 1 }])
      if (!hit) throw new Error('A hit was not counted')
      return hit
    },
    async giveBack(key, windowMs) {
      await within(PATIENCE_MS, db.executeQuery(CompiledQuery.raw(giveBack, [digestOf(key, windowMs)])))
    },
  }
}

const digestOf = (key: string, windowMs: number): string =>
  createHash('sha256').update(`${windowMs}:${key}`).digest('base64url')

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not count requests within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
