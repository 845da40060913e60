import { flushCompileCache } from 'node:module'
import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import { everything } from '@eep/core/everything'
import type { BillingProcessor, OptionalGroup, Storage } from '@eep/core/ports'
import { cardBilling } from '@eep/payments-card'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { reach, watchedStore } from './crash-points.ts'

/**
 * A host that dies by SIGKILL at one point of the handler of a subscription’s message. It is started as a separate process with `DATABASE_URL`, `STRIPE_URL`, `STRIPE_KEY`, `WEBHOOK_SECRET`, and `DIE_AT`, one of {@link BILLING_POINTS}, or
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

const at = (point: BillingPoint): Promise<void> => reach(point)

const fatalStorage = (storage: Storage<OptionalGroup>): Storage<OptionalGroup> =>
  watchedStore(storage, 'subscriptions', {
    before(method, given) {
      // What a process held that died is free again soon, and not in a minute.
      if (method === 'takeLease') given[2] = LEASE_MS
    },
    async after(method) {
      if (method === 'put') await at('while-writing')
      if (method === 'endMessage') await at('while-finishing')
    },
    async committed(called) {
      if (called.has('put')) await at('after-writing')
      if (called.has('endMessage')) await at('after-finishing')
    },
  })

const fatalBilling = (billing: BillingProcessor): BillingProcessor => ({
  ...billing,
  async getSubscription(id) {
    await at('before-asking')
    const found = await billing.getSubscription(id)
    await at('after-asking')
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
    modules: everything({
      subscriptions: {
        billing: fatalBilling(
          cardBilling({ secretKey: STRIPE_KEY, apiBase: STRIPE_URL, webhookSecret: WEBHOOK_SECRET }),
        ),
      },
    }),
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  process.stdout.write(`listening on ${await app.listen({ port: 0 })}\n`)
  // A process that is killed does not keep what it compiled.
  flushCompileCache()
}

// Imported by the test for the names of its points; run by it as a program.
if (process.argv[1] === import.meta.filename) await main()
