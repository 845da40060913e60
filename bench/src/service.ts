import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { type EepPluginOptions, eep } from '@eep/core'
import Fastify from 'fastify'
import { Pool } from 'pg'

/** Opens the service on a database, in this process and without rate limits. Nothing listens: requests go through `app.inject`. */
export async function openService(
  connectionString: string,
  optionsOf: (storage: PostgresStorage) => Partial<EepPluginOptions>,
) {
  const pool = new Pool({ connectionString })
  const storage = postgresStorage({ pool })
  await storage.migrate()
  const { limits, ...options } = optionsOf(storage)
  const app = Fastify()
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
    limits: { rateLimit: { multiplier: 1_000_000 }, ...limits },
    ...options,
  })
  return {
    app,
    pool,
    async close() {
      await app.close()
      await storage.close()
      await pool.end()
    },
  }
}
