import { paymentUnknown } from '@eep/core/ports'
import { answerChallenge, type FakeStripe, startFakeStripe } from '@eep/payments-card/testing'
import { localFacilitator, x402Rail } from '@eep/payments-x402'
import { encodeHeader, type LocalChain, signPayment, startLocalChain } from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardRailOn, challengeIn } from '../support/cards.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { OPERATED_SECRET, openOperated } from '../support/operator.ts'
import { decodeHeader, openShop, type Shop } from '../support/shop.ts'

// The books of a service against a local chain and a fake Stripe.

const FUNDS = 1_000_000n
const PRICE = 10_000n

interface Compared {
  readonly finding: string
  readonly credential_id: string
  readonly payment: { readonly id: string; readonly state: string; readonly receipt_id: string | null } | null
  readonly books: { readonly reference: string; readonly asset: string; readonly atomic: string } | null
  readonly at_rail: { readonly reference: string; readonly asset: string; readonly atomic: string } | null
  readonly reason: string | null
}

interface Report {
  readonly compared: number
  readonly differs: boolean
  readonly counts: Readonly<Record<string, number>>
  readonly payments: readonly Compared[]
}

describe.skipIf(onPglite())('eep reconcile', () => {
  let chain: LocalChain
  let stripe: FakeStripe
  let host: Awaited<ReturnType<typeof openOperated>>
  let coins: Shop
  let cards: Shop
  let rails: NodeJS.ProcessEnv
  /** How the next settlement on the chain is interrupted: before or after the money moved. */
  let interruption: 'before' | 'after' | undefined

  beforeAll(async () => {
    ;[chain, stripe] = await Promise.all([startLocalChain(), startFakeStripe()])
    const { rpcUrl, wallets } = chain
    const own = { network: 'base-sepolia', rpcUrl }
    const facilitator = localFacilitator({ ...own, privateKey: wallets.facilitator.privateKey })
    const rail = x402Rail({ ...own, payTo: wallets.platform.address, facilitator })
    const settle: typeof rail.settle = async (...sale) => {
      const when = interruption
      interruption = undefined
      if (when === 'before') throw paymentUnknown()
      const settlement = await rail.settle(...sale)
      if (when === 'after') throw paymentUnknown()
      return settlement
    }
    host = await openOperated({
      payments: { rails: [{ ...rail, settle }, cardRailOn(stripe, { secret: OPERATED_SECRET })], payerProof: 'lookup' },
    })
    rails = {
      X402_NETWORK: 'base-sepolia',
      X402_RPC_URL: rpcUrl,
      X402_FACILITATOR_KEY: wallets.facilitator.privateKey,
      X402_PAY_TO: wallets.platform.address,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PROFILE_ID: stripe.profileId,
      STRIPE_API_BASE: stripe.url,
    }
    coins = await openShop(host.app, 'coins')
    cards = await openShop(host.app, 'cards', { amount: 5, currency: 'usd' })
  })
  afterAll(async () => {
    await host.close()
    await stripe.stop()
    await chain.stop()
  })

  const get = (url: string, headers: Record<string, string> = {}) => client(host.app).get(url, headers)

  async function payWithCoins() {
    const wallet = await chain.newPayer(FUNDS)
    const [accept] = decodeHeader(await get(coins.paid), 'payment-required').accepts
    const headers = { 'payment-signature': encodeHeader(await signPayment(accept, wallet)) }
    const { statusCode } = await get(coins.paid, headers)
    const credentialId = await lastPayment('x402')
    return {
      statusCode,
      credentialId,
      paid: async () => FUNDS - (await chain.balanceOf(wallet.address)),
      read: async () => (await get(coins.paid, headers)).statusCode,
    }
  }

  async function payWithCard() {
    const challenge = challengeIn(await get(cards.paid))
    if (!challenge) throw new Error('there is no challenge')
    const { statusCode } = await get(cards.paid, { authorization: answerChallenge(stripe, challenge) })
    return { statusCode, credentialId: await lastPayment('stripe-mpp'), intent: stripe.charges().at(-1)?.id ?? '' }
  }

  async function lastPayment(rail: string): Promise<string> {
    const { rows } = await host.pool.query(
      'select credential_id from eep.payments where rail = $1 order by created_at desc limit 1',
      [rail],
    )
    return rows[0].credential_id
  }

  const reconcile = async (...options: string[]) => {
    const { code, out, err } = await host.runWith(rails, 'reconcile', '--json', ...options)
    expect(err).toBe('')
    const report = JSON.parse(out) as Report
    return {
      code,
      report,
      of: ({ credentialId }: { readonly credentialId: string }) =>
        report.payments.find(({ credential_id }) => credential_id === credentialId),
    }
  }

  const RECEIPT_OF = '(select receipt_id from eep.payments where credential_id = $1)'
  /** Changes the books in the database, runs a function, and restores them. */
  async function withBooks<Result>(
    { credentialId }: { readonly credentialId: string },
    table: 'receipts' | 'payments',
    changes: Readonly<Record<string, string | null>>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const where = table === 'payments' ? 'credential_id = $1' : `receipt_id = ${RECEIPT_OF}`
    const { rows } = await host.pool.query(`select * from eep.${table} where ${where}`, [credentialId])
    const columns = Object.keys(changes)
    const set = (values: readonly unknown[]) =>
      host.pool.query(
        `update eep.${table} set ${columns.map((column, at) => `${column} = $${at + 2}`)} where ${where}`,
        [credentialId, ...values],
      )
    await set(columns.map((column) => changes[column]))
    try {
      return await work()
    } finally {
      await set(columns.map((column) => rows[0][column]))
    }
  }

  it('finds that the books match the chain and Stripe', async () => {
    expect([(await payWithCoins()).statusCode, (await payWithCard()).statusCode]).toEqual([200, 200])
    const { code, report } = await reconcile()
    expect([code, report.differs, report.payments]).toEqual([0, false, []])
    expect(report.counts).toEqual({ matches: report.compared })
    expect(report.compared).toBeGreaterThanOrEqual(2)
    const { out } = await host.runWith(rails, 'reconcile')
    expect(out).toBe(`${report.compared} payments compared: ${report.compared} match\n`)
  })

  it.each([
    ['the chain', payWithCoins, `${PRICE}`],
    ['Stripe', payWithCard, '500'],
  ] as const)('finds an amount that differs from that of %s', async (_rail, pay, atomic) => {
    const sale = await pay()
    const { code, report, of } = await withBooks(sale, 'receipts', { amount_atomic: '999' }, () => reconcile())
    expect([code, report.differs]).toEqual([1, true])
    expect(of(sale)).toMatchObject({ finding: 'amount_differs', books: { atomic: '999' }, at_rail: { atomic } })
    expect(report.counts.amount_differs).toBe(1)
  })

  it.each([
    ['the chain', payWithCoins, { settlement_transaction: `0x${'ab'.repeat(32)}` }, 'transaction_not_found'],
    ['Stripe', payWithCard, { settlement_reference: 'pi_that_does_not_exist' }, 'payment_intent_not_found'],
  ] as const)('finds a payment that is missing at %s', async (_rail, pay, changes, reason) => {
    const sale = await pay()
    const { code, of } = await withBooks(sale, 'receipts', changes, () => reconcile())
    expect(code).toBe(1)
    expect(of(sale)).toMatchObject({ finding: 'missing_at_rail', reason, at_rail: null })
  })

  it.each([
    ['the chain', payWithCoins],
    ['Stripe', payWithCard],
  ] as const)('finds a payment that %s has and that the books refused', async (_rail, pay) => {
    const sale = await pay()
    const refused = { state: 'refused', receipt_id: null }
    const { code, of } = await withBooks(sale, 'payments', refused, () => reconcile('--apply'))
    expect(code).toBe(1)
    expect(of(sale)).toMatchObject({
      finding: 'missing_in_books',
      payment: { state: 'refused', receipt_id: null },
      at_rail: { reference: expect.any(String) },
    })
  })

  it('finds a settled payment without its receipt', async () => {
    const sale = await payWithCard()
    const { code, of } = await withBooks(sale, 'payments', { receipt_id: 'lost' }, () => reconcile())
    expect(code).toBe(1)
    expect(of(sale)).toMatchObject({ finding: 'missing_in_books', reason: 'receipt_missing' })
  })

  it('finds a payment at Stripe that the books have no record of', async () => {
    const sale = await payWithCard()
    const unknown = { credential_id: 'of another payment' }
    const { rows } = await host.pool.query('select id from eep.payments where credential_id = $1', [sale.credentialId])
    const rename = (id: string) =>
      host.pool.query('update eep.payments set credential_id = $2 where id = $1', [rows[0].id, id])
    await rename(unknown.credential_id)
    const { code, of } = await reconcile()
    // The tests after this one find the payment under its own name.
    await rename(sale.credentialId)
    expect(code).toBe(1)
    expect(of(sale)).toMatchObject({
      finding: 'missing_in_books',
      payment: null,
      at_rail: { reference: sale.intent, atomic: '500', asset: 'usd' },
    })
  })

  it('finds a refund that only Stripe has', async () => {
    const sale = await payWithCard()
    stripe.refundCharge(sale.intent)
    const { code, of } = await reconcile()
    expect([code, of(sale)?.finding]).toEqual([1, 'refund_missing_in_books'])
    // A partial refund is not recorded.
    const partial = await payWithCard()
    stripe.refundCharge(partial.intent, 100)
    expect((await reconcile()).of(partial)).toBeUndefined()
    await host.pool.query(
      `insert into eep.refunds (receipt_id, reference, refunded_at) values (${RECEIPT_OF}, 're_1', now())`,
      [sale.credentialId],
    )
    await host.pool.query(
      `insert into eep.refunds (receipt_id, reference, refunded_at) values (${RECEIPT_OF}, 're_2', now())`,
      [partial.credentialId],
    )
    const { of: now } = await reconcile()
    expect([now(sale), now(partial)?.finding]).toEqual([undefined, 'refund_missing_at_rail'])
    await host.pool.query(`delete from eep.refunds where receipt_id = ${RECEIPT_OF}`, [partial.credentialId])
  })

  it('records a payment whose outcome was lost only with --apply, and grants what was paid once', async () => {
    interruption = 'after'
    const sale = await payWithCoins()
    expect([sale.statusCode, await sale.paid()]).toEqual([503, PRICE])
    const looked = await reconcile()
    expect(looked.code).toBe(0)
    expect(looked.of(sale)).toMatchObject({
      finding: 'unknown',
      payment: { state: 'unknown', receipt_id: null },
      at_rail: { atomic: `${PRICE}` },
    })
    const applied = await reconcile('--apply')
    expect(applied.code).toBe(0)
    expect(applied.of(sale)).toMatchObject({
      finding: 'resolved',
      payment: { state: 'settled', receipt_id: expect.stringMatching(/^rcpt_/) },
    })
    expect([await sale.read(), await sale.paid()]).toEqual([200, PRICE])
    expect((await reconcile()).of(sale)).toBeUndefined()
  })

  it('leaves a payment unknown that can still be paid, and charges nothing', async () => {
    interruption = 'before'
    const sale = await payWithCoins()
    expect(sale.statusCode).toBe(503)
    for (const options of [[], ['--apply']]) {
      const { code, of } = await reconcile(...options)
      expect(code).toBe(0)
      expect(of(sale)).toMatchObject({ finding: 'unknown', payment: { state: 'unknown' }, at_rail: null })
    }
    expect(await sale.paid()).toBe(0n)
    expect(await sale.read()).toBe(200)
    expect(await sale.paid()).toBe(PRICE)
  })

  it('leaves a payment alone that a host is working on', async () => {
    interruption = 'after'
    const sale = await payWithCoins()
    const lease = (until: string) =>
      host.pool.query(`update eep.payments set lease_until = ${until} where credential_id = $1`, [sale.credentialId])
    await lease(`now() + interval '1 hour'`)
    expect((await reconcile('--apply')).of(sale)).toMatchObject({ finding: 'unknown', reason: 'under_way' })
    await lease('null')
    expect((await reconcile('--apply')).of(sale)?.finding).toBe('resolved')
  })

  it('compares only payments from a time on', async () => {
    const old = await payWithCoins()
    await host.pool.query(`update eep.payments set created_at = '2020-01-01' where credential_id = $1`, [
      old.credentialId,
    ])
    const broken = () => reconcile('--since', '2020-01-02')
    const { of } = await withBooks(old, 'receipts', { amount_atomic: '999' }, broken)
    expect(of(old)).toBeUndefined()
    const { of: earlier } = await withBooks(old, 'receipts', { amount_atomic: '999' }, () =>
      reconcile('--since', '2020-01-01T00:00:00Z'),
    )
    expect(earlier(old)?.finding).toBe('amount_differs')
    const { code, err } = await host.runWith(rails, 'reconcile', '--since', 'yesterday')
    expect([code, err]).toEqual([2, expect.stringContaining('--since must be a date')])
  })

  it('skips rails that are not configured, and reports it', async () => {
    const { code, out } = await host.run('reconcile', '--json')
    const { compared, counts, payments } = JSON.parse(out) as Report
    expect([code, counts]).toEqual([0, { unchecked: compared }])
    expect(new Set(payments.map(({ reason }) => reason))).toEqual(new Set(['rail_missing']))
  })

  it('counts a payment as not checked when the chain cannot be reached', async () => {
    const since = new Date().toISOString()
    await payWithCoins()
    const { code, out, err } = await host.runWith(
      { ...rails, X402_RPC_URL: 'http://127.0.0.1:9' },
      ...['reconcile', '--json', '--since', since],
    )
    const { payments } = JSON.parse(out) as Report
    expect([code, payments.every(({ finding }) => finding === 'unchecked')]).toEqual([0, true])
    expect(new Set(payments.map(({ reason }) => reason))).toEqual(new Set(['rail_unavailable']))
    expect(err).not.toContain(rails.X402_FACILITATOR_KEY)
  })
})
