import { eep } from '@eep/core'
import { prometheusMetrics } from '@eep/core/metrics'
import type { Storage } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
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

async function start(storage: Storage, { memoryKiB = CHEAP_KIB, modules = {}, metrics = false }: Order) {
  const cashWallets = createCashWallets()
  const app = Fastify()
  await app.register(eep, {
    publicUrl: PUBLIC_URL,
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
    payments: { rails: [cashRail({ cashWallets })] },
    limits: { rateLimit: { multiplier: 1_000_000 } },
    auth: { passwordHashing: { memoryKiB } },
    modules,
    metrics: metrics ? { registry: prometheusMetrics() } : {},
  })
  const url = await app.listen({ port: 0 })

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
  /** Modules that are switched off. */
  readonly modules?: Readonly<Record<string, boolean>> | undefined
  /** Whether the service measures for Prometheus. */
  readonly metrics?: boolean | undefined
}

await serve<Order, Subject>(async (order) => {
  const { storage } = await openDatabase(order.connectionString)
  return start(storage, order)
})
