import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { Pool } from 'pg'

/** A host whose jobs never end: a separate process on the database of `DATABASE_URL`. It prints its port. */
const app = Fastify()
await app.register(eepPlugin, {
  modules: everything(),
  publicUrl: 'https://profiles.example',
  secret: 'a secret for tests, of thirty-two characters or more',
  storage: postgresStorage({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) }),
  jobs: {
    kinds: [{ name: 'test', timeoutMs: 60_000, attempts: 2, run: () => new Promise(() => {}) }],
    pollIntervalMs: 500,
    deadAfterMs: 10_000,
  },
})
process.stdout.write(`listening on ${await app.listen({ port: 0 })}\n`)
