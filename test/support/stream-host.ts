import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { Pool } from 'pg'

/** A host in a separate process, on the database of `DATABASE_URL`. It prints its address. */
const app = Fastify()
await app.register(eepPlugin, {
  publicUrl: 'https://profiles.example',
  secret: 'a secret for tests, of thirty-two characters or more',
  storage: postgresStorage({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) }),
  limits: { rateLimit: { multiplier: 1_000 } },
  auth: { passwordHashing: { memoryKiB: 1_024 } },
  modules: everything({ signals: { anonymousStreams: 1_000 }, messages: { minTrustScore: 0 } }),
})
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
