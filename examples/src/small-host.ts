import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep, serverOptions } from '@eep/core'
import Fastify from 'fastify'

const storage = pgliteStorage({ dataDir: '.data' })
await storage.migrate()

const app = Fastify({ ...serverOptions, logger: true })
await app.register(eep, {
  // Part of every link and DID: choose it before there is data.
  publicUrl: process.env.PUBLIC_URL ?? 'http://localhost:3000',
  storage,
  secret: process.env.EEP_SECRET ?? '',
})
await app.listen({ port: Number(process.env.PORT ?? 3000) })
