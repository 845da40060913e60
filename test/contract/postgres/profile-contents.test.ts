import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { accountEverywhere } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { queriesOf, type SentQuery } from '../../support/sent-queries.ts'

/** The rows that one statement deletes with a profile, and their limits. */
const BOUNDED = {
  profiles: 'the profile',
  hidden_profiles: 'one',
  gates: 'one',
  smart_sections: 'one',
  trust_levels: 'one',
  priced_profiles: 'one',
  audit_chains: 'one',
  gate_versions: 'older ones are pruned',
  categories: '1,000 of a profile',
  page_counts: 'a few of a category',
  reaction_counts: 'a few of a page',
  feed_hashtags: 'a few of a post',
  transcripts: 'one of a file',
  transcription_reservations: 'one of a job',
  members: 'the limit of the plan',
  invitations: 'the limit of the plan',
  transfers: 'one that is open; each sends a counted email',
  profile_names: 'the limit of renames',
  api_keys: 'the limit of keys; ended ones are pruned',
  api_key_uses: 'days that are kept of a key',
}

describe.skipIf(onPglite())('the records of a hidden profile', () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage
  let profileId: number
  let parts: readonly SentQuery[]
  beforeAll(async () => {
    database = await createDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool, schema: 'parts', listen: false })
    await storage.migrate()
    profileId = (await accountEverywhere(storage)).profile.id
    const at = new Date()
    await storage.transaction((tx) => tx.hiddenProfiles.hide(profileId, { at }))
    const sent = await queriesOf(pool, async () => {
      await storage.transaction((tx) => tx.hiddenProfiles.deleteContents(profileId, 10_000, at))
    })
    parts = sent.filter(({ text }) => text.startsWith('with selected'))
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  const tableOf = ({ text }: SentQuery) => /delete from "parts"\."(\w+)"/.exec(text)?.[1]

  it('are deleted in parts, unless a limit keeps them few', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `with recursive below as (
         select 'parts.profiles'::regclass::oid as id
         union
         select conrelid from pg_constraint join below on confrelid = below.id where confdeltype = 'c'
       )
       select relname as name from below join pg_class on pg_class.oid = below.id order by 1`,
    )
    const inParts = new Set(parts.map(tableOf))
    const others = rows.map(({ name }) => name).filter((name) => !inParts.has(name))
    expect(others).toEqual(Object.keys(BOUNDED).sort())
  })

  it('leave few rows that are deleted with the profile', async () => {
    // On another connection, whose counts have nothing of earlier transactions.
    const unused = new Pool({ connectionString: database.connectionString })
    const fresh = postgresStorage({ pool: unused, schema: 'parts', listen: false })
    const deleted = await fresh.rehearse(async ({ transaction }) => {
      await transaction((tx) => tx.profiles.delete(profileId))
    })
    await fresh.close()
    await unused.end()
    expect(deleted).toMatchObject({ profiles: 1, hidden_profiles: 1 })
    expect(Object.keys(deleted).filter((name) => !(name in BOUNDED))).toEqual([])
  })

  it('are found by an index', async () => {
    expect(parts.length).toBeGreaterThan(20)
    const client = await pool.connect()
    try {
      await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
      for (const { text, values } of parts) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
        expect(rows.map((row) => row['QUERY PLAN']).join('\n'), text).not.toContain('Seq Scan')
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
