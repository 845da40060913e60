import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep } from '@eep/core'
import Fastify from 'fastify'

const app = Fastify({ logger: true })
await app.register(eep, {
  publicUrl: 'https://profiles.example.com',
  storage: pgliteStorage({ dataDir: '.data' }),
  secret: process.env.EEP_SECRET ?? '',
})
await app.listen({ port: 3000 })
