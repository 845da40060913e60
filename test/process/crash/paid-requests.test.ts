import { postgresStorage } from '@eep/adapters-postgres'
import { encodeHeader, type LocalChain, signPayment, startLocalChain } from '@eep/payments-x402/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { REQUEST_CRASH_POINTS } from '../../support/payment-host.ts'
import { soon } from '../../support/wait.ts'

/** Each mode at each point that it reaches. */
const CASES = (['before', 'after'] as const).flatMap((charge) =>
  REQUEST_CRASH_POINTS.filter((point) => charge === 'after' || !point.endsWith('-measure')).map(
    (point) => [charge, point] as const,
  ),
)
const json = { 'content-type': 'application/json' }

describe.skipIf(onPglite())('a host that is killed while it answers a paid request', () => {
  let chain: LocalChain
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let env: Record<string, string>
  let restarted: Awaited<ReturnType<typeof startCrashHost>> | undefined

  beforeAll(async () => {
    chain = await startLocalChain()
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    const setup = await createTestApp({ storage: postgresStorage({ pool }) })
    const seller = await signUp(setup.app, 'crash-requests')
    await setup.close()
    env = {
      DATABASE_URL: database.connectionString,
      RPC_URL: chain.rpcUrl,
      FACILITATOR_KEY: chain.wallets.facilitator.privateKey,
      PAY_TO: chain.wallets.platform.address,
      SELLER: String(seller.account.active_profile_id),
    }
  })
  afterAll(async () => {
    await restarted?.kill()
    await pool.end()
    await database.drop()
    await chain.stop()
  })

  /** What the chain and the books say of one payer. */
  async function booksOf(address: string) {
    const wallet = address.toLowerCase()
    const [receipts, open] = await Promise.all([
      pool.query('select receipt_id from eep.receipts where lower(payer_wallet_address) = $1', [wallet]),
      pool.query(
        "select id from eep.payments where payer ->> 'wallet' = $1 and state in ('reserved', 'settling', 'unknown')",
        [wallet],
      ),
    ])
    return {
      paid: 1_000_000n - (await chain.balanceOf(address as `0x${string}`)),
      receipts: receipts.rowCount,
      open: open.rowCount,
    }
  }

  it.each(CASES)('charged %s, %s: answers the repeated request, and the payer paid once', async (charge, point) => {
    const doomed = restarted ?? (await startCrashHost(env))
    restarted = undefined
    onTestFinished(doomed.kill)
    const path = `/requests/${charge}`
    const body = JSON.stringify({ point })
    const send = (url: string, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, { method: 'POST', body, headers: { ...json, ...headers } })
    const required = JSON.parse(
      Buffer.from((await send(doomed.url)).headers.get('payment-required') ?? '', 'base64').toString(),
    )
    const payer = await chain.newPayer(1_000_000n)
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(await signPayment(required.accepts[0], payer)) }
    await doomed.change({ DIE_AT: point })
    // The answer may be complete before the process dies at its last point.
    const first = await send(doomed.url, headers).catch(() => undefined)
    await doomed.exited
    if (charge === 'after' && point !== 'before-delivered') expect(first?.ok ?? false).toBe(false)

    restarted = await startCrashHost(env)
    const { url } = restarted
    const last = await soon(async () => {
      const response = await send(url, headers)
      if (response.status === 503) throw new Error('the outcome is not known')
      return response
    })
    expect([last.status, await last.json()]).toEqual([200, { answered: { point } }])
    expect(await booksOf(payer.address)).toEqual({ paid: 10_000n, receipts: 1, open: 0 })
  })
})
