import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep, serverOptions } from '@eep/core'
import Fastify from 'fastify'

const storage = pgliteStorage({ dataDir: '.data' })
await storage.migrate()

const app = Fastify({ ...serverOptions, logger: true })
await app.register(eep, {
  publicUrl: 'https://profiles.example.com',
  storage,
  secret: process.env.EEP_SECRET ?? '',
})
await app.listen({ port: Number(process.env.PORT ?? 3000) })
