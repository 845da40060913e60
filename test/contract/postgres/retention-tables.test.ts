import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import type { OptionalGroup, Stores } from '@eep/core/ports'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { queriesOf } from '../../support/sent-queries.ts'

const docs = join(import.meta.dirname, '../../../docs')
const page = await readFile(join(docs, 'operate/data-retention.md'), 'utf8')
const reference = await readFile(join(docs, 'reference/options.md'), 'utf8')

const HOUR_MS = 3_600_000
/** What the page counts in, and the units of the options by the end of their names. */
const UNITS = { hours: HOUR_MS, days: 24 * HOUR_MS, years: 365 * 24 * HOUR_MS, MB: 1_048_576 }
const UNITS_OF_OPTIONS = { Ms: 1, Seconds: 1_000, Days: UNITS.days }

/** The default of an option, in milliseconds if it is a period. */
function defaultOf(option: string): number {
  const [group, ...name] = option.split('.')
  const section = reference.split('\n## ').find((each) => each.startsWith(`${group}\n`))
  const row = section?.split('\n').find((line) => line.startsWith(`| \`${name.join('.')}\` |`))
  const [unit = 1] = Object.entries(UNITS_OF_OPTIONS).flatMap(([end, ms]) => (option.endsWith(end) ? [ms] : []))
  return Number(row?.split(' | ')[2]?.replaceAll('`', '')) * unit
}

/** The rows of the page that name an option: what is kept by default, and the option. */
const periods = page.split('\n').flatMap((line) => {
  const [, , , kept = '', option = ''] = line.split('|').map((cell) => cell.trim())
  return /^`[\w.]+`$/.test(option) ? [{ option: option.replaceAll('`', ''), kept }] : []
})

describe('the page about data retention', () => {
  it.each(periods)('has the default of $option', ({ option, kept }) => {
    const [, count, unit = ''] = /^([\d,]+) (\w+)/.exec(kept) ?? []
    expect(Number(count?.replace(',', '')) * (UNITS[unit as keyof typeof UNITS] ?? 1)).toBe(defaultOf(option))
  })

  it('names every option about retention', () => {
    const named = new Set(periods.map(({ option }) => option.split('.').at(-1)))
    const options = [...reference.matchAll(/^\| `([\w.]*(?:[rR]etention(?:Ms|Days)|maxVersions|TtlMs))` \|/gm)]
    expect(options.map(([, name]) => name).filter((name) => !named.has(name))).toEqual([])
    expect(options.length).toBeGreaterThan(10)
  })
})

describe.skipIf(onPglite())('the tables', () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage
  beforeAll(async () => {
    database = await createDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool, schema: 'walked', listen: false })
    await storage.migrate()
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  it('are on the page about data retention, which describes how their rows end', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
       where nspname = 'walked' and relkind in ('r', 'p') and not relispartition order by 1`,
    )
    const named = new Set([...page.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name))
    const names = rows.map(({ name }) => name)
    const missing = names.filter((name) => !named.has(name))
    expect(missing, 'tables that docs/operate/data-retention.md does not have').toEqual([])
    expect([...named].sort(), 'tables that the page has').toEqual(names)
  })

  type Step = (tx: Stores<OptionalGroup>) => Promise<unknown>
  const before = new Date()
  const STEPS: Readonly<Record<string, Step>> = {
    'expired records': (tx) => tx.expired.delete(9),
    'kept events': (tx) => tx.eventRetention.pruneKept({ before, types: ['a'], limit: 9 }),
    webhooks: (tx) => tx.webhooks.prune(before, 9),
    notifications: (tx) => tx.notifications.prune(before, 9),
    figures: (tx) => tx.analytics.purge({ minutesBefore: before, saltsBefore: '2000-01-01', daysBefore: before }, 9),
    'figures of hours': (tx) => tx.analytics.rollUpHours(before, 9, { dropped: ['a'], maxKeys: 9, rest: '' }),
    jobs: (tx) => tx.jobs.deleteEnded(before, 9),
    'actions of administrators': (tx) => tx.audit.prune(before, 9),
    reports: (tx) => tx.reports.prune(before, 9),
    'API keys': (tx) => tx.apiKeys.deleteEnded(before, 9),
    'revoked sessions': (tx) => tx.gateSessions.prune(before, 9),
    'messages of processors': (tx) => tx.subscriptions.deleteMessages(before, 9),
    'unfinished uploads': (tx) => tx.files.discardOldUploads(before, 9),
    memory: (tx) => tx.memory.sweep(9),
    'deleted workspaces': (tx) => tx.workspaces.sweep(9),
    'unused play wallets': (tx) => tx.sandboxWallets.deleteUnused(before, 9),
    'unpaid play plans': (tx) => tx.sandboxPlans.deleteUnbought(before, 9),
    'unpaid play payments': (tx) => tx.sandboxPayments.deleteUnpaid(before, 9),
    'connected apps': (tx) => tx.connectedApps.deleteExpired(before, 9),
    'site scans': (tx) => tx.siteScans.deleteOld(before, 9),
  }

  it.each(Object.entries(STEPS))('deletes %s in bounded statements that find rows by an index', async (_, step) => {
    const sent = await queriesOf(pool, () => storage.transaction(async (tx) => void (await step(tx))))
    const deletes = sent.filter(({ text }) => /^(with "selected" as materialized|delete)\b[\s\S]*\bselect\b/.test(text))
    expect(deletes.length).toBeGreaterThan(0)
    for (const { text, values } of deletes) {
      expect(text).toMatch(/\blimit\b[\s\S]*\bskip locked\b/)
      // Small: a scan holds its host for minutes.
      if (text.includes('"site_scan_hosts"')) continue
      const client = await pool.connect()
      try {
        // Tables are empty, so only a statement for which no index can be used scans one.
        await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
        expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Seq Scan')
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
  })

  it('lose at most the given number of rows, also when PostgreSQL compares each row with the selection', async () => {
    const options = ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material']
      .map((way) => `-c enable_${way}=off`)
      .join(' ')
    const looping = new Pool({ connectionString: database.connectionString, options })
    const looped = postgresStorage({ pool: looping, schema: 'walked', listen: false })
    const expiresAt = new Date('1990-01-01')
    await looped.transaction(async (tx) => {
      for (const nonce of ['one', 'two', 'three', 'four', 'five'])
        await tx.nonces.claim({ scope: 'limit', nonce, expiresAt })
    })
    expect(await looped.transaction((tx) => tx.expired.delete(2))).toBe(2)
    expect(await looped.transaction((tx) => tx.expired.delete(9))).toBe(3)
    await looped.close()
    await looping.end()
  })
})
