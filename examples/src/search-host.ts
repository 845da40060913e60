import { postgresSearch, postgresStorage } from '@eep/adapters-postgres'
import { eep, serverOptions } from '@eep/core'
import { search } from '@eep/core/search'
import Fastify from 'fastify'
import { Pool } from 'pg'

export async function startWithSearch(connectionString: string, secret: string) {
  const pool = new Pool({ connectionString })
  const storage = postgresStorage({ pool })
  await storage.migrate()
  const app = Fastify({ ...serverOptions, logger: true })
  await app.register(eep, {
    publicUrl: 'https://api.example.com',
    secret,
    storage,
    modules: [search({ index: postgresSearch({ pool }) })],
  })
  return app
}
