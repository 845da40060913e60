// app/eep/service.ts
import { postgresStorage } from '@eep/adapters-postgres'
import { eep, serverOptions, toFetchHandler } from '@eep/core'
import Fastify from 'fastify'
import { Pool } from 'pg'

// A header that your proxy sets and that clients cannot.
const clientAddress = (request: Request) => request.headers.get('x-real-ip') ?? undefined

async function open() {
  const { DATABASE_URL, EEP_SECRET = '' } = process.env
  const storage = postgresStorage({ pool: new Pool({ connectionString: DATABASE_URL }) })
  await storage.migrate()
  const app = Fastify(serverOptions)
  await app.register(eep, { prefix: '/eep', publicUrl: 'https://shop.example.com/eep', storage, secret: EEP_SECRET })
  return toFetchHandler(app, { clientAddress })
}

const kept = globalThis as { eepHandler?: ReturnType<typeof open> | undefined }

/** One service for each process, opened with the first request: builds have no database, and modules are loaded again. */
export async function handler() {
  kept.eepHandler ??= open()
  try {
    return await kept.eepHandler
  } catch (error) {
    // The next request tries again.
    kept.eepHandler = undefined
    throw error
  }
}
