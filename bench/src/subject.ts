import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { prometheusMetrics } from '@eep/core/metrics'
import type { Storage } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { type Facilitator, x402Rail } from '@eep/payments-x402'
import Fastify from 'fastify'
import { openDatabase } from './database.ts'
import { addSeller, PUBLIC_URL, type Seller } from './seller.ts'
import { serve } from './server-process.ts'

/** What the parent asks for by their paths. */
export interface Subject extends Seller {
  readonly url: string
  /** The payer who holds an entitlement to the page. */
  readonly payer: Readonly<Record<string, string>>
}

/** Cheap, where signing in is not what is measured. */
const CHEAP_KIB = 1_024

/** Offers of stablecoins are made without calls to the facilitator. */
const unused = () => Promise.reject(new Error('not asked'))
const facilitator: Facilitator = { verify: unused, settle: unused, getSupported: unused }
const payTo = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

async function start(storage: Storage, order: Order) {
  const { memoryKiB = CHEAP_KIB, metrics = false, wallets = false, seller } = order
  const cashWallets = createCashWallets()
  const stablecoins = wallets ? [x402Rail({ network: 'base-sepolia', payTo, facilitator })] : []
  const app = Fastify()
  await app.register(eep, {
    modules: everything(),
    publicUrl: PUBLIC_URL,
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
    payments: { rails: [cashRail({ cashWallets }), ...stablecoins] },
    limits: { rateLimit: { multiplier: 1_000_000 } },
    auth: { passwordHashing: { memoryKiB } },
    metrics: metrics ? { registry: prometheusMetrics() } : {},
  })
  const url = await app.listen({ port: 0 })
  if (seller) return { ...seller, url } satisfies Subject

  const { profile, page } = await addSeller(url)
  const challenge = await app.inject({ method: 'GET', url: page })
  const wallet = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
  const paid = await app.inject({
    method: 'GET',
    url: page,
    headers: cashWallets.answer(challenge.headers['payment-required'], { wallet }),
  })
  if (paid.statusCode !== 200) throw new Error(`the page could not be bought: ${paid.body}`)
  const payer = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
  return { url, profile, page, payer } satisfies Subject
}

export interface Order {
  readonly connectionString?: string | undefined
  readonly memoryKiB?: number | undefined
  /** Whether the service measures for Prometheus. */
  readonly metrics?: boolean | undefined
  /** Whether the page can be paid with a wallet in the browser, by the script of pages. */
  readonly wallets?: boolean | undefined
  /** What another instance on the same database has added. Default: adds a seller and a payer. */
  readonly seller?: Omit<Subject, 'url'> | undefined
}

await serve<Order, Subject>(async (order) => {
  const { storage } = await openDatabase(order.connectionString)
  return start(storage, order)
})
