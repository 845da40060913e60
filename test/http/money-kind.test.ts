import { createEep } from '@eep/core'
import type { MoneyKind, PaymentRail } from '@eep/core/ports'
import { cashBilling, cashRail, newPayment } from '@eep/core/testing'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  createTestApp,
  openStorage,
  PUBLIC_URL,
  SECRET,
  type TestAppOptions,
  type TestStorage,
} from '../support/app.ts'
import { createCashApp, openShop } from '../support/shop.ts'

/** A rail in memory that takes money of a kind, or of a network when no kind is given. */
const railOf = (id: string, network: string, moneyKind?: MoneyKind): PaymentRail => ({
  ...cashRail({ id, network }),
  moneyKind,
})
const TEST = railOf('test', 'eip155:84532')
const REAL = railOf('real', 'eip155:8453')
const SANDBOX = railOf('sandbox', 'eip155:1402402402')

describe('the kind of money of a database', () => {
  let database: TestStorage
  beforeEach(async () => {
    database = await openStorage()
  })
  afterEach(() => database.close())

  /** Starts a service on the database, and stops it. */
  async function start(rails: readonly PaymentRail[], options: TestAppOptions = {}): Promise<void> {
    const { close } = await createTestApp({ ...options, storage: database.storage, payments: { rails } })
    await close()
  }
  /** Stores a payment in a database without a kind, as a service of an earlier version did. */
  const pay = (network: string) =>
    database.storage.transaction((tx) => tx.payments.claim(newPayment({ payer: { wallet: '0x01', network } }), 60_000))

  it.each([
    [[TEST, REAL], 'test money (test on eip155:84532) and real money (real on eip155:8453)'],
    [[SANDBOX, TEST], 'play money of the sandbox (sandbox on eip155:1402402402) and test money'],
  ])('prevents the start of a service with rails of several kinds, and the error names them', async (rails, named) => {
    await expect(start(rails)).rejects.toThrow(/^rails_of_different_kinds: /)
    await expect(start(rails)).rejects.toThrow(named)
  })

  it('counts the processor of subscriptions', async () => {
    const subscriptions = { billing: cashBilling({ id: 'coins' }) }
    await expect(start([REAL], { subscriptions })).rejects.toThrow('test money (billing of coins)')
    await start([TEST], { subscriptions })
  })

  it('counts an own rail that names no network as real money', async () => {
    const { info: _, ...unnamed } = railOf('own', 'eip155:84532')
    await expect(start([unnamed, TEST])).rejects.toThrow('real money (own)')
  })

  it.each([
    ['test', TEST, [REAL, SANDBOX]],
    ['real', REAL, [TEST, SANDBOX]],
    ['sandbox', SANDBOX, [TEST, REAL]],
  ] as const)(
    'stays %s after the first start with such a rail, also when nothing was sold',
    async (_, first, others) => {
      await start([first])
      for (const other of others) {
        await expect(start([other])).rejects.toThrow(
          /^database_kind_mismatch: The database holds .+ export and an import/,
        )
      }
      await start([first])
    },
  )

  it('is not written by a service without rails, which starts on a database of each kind', async () => {
    await start([])
    await start([REAL])
    await start([])
  })

  it('is decided by the payments that are stored, where no start has written it', async () => {
    await pay('eip155:8453')
    await expect(start([TEST])).rejects.toThrow(/^database_kind_mismatch: The database holds real money/)
    await start([REAL])
  })

  it('cannot be decided when payments of several kinds are stored, and the error counts them', async () => {
    await pay('eip155:8453')
    await pay('eip155:84532')
    await pay('stripe:test')
    await expect(start([REAL])).rejects.toThrow(
      /^database_kind_mixed: .+(1 of real money and 2 of test money|2 of test money and 1 of real money)/,
    )
  })

  it('does not become that of the sandbox in a database with accounts', async () => {
    const { eep, close } = await createTestApp({ storage: database.storage })
    await eep.accounts.register({
      email: 'ada@example.com',
      username: 'ada',
      password: 'Analytical-Engine-1',
      fullName: null,
    })
    await close()
    await expect(start([SANDBOX])).rejects.toThrow(/^database_kind_mismatch: The database has accounts/)
    await start([REAL])
  })

  it('is that of one of two services that start at the same time with different rails', async () => {
    const starts = await Promise.allSettled([start([TEST]), start([REAL])])
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('a service whose rails take another kind of money than its database holds', () => {
  it.each([
    ['when its start takes long', async () => new Promise((resolve) => setTimeout(resolve, 1_500))],
    ['when its start fails', async () => Promise.reject(new Error('not migrated'))],
  ])('serves and sells nothing %s', async (_, ping) => {
    const database = await openStorage()
    onTestFinished(() => database.close())
    const first = await createCashApp({ storage: database.storage })
    const shop = await openShop(first.app, 'seller')
    await first.close()

    const app = Fastify()
    onTestFinished(() => app.close())
    const service = createEep({
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: { ...database.storage, ping: async () => void (await ping()) },
      payments: { rails: [{ ...cashRail(), moneyKind: 'real' }] },
    })
    onTestFinished(() => service.stop())
    await app.register(service.http)
    void service.start().catch(() => undefined)
    for (const url of [shop.paid, shop.profile, '/auth/me']) {
      const response = await app.inject({ url, headers: { accept: 'application/json' } })
      expect([response.statusCode, response.json().error?.code]).toEqual([503, 'service_misconfigured'])
    }
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200)
  })
})
