import { eep } from '@eep/core'
import Fastify from 'fastify'
import { serve } from './server-process.ts'

interface Order {
  readonly directory: string
  readonly connectionString?: string | undefined
}

async function storageOf({ directory, connectionString }: Order) {
  if (connectionString === undefined) {
    const { pgliteStorage } = await import('@eep/adapters-postgres/pglite')
    return pgliteStorage({ dataDir: directory })
  }
  const [{ postgresStorage }, { Pool }] = await Promise.all([import('@eep/adapters-postgres'), import('pg')])
  return postgresStorage({ pool: new Pool({ connectionString }) })
}

/** What a minimal host reports. */
export interface MinimalHost {
  readonly url: string
}

/** The smallest host: the plugin on a storage, and nothing else. */
await serve<Order, MinimalHost>(async (order) => {
  const storage = await storageOf(order)
  await storage.migrate()
  const app = Fastify()
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
  })
  return { url: await app.listen({ port: 0 }) }
})
