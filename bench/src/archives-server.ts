import { postgresStorage } from '@eep/adapters-postgres'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { serve } from './server-process.ts'

interface Order {
  readonly directory: string
  readonly connectionString: string
}

/** A host of measurements, by its address. */
export interface ArchiveHost {
  readonly url: string
}

const LIMITS = { maxFiles: 1_000, maxStorageMb: 10_000 }

/** A host with exports and imports, jobs, and files in a directory. */
await serve<Order, ArchiveHost>(async ({ directory, connectionString }) => {
  const storage = postgresStorage({ pool: new Pool({ connectionString }) })
  await storage.migrate()
  const app = Fastify()
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
    modules: everything({ files: { blobStore: directoryBlobs({ directory }) } }),
    limits: { plans: { community: { maxFileMb: 200, limits: LIMITS } }, rateLimit: { multiplier: 1_000_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  return { url: await app.listen({ port: 0 }) }
})
