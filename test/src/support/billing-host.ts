import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import type { BillingProcessor, Storage, Stores } from '@eep/core/ports'
import { cardBilling } from '@eep/payments-card'
import Fastify from 'fastify'
import { Pool } from 'pg'

/**
 * A host that dies by SIGKILL at one point of the handler of a subscription's message. It is started as a process of its
 * own with `DATABASE_URL`, `STRIPE_URL`, `STRIPE_KEY`, `WEBHOOK_SECRET`, and `DIE_AT`, one of {@link BILLING_POINTS}, or
 * none. It prints its port.
 */
export const BILLING_POINTS = [
  'before-asking',
  'after-asking',
  'while-writing',
  'after-writing',
  'while-finishing',
  'after-finishing',
] as const

export type BillingPoint = (typeof BILLING_POINTS)[number]

const LEASE_MS = 300

const dieAt = process.env.DIE_AT as BillingPoint | undefined

/** Never comes back from a point where the process dies: the signal needs a moment. */
async function reach(at: BillingPoint): Promise<void> {
  if (dieAt !== at) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

const fatalStores = (tx: Stores, seen: Set<string>): Stores => ({
  ...tx,
  subscriptions: new Proxy(tx.subscriptions, {
    get(target, name: keyof Stores['subscriptions']) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        // What a process held that died is free again soon, and not in a minute.
        if (name === 'takeLease') args[2] = LEASE_MS
        const result = await method.apply(target, args)
        seen.add(name)
        if (name === 'put') await reach('while-writing')
        if (name === 'endMessage') await reach('while-finishing')
        return result
      }
    },
  }),
})

const fatalStorage = (storage: Storage): Storage => ({
  ...storage,
  async transaction(work) {
    const seen = new Set<string>()
    const result = await storage.transaction((tx) => work(fatalStores(tx, seen)))
    if (seen.has('put')) await reach('after-writing')
    if (seen.has('endMessage')) await reach('after-finishing')
    return result
  },
})

const fatalBilling = (billing: BillingProcessor): BillingProcessor => ({
  ...billing,
  async getSubscription(id) {
    await reach('before-asking')
    const found = await billing.getSubscription(id)
    await reach('after-asking')
    return found
  },
})

async function main() {
  const { DATABASE_URL, STRIPE_URL, STRIPE_KEY = '', WEBHOOK_SECRET } = process.env
  const app = Fastify()
  await app.register(eepPlugin, {
    publicUrl: 'https://profiles.example',
    secret: 'a secret for tests, of thirty-two characters or more',
    storage: fatalStorage(postgresStorage({ pool: new Pool({ connectionString: DATABASE_URL }) })),
    billing: fatalBilling(cardBilling({ secretKey: STRIPE_KEY, apiBase: STRIPE_URL, webhookSecret: WEBHOOK_SECRET })),
    rateLimit: { multiplier: 1_000 },
    passwordHashing: { memoryKiB: 1_024 },
  })
  process.stdout.write(`listening on ${await app.listen({ port: 0 })}\n`)
}

// Imported by the test for the names of its points; run by it as a program.
if (process.argv[1] === import.meta.filename) await main()
