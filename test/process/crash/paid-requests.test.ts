import { postgresStorage } from '@eep/adapters-postgres'
import { type LocalChain, signPayment, startLocalChain } from '@eep/payments-x402/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { REQUEST_CRASH_POINTS } from '../../support/payment-host.ts'
import { soon } from '../../support/wait.ts'

/** The points between the steps of a payment: claim, run, capture and record. */
const BETWEEN: readonly string[] = ['after-claim', 'in-handler', 'after-measure', 'after-settle']
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

type Charge = 'before' | 'after'
interface ToolOutcome {
  readonly isError?: boolean
  readonly content?: readonly { readonly text: string }[]
  readonly structuredContent?: { readonly accepts?: readonly unknown[] }
}
interface Answer {
  readonly is: 'paid' | 'pending' | 'refused'
  readonly value: unknown
}

/** Ways to buy: each asks for the offers, and sends a signed payment. */
const WAYS = {
  'a request': {
    points: REQUEST_CRASH_POINTS,
    async offer(url: string, charge: Charge, body: object) {
      const response = await fetch(`${url}/requests/${charge}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: json,
      })
      return JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString())
    },
    async pay(url: string, charge: Charge, body: object, payment: object): Promise<Answer> {
      const response = await fetch(`${url}/requests/${charge}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...json, 'PAYMENT-SIGNATURE': base64(payment) },
      })
      const value = await response.json()
      return { is: response.ok ? 'paid' : response.status === 503 ? 'pending' : 'refused', value }
    },
  },
  'a tool': {
    points: REQUEST_CRASH_POINTS.filter((point) => BETWEEN.includes(point)),
    offer: async (url: string, charge: Charge, body: object) => (await callTool(url, charge, body)).structuredContent,
    async pay(url: string, charge: Charge, body: object, payment: object): Promise<Answer> {
      const result = await callTool(url, charge, body, { 'x402/payment': payment })
      const isPending = result.content?.[0]?.text.includes('settlement_pending')
      return { is: result.isError ? (isPending ? 'pending' : 'refused') : 'paid', value: result.structuredContent }
    },
  },
} as const

async function callTool(url: string, charge: Charge, args: object, meta?: object) {
  const params = { name: `answer_${charge}`, arguments: args, ...(meta && { _meta: meta }) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const response = await fetch(`${url}/mcp`, { method: 'POST', body, headers: json })
  const { result } = (await response.json()) as { readonly result: ToolOutcome }
  return result
}

/** Each way and mode at each point that it reaches. */
const CASES = (['a request', 'a tool'] as const).flatMap((way) =>
  (['before', 'after'] as const).flatMap((charge) =>
    WAYS[way].points
      .filter((point) => charge === 'after' || !point.endsWith('-measure'))
      .map((point) => [way, charge, point] as const),
  ),
)

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

  it.each(CASES)(
    '%s, charged %s, %s: is answered when repeated, and the payer paid once',
    async (way, charge, point) => {
      const { offer, pay } = WAYS[way]
      const doomed = restarted ?? (await startCrashHost(env))
      restarted = undefined
      onTestFinished(doomed.kill)
      const payer = await chain.newPayer(1_000_000n)
      const { accepts } = await offer(doomed.url, charge, { point })
      const payment = await signPayment(accepts[0], payer)
      await doomed.change({ DIE_AT: point })
      // The answer may be complete before the process dies at its last point.
      const first = await pay(doomed.url, charge, { point }, payment).catch(() => undefined)
      await doomed.exited
      if (charge === 'after' && point !== 'before-delivered') expect(first?.is).not.toBe('paid')

      restarted = await startCrashHost(env)
      const { url } = restarted
      const last = await soon(async () => {
        const answer = await pay(url, charge, { point }, payment)
        if (answer.is === 'pending') throw new Error('the outcome is not known')
        return answer
      })
      expect(last).toEqual({ is: 'paid', value: { answered: { point } } })
      expect(await booksOf(payer.address)).toEqual({ paid: 10_000n, receipts: 1, open: 0 })
    },
  )
})
