import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { type EepPluginOptions, eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { Pool } from 'pg'

/** The service in this process, without rate limits. Nothing listens: requests go through `app.inject`. */
export async function createBenchApp(storage: PostgresStorage, { limits, ...options }: Partial<EepPluginOptions>) {
  const app = Fastify()
  await app.register(eep, {
    modules: everything(),
    publicUrl: 'https://profiles.example',
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
    limits: { rateLimit: { multiplier: 1_000_000 }, ...limits },
    ...options,
  })
  return app
}

/** Opens the service of {@link createBenchApp} on a database, and creates its tables. */
export async function openService(
  connectionString: string,
  optionsOf: (storage: PostgresStorage) => Partial<EepPluginOptions>,
) {
  const pool = new Pool({ connectionString })
  const storage = postgresStorage({ pool })
  await storage.migrate()
  const app = await createBenchApp(storage, optionsOf(storage))
  return {
    app,
    pool,
    storage,
    async close() {
      await app.close()
      await storage.close()
      await pool.end()
    },
  }
}
