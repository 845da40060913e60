import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { soon } from '../../support/wait.ts'

const WORK = { concurrency: 1, pollIntervalMs: 60_000, deadAfterMs: 60_000, onError: () => {} }

describe.skipIf(onPglite())('the statistics of partitioned tables on PostgreSQL', () => {
  const schema = process.env.TEST_SCHEMA ?? 'eep'
  let database: TestDatabase
  let pool: Pool

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  /** The partitioned tables that were never analyzed, which autovacuum does not do. */
  async function unknownTables(): Promise<readonly string[]> {
    const { rows } = await pool.query<{ relname: string }>(
      `select relname from pg_class where relkind = 'p' and relnamespace = $1::regnamespace and reltuples < 0 order by 1`,
      [schema],
    )
    return rows.map(({ relname }) => relname)
  }

  it('are all kept by the search index or by the job queue', async () => {
    expect(await unknownTables()).toEqual(['job', 'queue_stats', 'search_documents', 'search_passages', 'search_words'])
    const storage = postgresStorage({ pool, schema, listen: false })
    const rebuild = await storage.search().rebuild()
    await rebuild.commit()
    expect(await unknownTables()).toEqual(['job', 'queue_stats'])
    const workers = await storage.queue?.work(async () => undefined, WORK)
    await workers?.stop(0)
    expect(await unknownTables()).toEqual([])
    await storage.close()
  })

  it('have the columns of the jobs when the workers of an instance start', async () => {
    await pool.query(
      `insert into ${schema}.job (name, priority, state) select 'jobs', 0, 'completed' from generate_series(1, 500)`,
    )
    const storage = postgresStorage({ pool, schema, listen: false })
    const workers = await storage.queue?.work(async () => undefined, WORK)
    await soon(async () => {
      const { rows } = await pool.query(
        `select n_distinct, most_common_vals::text as values from pg_stats
         where schemaname = $1 and tablename = 'job' and attname = 'name' and inherited`,
        [schema],
      )
      expect(rows).toEqual([{ n_distinct: 1, values: '{jobs}' }])
    })
    await workers?.stop(0)
    await storage.close()
  })
})
