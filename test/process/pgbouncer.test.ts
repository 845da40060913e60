import { postgresStorage } from '@eep/adapters-postgres'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { client } from '../support/client.ts'
import { createDatabase } from '../support/database.ts'
import { findPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { createCashApp, header, openShop } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

/** Fewer than the requests that are handled at the same time, so that they take turns on the connections. */
const POOL_SIZE = 3
const BUYERS = 15
/** One cent, in millionths. */
const PRICE = 10_000n

const found = await findPgBouncer()
const onServer = inject('postgres').kind !== 'pglite'
const reason = typeof found === 'string' ? `: ${found}` : ''

describe.skipIf(typeof found === 'string' || !onServer)(`a storage on PgBouncer in transaction mode${reason}`, () => {
  let pooler: PgBouncer
  let sellers = 0
  let database: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    if (typeof found === 'string') return
    database = await createDatabase()
    pooler = await found.start({ connectionString: database.connectionString, poolSize: POOL_SIZE })
  })
  afterAll(async () => {
    await pooler.stop()
    await database.drop()
  })

  // By default the storage listens through the pooler, which loses notifications.
  it.each([
    ['polls the log', () => false as const],
    ['listens on a direct connection', () => () => new Client({ connectionString: database.connectionString })],
    ['has no settings for a pooler', () => undefined],
  ])('migrates, sells each purchase once and delivers events when the storage %s', async (_how, listen) => {
    const pool = new Pool({ connectionString: pooler.urlOf(database.connectionString), max: 10 })
    const storage = postgresStorage({ pool, listen: listen() })
    await storage.migrate()
    const shop = await createCashApp({ storage })
    const sold: string[] = []
    try {
      shop.app.eep.on('payments.payment_settled', ({ data }) => void sold.push(data.receiptId))
      const { get } = client(shop.app)
      const seller = await openShop(shop.app, `seller-${++sellers}`)
      const purchases = await Promise.all(
        Array.from({ length: BUYERS }, async (_, buyer) => {
          const offers = header(await get(seller.paid), 'payment-required')
          const payment = shop.cashWallets.answer(offers, { wallet: `wallet:buyer-${buyer}` })
          // Twice at the same time, and once more.
          const answers = await Promise.all([get(seller.paid, payment), get(seller.paid, payment)])
          answers.push(await get(seller.paid, payment))
          return answers.map(({ statusCode }) => statusCode)
        }),
      )
      expect(purchases.flat()).toEqual(Array.from({ length: 3 * BUYERS }, () => 200))
      expect(shop.cashWallets.balance(seller.did)).toBe(BigInt(BUYERS) * PRICE)
      await soon(() => expect(new Set(sold).size).toBe(BUYERS))
      expect(sold).toHaveLength(BUYERS)
    } finally {
      await shop.close()
      await storage.close()
      await pool.end()
    }
  })
})
