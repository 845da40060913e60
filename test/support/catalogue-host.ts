import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { PUBLIC_URL, SECRET } from './app.ts'
import { catalogueRail } from './catalogue.ts'
import { obeyTest, reach, watchedStore } from './crash-points.ts'
import { recordingFacilitator } from './recording-facilitator.ts'

/**
 * A host that dies at a point of keeping the catalogue (`DIE_AT`): before or after a method of its store that stores something, or when the
 * transaction of that method is committed. A separate process on the database of `DATABASE_URL`, which sells to `PAY_TO` and prints its
 * address. The test may change `DIE_AT` later.
 */
const stored = new Set<string>()
const isSomething = ([first]: readonly unknown[]) => !Array.isArray(first) || first.length > 0

const dying = watchedStore(
  postgresStorage({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) }),
  'pricedResources',
  {
    async before(method, given) {
      if (!isSomething(given)) return
      stored.add(method)
      await reach(`before ${method}`)
    },
    async after(method) {
      if (stored.has(method)) await reach(`after ${method}`)
    },
    async committed(called) {
      for (const method of called) if (stored.delete(method)) await reach(`committed ${method}`)
    },
  },
)

obeyTest()
const app = Fastify()
await app.register(eepPlugin, {
  publicUrl: PUBLIC_URL,
  secret: SECRET,
  storage: dying,
  modules: everything(),
  payments: { rails: [catalogueRail(recordingFacilitator(), process.env.PAY_TO)] },
  limits: { rateLimit: { multiplier: 1_000 } },
  auth: { passwordHashing: { memoryKiB: 1_024 } },
})
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
