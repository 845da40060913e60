import { postgresStorage } from '@eep/adapters-postgres'
import { Client, Pool } from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'

const EVENTS = 50_000

/** The plan is the one of the statement that the storage sends, which a pool of node-postgres shows. */
describe.skipIf(onPglite())('the place of a moment in a long log', async () => {
  const database = await createMigratedDatabase()
  const pool = new Pool({ connectionString: database.connectionString })
  const storage = postgresStorage({ pool })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  it('finds the position of a time by an index, without reading earlier events', async () => {
    await pool.query(
      `insert into eep.events (id, type, data, at, era)
       select gen_random_uuid(), 'test.made', '{}', timestamptz '2026-01-01' + n * interval '1 second',
         (select era from eep.event_log)
       from generate_series(1, $1::integer) n`,
      [EVENTS],
    )
    await pool.query('analyze eep.events')
    const sent = vi.spyOn(Client.prototype, 'query')
    const cursor = await storage.read.eventRetention.findCursor(new Date(Date.UTC(2026, 0, 1) + (EVENTS - 10) * 1_000))
    // The types of `pg` have the first overload of `query` only.
    const [text, values] = sent.mock.calls.at(-1) as unknown as [
      string | { text: string; values: unknown[] },
      unknown[],
    ]
    sent.mockRestore()
    const statement = typeof text === 'string' ? { text, values } : text
    // Events are listed when no older transaction runs on the server, and those of other tests may take long.
    await expect
      .poll(async () => (await storage.read.events.list({ after: cursor, limit: 100 })).events)
      .toHaveLength(10)
    const { rows } = await pool.query({ ...statement, text: `explain (analyze, format json) ${statement.text}` })
    const plan = JSON.stringify(rows)
    expect(plan).toContain('events_by_time')
    expect(plan).not.toMatch(/Seq Scan|events_in_order/)
  })
})
