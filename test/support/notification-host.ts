import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import { everything } from '@eep/core/everything'
import type { OptionalGroup, Storage } from '@eep/core/ports'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { obeyTest, reach, watchedStore } from './crash-points.ts'

/**
 * A host that dies at `DIE_AT`, whose clock is `LATER_MS` ahead: a separate process on the database of `DATABASE_URL`. It prints
 * its port, and then the recipient of each notification that it sent by email.
 */
const storage: Storage<OptionalGroup> = postgresStorage({
  pool: new Pool({ connectionString: process.env.DATABASE_URL }),
})
const later = Number(process.env.LATER_MS ?? 0)
obeyTest()
const app = Fastify()
await app.register(eepPlugin, {
  modules: everything(),
  publicUrl: 'https://profiles.example',
  secret: 'a secret for tests, of thirty-two characters or more',
  clock: () => new Date(Date.now() + later),
  limits: { rateLimit: { multiplier: 1_000 } },
  auth: { passwordHashing: { memoryKiB: 1_024 } },
  email: {
    mailer: {
      async send({ to, headers }) {
        // Only notifications can be unsubscribed from.
        if (!headers) return
        await reach('taken')
        process.stdout.write(`${to}\n`)
        await reach('accepted')
      },
    },
  },
  storage: watchedStore(storage, 'notifications', {
    after: (method) => (method === 'add' ? reach('added') : Promise.resolve()),
    committed: (called) => (called.has('add') ? reach('made') : Promise.resolve()),
  }),
})
process.stdout.write(`listening on ${await app.listen({ port: 0 })}\n`)
