import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { ordersModule } from './orders-module.ts'

/**
 * A host that never finishes handling an event: a separate process on the database of `DATABASE_URL`. It prints its
 * port, and a line for each event that it is given.
 */
const app = Fastify()
await app.register(eepPlugin, {
  publicUrl: 'https://profiles.example',
  secret: 'a secret for tests, of thirty-two characters or more',
  storage: postgresStorage({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) }),
  modules: [
    ordersModule((order) => {
      process.stdout.write(`given ${order}\n`)
      return new Promise(() => {})
    }),
  ],
})
process.stdout.write(`listening on ${await app.listen({ port: 0 })}\n`)
