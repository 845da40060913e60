import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { Pool } from 'pg'

/** A host that delivers webhooks to this machine: a separate process on the database of `DATABASE_URL`. It prints its port. */
const app = Fastify()
await app.register(eepPlugin, {
  publicUrl: 'https://profiles.example',
  secret: 'a secret for tests, of thirty-two characters or more',
  storage: postgresStorage({ pool: new Pool({ connectionString: process.env.DATABASE_URL, max: 5 }) }),
  limits: { rateLimit: { multiplier: 1_000 } },
  http: { allowPrivateHosts: ['127.0.0.1'] },
  modules: everything({
    webhooks: {
      // Long enough for a receiver to start again on a busy machine.
      retrySeconds: Array.from({ length: 20 }, (_, attempt) => (attempt < 10 ? 0.1 : 10)),
    },
  }),
})
process.stdout.write(`listening on ${await app.listen({ port: 0 })}\n`)
