import { postgresStorage } from '@eep/adapters-postgres'
import { encodeHeader, type LocalChain, signPayment, startLocalChain, toV1Payment } from '@eep/payments-x402/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { startCrashHost, untilKnown } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { CRASH_POINTS } from '../../support/payment-host.ts'
import { openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

/** Each version of x402 at each point. */
const CASES = (['2', '1'] as const).flatMap((version) => CRASH_POINTS.map((point) => [version, point] as const))

describe.skipIf(onPglite())('a host that is killed while it is paid', () => {
  let chain: LocalChain
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let env: Record<string, string>
  const shops = new Map<string, Shop>()
  /** The host that was started again in the case before: it is the next to die. */
  let restarted: Awaited<ReturnType<typeof startCrashHost>> | undefined

  beforeAll(async () => {
    chain = await startLocalChain()
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    const storage = postgresStorage({ pool })
    const setup = await createTestApp({ storage })
    for (const [version, point] of CASES) {
      shops.set(`${version} ${point}`, await openShop(setup.app, `crash-${version}-${point}`))
    }
    await setup.close()
    env = {
      DATABASE_URL: database.connectionString,
      RPC_URL: chain.rpcUrl,
      FACILITATOR_KEY: chain.wallets.facilitator.privateKey,
      PAY_TO: chain.wallets.platform.address,
    }
  })
  afterAll(async () => {
    await restarted?.kill()
    await pool.end()
    await database.drop()
    await chain.stop()
  })

  async function credential(url: string, path: string, version: '1' | '2') {
    const response = await fetch(`${url}${path}`)
    const required = JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString())
    const payer = await chain.newPayer(1_000_000n)
    const payment = await signPayment(required.accepts[0], payer)
    const headers: Record<string, string> =
      version === '1'
        ? { 'X-PAYMENT': encodeHeader(toV1Payment(payment)) }
        : { 'PAYMENT-SIGNATURE': encodeHeader(payment) }
    return { payer, headers }
  }

  const count = async (text: string, values: unknown[]) => Number((await pool.query(text, values)).rows[0].count)

  /** What the chain, the receipts and the entitlements say of one payer: all three the same. */
  async function booksOf(payer: { address: string }) {
    const wallet = payer.address.toLowerCase()
    return {
      paid: 1_000_000n - (await chain.balanceOf(payer.address as `0x${string}`)),
      receipts: await count('select count(*) from eep.receipts where lower(payer_wallet_address) = $1', [wallet]),
      entitlements: await count('select count(*) from eep.entitlements where lower(payer_wallet_address) = $1', [
        wallet,
      ]),
      open: await count("select count(*) from eep.payments where state in ('settling', 'unknown') and $1 <> ''", [
        wallet,
      ]),
    }
  }

  it.each(CASES)(
    'version %s, %s: serves the repeated request after a restart, and the payer paid once',
    async (version, point) => {
      const { paid } = shops.get(`${version} ${point}`) as Shop
      const doomed = restarted ?? (await startCrashHost(env))
      restarted = undefined
      onTestFinished(doomed.kill)
      await doomed.change({ DIE_AT: point })
      const { payer, headers } = await credential(doomed.url, paid, version)
      await expect(fetch(`${doomed.url}${paid}`, { headers })).rejects.toThrow()
      await doomed.exited

      restarted = await startCrashHost(env)
      const response = await untilKnown(`${restarted.url}${paid}`, headers)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain(SECRET_WORD)
      expect(await booksOf(payer)).toEqual({ paid: 10_000n, receipts: 1, entitlements: 1, open: 0 })
    },
  )
})
