import type { RunSql } from './big-tables.ts'

/** Tables of the job queue, whose package fills them, and tables with a fixed number of rows. */
const LEFT_OUT = [
  'bam',
  'event_log',
  'followers',
  'job',
  'job_common',
  'job_dependency',
  'migrations',
  'queue',
  'queue_stats',
  'schedule',
  'search_languages',
  'search_state',
  'service_settings',
  'subscription',
  'tier_pricing',
  'version',
  'warning',
]

interface Column {
  readonly name: string
  readonly type: string
}

/** A value for each row `n`, which belongs to no profile and no account. Moments are in the future, so that nothing is due. */
function sqlValueOf({ name, type }: Column): string {
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type === 'text') return `'${name} ' || n`
  if (type.endsWith('[]')) return `'{}'`
  if (/^(bigint|integer|smallint|numeric|real|double)/.test(type)) return type === 'bigint' ? 'n + 1000000' : 'n'
  if (type === 'xid8') return `'0'`
  if (type.startsWith('json')) return `'{}'`
  if (type === 'boolean') return 'false'
  if (type === 'bytea') return `'\\x00'`
  if (type === 'date') return `date '2030-01-01' + n`
  if (type === 'tsvector') return `''`
  return `now() + interval '1 year'`
}

/**
 * Adds rows to all tables that have fewer, with a distinct value in each column, so that the planner treats them as tables in
 * use. The rows mean nothing: foreign keys are not checked, and checks of values are removed. Needs a superuser.
 */
export async function fillOtherTables(run: RunSql, rows: number): Promise<void> {
  const { rows: tables } = await run(`select relname as name, oid from pg_class where relnamespace = 'eep'::regnamespace
    and relkind = 'r' and not relispartition and reltuples < ${rows} and relname not in (${LEFT_OUT.map((name) => `'${name}'`)})`)
  await run('set session_replication_role = replica')
  for (const { name, oid } of tables) {
    const checks = await run(`select conname as name from pg_constraint where contype = 'c' and conrelid = ${oid}`)
    for (const check of checks.rows) await run(`alter table eep.${name} drop constraint "${check.name}"`)
    const found = await run(`select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = ${oid} and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
        and (attnotnull or attname like '%\\_id')`)
    const columns = found.rows as unknown as readonly Column[]
    await run(`insert into eep.${name} (${columns.map((column) => `"${column.name}"`)})
      select ${columns.map(sqlValueOf)} from generate_series(1, ${rows}) n on conflict do nothing`)
  }
  await run('set session_replication_role = default')
  await run('analyze')
}
