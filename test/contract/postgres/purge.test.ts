import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import type { Profile, SearchDocument } from '@eep/core/ports'
import { accountEverywhere, eraseAccount, newPayment, newPurchase } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../../support/database.ts'
import { PATIENT } from '../../support/patient-search.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'

const MINUTE = 60_000
/** Tables that nothing of an account comes into. */
const NOT_OF_ACCOUNTS = [
  'billing_messages',
  'disputes',
  'followers',
  'migrations',
  'nonces',
  'payer_strikes',
  'rate_limits',
  'sandbox_transfers',
  'sandbox_wallets',
  'tier_pricing',
]
/** Tables of the queue of jobs beside its messages. The service uses none of them. */
const OF_QUEUE = /^(bam|job_dependency|queue|queue_stats.*|schedule|subscription|version|warning)$/

const documentOf = ({ id, username, type, email, updatedAt }: Profile): SearchDocument => ({
  key: `profile:${id}`,
  kind: 'profile',
  profileId: id,
  profileType: type,
  visibility: 'public',
  revision: '1',
  title: username,
  headings: [],
  keywords: [username],
  excerpt: '',
  body: `${email}`,
  passages: [{ text: `${email}`, start: 0 }],
  updatedAt,
})

describe.skipIf(onPglite())('a purge on PostgreSQL', () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage

  beforeAll(async () => {
    database = await createDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool, schema: 'walked' })
    await storage.migrate()
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  const tables = async () => {
    const { rows } = await pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'walked' order by 1`,
    )
    return rows.map(({ name }) => name)
  }

  /** Every row of a table as text, with whatever columns and types it has. */
  const textOf = async (table: string) => {
    const { rows } = await pool.query<{ text: string }>(
      `select row_to_json(t)::text as text from walked."${table}" as t`,
    )
    return rows.map(({ text }) => text)
  }

  it('leaves neither id nor email address nor username in any column of any table', async () => {
    const { account, profile, names } = await accountEverywhere(storage)
    // JSON may hold what a text of PostgreSQL cannot.
    const odd = newPayment({ purchase: newPurchase({ profileId: profile.id }), proof: { text: '\0 and \ud800' } })
    await storage.transaction((tx) => tx.payments.claim(odd, MINUTE))
    const index = storage.search(PATIENT)
    await (await index.rebuild('test:1')).commit()
    await index.put([documentOf(profile), { ...documentOf(profile), partition: 'memory:private' }])
    const walked = (await tables()).filter((name) => !NOT_OF_ACCOUNTS.includes(name) && !OF_QUEUE.test(name))
    expect(walked).toContain('accounts')

    const namedIn: string[] = []
    for (const table of walked) {
      const rows = await textOf(table)
      expect(rows.length, `${table}: what accounts have there belongs into accountEverywhere`).toBeGreaterThan(0)
      if (names.some((name) => rows.join().includes(name))) namedIn.push(table)
    }
    expect(namedIn).toEqual(
      expect.arrayContaining([
        'accounts',
        'events',
        'identities',
        'page_versions',
        'payments',
        'receipts',
        'tokens',
        'webhooks',
      ]),
    )

    await storage.transaction((tx) => eraseAccount(tx, account.id))
    while ((await storage.transaction((tx) => tx.workspaces.sweep(100))) > 0);
    await index.remove({ profileIds: [profile.id] })
    await index.remove({ partitions: ['memory:private'] })
    for (const table of await tables()) {
      const rows = await textOf(table)
      for (const name of names) {
        const told = rows.filter((row) => row.toLowerCase().includes(name.toLowerCase()))
        expect(told, `${name} in ${table}`).toEqual([])
      }
    }
  })
})
