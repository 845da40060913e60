import { randomUUID } from 'node:crypto'
import { postgresStorage } from '@eep/adapters-postgres'
import { type EepPluginOptions, eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { type Storage, storageUnavailable } from '@eep/core/ports'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStorage, PUBLIC_URL, SECRET, type TestStorage } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { createDatabase, onPglite } from '../../support/database.ts'

let database: TestStorage
beforeAll(async () => {
  database = await openStorage()
})
afterAll(() => database.close())

/** A server whose plugins have so little time that waiting for a storage would end it. */
async function createServer(storage: Storage, options: Partial<EepPluginOptions> = {}) {
  const app = Fastify({ pluginTimeout: 3_000 })
  await app.register(eep, { modules: everything(), publicUrl: PUBLIC_URL, secret: SECRET, storage, ...options })
  return app
}

/** A storage whose log is first read when it is let. */
function slowStorage() {
  const opening = Promise.withResolvers<void>()
  const events = {
    ...database.storage.read.events,
    head: async () => {
      await opening.promise
      return database.storage.read.events.head()
    },
  }
  return { storage: { ...database.storage, read: { ...database.storage.read, events } }, opening }
}

describe('a start on a storage that opens slowly', () => {
  it('does not keep the server waiting, and is ready once the storage is', async () => {
    const { storage, opening } = slowStorage()
    const app = await createServer(storage)
    await app.ready()
    const early = await client(app).get('/health/ready')
    expect([early.statusCode, early.json().error.details]).toEqual([503, { service: 'starting' }])
    expect((await client(app).get('/health/live')).statusCode).toBe(200)
    opening.resolve()
    await app.eep.start()
    expect((await client(app).get('/health/ready')).statusCode).toBe(200)
    await app.close()
  })

  it('is tried again when it fails in the end', async () => {
    const { storage, opening } = slowStorage()
    const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    const app = await createServer(storage, { logger })
    const failed = vi.spyOn(app.log, 'error')
    await app.ready()
    opening.reject(storageUnavailable())
    await expect.poll(() => failed.mock.calls.length).toBe(1)
    storage.read.events.head = database.storage.read.events.head
    await expect.poll(async () => (await client(app).get('/health/ready')).statusCode, { timeout: 60_000 }).toBe(200)
    await app.close()
  })

  it('can be closed before it is done', async () => {
    const { storage, opening } = slowStorage()
    const app = await createServer(storage)
    await app.ready()
    const closed = app.close()
    opening.reject(storageUnavailable())
    await closed
  })
})

describe('a start that fails', () => {
  it.skipIf(onPglite())('explains how to migrate a database that has no tables', async () => {
    const empty = await createDatabase()
    const pool = new Pool({ connectionString: empty.connectionString })
    const storage = postgresStorage({ pool, schema: `s${randomUUID().slice(0, 8)}` })
    const app = await createServer(storage)
    const failure = await app.ready().then(String, String)
    expect(failure).toContain(
      'call storage.migrate() before the service starts, or run `npx --no-install eep-postgres migrate`',
    )
    await app.close()
    await storage.close()
    await pool.end()
    await empty.drop()
  })
})
