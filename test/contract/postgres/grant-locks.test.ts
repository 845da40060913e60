import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import type { NewGrant, Storage, Stores } from '@eep/core/ports'
import { newAccount, newGrant, newProfile } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'

type Tx = Stores<'sales' | 'sandbox'>

/** In the order of their bytes. Most locales sort them the other way round. */
const PATTERNS = ['content.B', 'content.a']

const RIVALS: readonly (readonly [string, (tx: Tx, receiptId: string) => Promise<unknown>])[] = [
  ['the refund', (tx, receiptId) => tx.grants.endOfReceipt(receiptId, new Date())],
  ['the dispute', (tx, receiptId) => tx.grants.suspendOfReceipt(receiptId, new Date())],
  ['the clock of a sandbox', (tx) => tx.sandboxPlans.moveClock(1_000)],
]

describe.skipIf(onPglite())('a transaction that stores grants', () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage
  /** What PostgreSQL ended because of a deadlock. The storage runs it again, so no caller sees it. */
  const deadlocks: unknown[] = []

  beforeAll(async () => {
    database = await createDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool })
    await storage.migrate()
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })
  beforeEach(() => {
    deadlocks.length = 0
  })

  const write = <Result>(work: (tx: Tx) => Promise<Result>) =>
    (storage as Storage<'sales' | 'sandbox'>).transaction(async (tx) => {
      try {
        return await work(tx)
      } catch (error) {
        if ((error as { readonly code?: unknown }).code === '40P01') deadlocks.push(error)
        throw error
      }
    })

  async function untilOneWaits(): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await pool.query(waiting)).rowCount === 0) await sleep(5)
  }

  it.each(RIVALS)('does not deadlock with %s of a receipt of the same holder', async (_, rival) => {
    const profile = await write(async (tx) => {
      const account = await tx.accounts.insert(newAccount())
      return account && tx.profiles.insert(newProfile(account.id))
    })
    const held = newGrant(profile?.id ?? 0, { validUntil: new Date(Date.now() + 3_600_000) })
    const [first = held, second = held] = PATTERNS.map((resourcePattern): NewGrant => {
      return { ...held, id: crypto.randomUUID(), resourcePattern }
    })
    const receiptId = held.receiptId ?? ''
    // In the other order, so that ids do not sort as keys do.
    for (const grant of [second, first]) await write((tx) => tx.entitlements.grant({ ...grant, receiptId }))
    let rivalry: Promise<unknown> = Promise.resolve()
    await write(async (tx) => {
      const again = (grant: NewGrant) => tx.entitlements.grant({ ...grant, id: crypto.randomUUID(), receiptId: null })
      await again(first)
      rivalry = write((other) => rival(other, receiptId))
      await untilOneWaits()
      await again(second)
    })
    await rivalry
    expect(deadlocks).toEqual([])
  })
})
