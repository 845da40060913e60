import { setTimeout as sleep } from 'node:timers/promises'
import { postgresStorage } from '@eep/adapters-postgres'
import { type FakeStripe, payChallenge, startFakeStripe, TAKING } from '@eep/payments-card/testing'
import { encodeHeader, type LocalChain, signPayment, startLocalChain, type Wallet } from '@eep/payments-x402/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { startCrashHost, untilKnown } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

const PRICE = 1_000_000n
/** How many payments must have been under way at the moments of death. CI sets 200. */
const IN_FLIGHT = Number(process.env.CRASHED_PAYMENTS ?? 60)
const PER_ROUND = 48

type Host = Awaited<ReturnType<typeof startCrashHost>>

interface Payment {
  readonly headers: Record<string, string>
  /** The wallet, for a payment on the chain. */
  readonly wallet: `0x${string}` | undefined
  inFlight?: boolean
  /** The status of the answer, once there was one. */
  status?: number | undefined
}

const onChain = ({ wallet }: Payment) => wallet !== undefined
const onCard = (payment: Payment) => !onChain(payment)

describe.skipIf(onPglite())('a host that is killed while many pay, on both rails', () => {
  let chain: LocalChain
  let stripe: FakeStripe
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let env: Record<string, string>
  let shop: Shop

  beforeAll(async () => {
    ;[chain, stripe, database] = await Promise.all([startLocalChain(), startFakeStripe(), createMigratedDatabase()])
    pool = new Pool({ connectionString: database.connectionString })
    const storage = postgresStorage({ pool })
    const setup = await createTestApp({ storage })
    shop = await openShop(setup.app, 'crowded', { amount: 1, currency: 'usd' })
    await setup.close()
    env = {
      DATABASE_URL: database.connectionString,
      RPC_URL: chain.rpcUrl,
      FACILITATOR_KEY: chain.wallets.facilitator.privateKey,
      PAY_TO: chain.wallets.platform.address,
      STRIPE_URL: stripe.url,
      STRIPE_KEY: stripe.secretKey,
    }
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
    await stripe.stop()
    await chain.stop()
  })

  /** A payment by a new card or a new wallet for the 402 of this host. */
  async function newPayment(url: string, payer: Wallet | undefined): Promise<Payment> {
    const offer = await fetch(url)
    await offer.body?.cancel()
    if (!payer) return { headers: payChallenge(stripe, offer.headers.get('www-authenticate')), wallet: undefined }
    const required = JSON.parse(Buffer.from(offer.headers.get('payment-required') ?? '', 'base64').toString())
    const accept = required.accepts.find(({ network }: { network: string }) => network.startsWith('eip155:'))
    return { headers: { 'PAYMENT-SIGNATURE': encodeHeader(await signPayment(accept, payer)) }, wallet: payer.address }
  }

  /** One after the other: the wallet that mints has one nonce at a time. */
  async function newWallets(count: number): Promise<readonly Wallet[]> {
    const wallets: Wallet[] = []
    while (wallets.length < count) wallets.push(await chain.newPayer(PRICE))
    return wallets
  }

  const rows = async <Row>(text: string, values: unknown[] = []): Promise<readonly Row[]> =>
    (await pool.query(text, values)).rows
  const countsOf = async (text: string, values?: unknown[]) =>
    new Map((await rows<{ key: string; count: string }>(text, values)).map(({ key, count }) => [key, Number(count)]))
  const statesSince = (moment: Date) =>
    countsOf('select state as key, count(*) from eep.payments where created_at >= $1 group by state', [moment])

  /** Lets payments go out a little after each other, and kills the host when so many of some of them are answered. */
  async function killInTheMidst(host: Host, payments: readonly Payment[], watched: readonly Payment[]) {
    const enough = 1 + Math.floor((Math.random() * watched.length) / 3)
    let alive = true
    const sent = payments.map(async (payment) => {
      await sleep(Math.random() * 60)
      if (!alive) return
      payment.inFlight = true
      const response = await fetch(`${host.url}${shop.paid}`, { headers: payment.headers }).catch(() => undefined)
      if (!response) return
      payment.inFlight = false
      payment.status = response.status
      await response.body?.cancel().catch(() => undefined)
    })
    const answered = () => watched.filter(({ status }) => status !== undefined).length
    for (const end = Date.now() + 20_000; answered() < enough && Date.now() < end; ) await sleep(1)
    await sleep(Math.random() * 40)
    alive = false
    await host.kill()
    await Promise.all(sent)
  }

  it('has equal charges, receipts and entitlements after a host was killed', async () => {
    const payments: Payment[] = []
    const atDeath = { settling: 0, recordedAndUnseen: 0 }
    const inFlight = () => payments.filter((payment) => payment.inFlight)
    let host = await startCrashHost(env)
    try {
      for (let round = 0; inFlight().length < IN_FLIGHT && round < 60; round++) {
        const begun = new Date()
        const wallets = await newWallets(PER_ROUND / 2)
        const payers = wallets.flatMap((wallet) => [wallet, undefined])
        const made = await Promise.all(payers.map((payer) => newPayment(`${host.url}${shop.paid}`, payer)))
        payments.push(...made)
        if (round % 3 === 1) stripe.failNext(TAKING, 'slow_after')
        const rail = round % 3 === 0 ? onChain : onCard
        await killInTheMidst(host, made, made.filter(rail))
        const states = await statesSince(begun)
        atDeath.settling += states.get('settling') ?? 0
        atDeath.recordedAndUnseen += (states.get('settled') ?? 0) - made.filter(({ status }) => status === 200).length
        host = await startCrashHost(env)
      }
      expect(inFlight().length).toBeGreaterThanOrEqual(IN_FLIGHT)
      const claimed = atDeath.settling + atDeath.recordedAndUnseen
      // They died at different points: before the claim, before the record, before the answer.
      expect(atDeath.settling).toBeGreaterThan(0)
      expect(atDeath.recordedAndUnseen).toBeGreaterThan(0)
      expect(claimed).toBeLessThan(inFlight().length)
      for (const rail of [onChain, onCard]) {
        const ofRail = payments.filter(rail)
        expect(ofRail.filter((payment) => payment.inFlight).length).toBeGreaterThan(IN_FLIGHT / 10)
        expect(ofRail.map(({ status }) => status)).toContain(200)
      }

      const returning = payments.filter((_, index) => index % 4 < 2)
      const served = await Promise.all(
        returning.map(async ({ headers }) => {
          const response = await untilKnown(`${host.url}${shop.paid}`, headers)
          const text = await response.text()
          return text.includes(SECRET_WORD) ? response.status : `${response.status} ${text}`
        }),
      )
      expect(served.filter((answer) => answer !== 200)).toEqual([])
      // Those who never came back are the reconciler's.
      const openNow = async () =>
        [...(await statesSince(new Date(0))).keys()].filter((state) => /settling|unknown/.test(state))
      await expect.poll(openNow, { timeout: 60_000, interval: 100 }).toEqual([])

      const byWallet = (table: string) =>
        countsOf(`select lower(payer_wallet_address) as key, count(*) from eep.${table} group by 1`)
      const [receipts, entitlements] = [await byWallet('receipts'), await byWallet('entitlements')]
      expect(entitlements).toEqual(receipts)

      for (const payment of payments.filter(onChain)) {
        const wallet = payment.wallet as `0x${string}`
        const paid = Number((PRICE - (await chain.balanceOf(wallet))) / PRICE)
        expect(receipts.get(wallet.toLowerCase()) ?? 0).toBe(paid)
        if (payment.status === 200 || returning.includes(payment)) expect(paid).toBe(1)
      }
      const charges = stripe.charges()
      expect(new Set(charges.map(({ metadata }) => metadata.eep_credential)).size).toBe(charges.length)
      const references = await rows<{ reference: string }>(
        "select settlement_reference as reference from eep.receipts where settlement_network = 'stripe:test'",
      )
      expect(references.map(({ reference }) => reference).sort()).toEqual(charges.map(({ id }) => id).sort())
      const owed = payments.filter(onCard).filter((payment) => payment.status === 200 || returning.includes(payment))
      expect(charges.length).toBeGreaterThanOrEqual(owed.length)
      expect([...receipts.values()].reduce((sum, count) => sum + count, 0)).toBe(
        charges.length + (await chain.paymentsTo(chain.wallets.platform.address)).length,
      )
    } finally {
      await host.kill()
    }
  }, 600_000)
})
