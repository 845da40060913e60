import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../../test/support/database.ts'
import { migratedDataDirectory } from '../../test/support/migrated-pglite.ts'

const before = { ...process.env }
let directory: string
let app: typeof import('./embed-app.ts').app

beforeAll(async () => {
  directory = await migratedDataDirectory()
  Object.assign(process.env, { EEP_DATA: directory, EEP_SECRET: 'x'.repeat(32), PORT: '0' })
  ;({ app } = await import('./embed-app.ts'))
})
afterAll(async () => {
  for (const name of ['DATABASE_URL', 'EEP_DATA', 'EEP_SECRET', 'PORT']) delete process.env[name]
  Object.assign(process.env, before)
  await app.close()
  await rm(directory, { recursive: true, force: true })
})

it.each([
  ['node:http', () => import('./embed-node-http.ts')],
  ['Express', () => import('./embed-express.ts')],
  ['Hono', () => import('./embed-hono.ts')],
])('serves the service below a path of %s, beside the pages of the host', async (_name, load) => {
  const server = (await load()).server as Server
  if (!server.listening) await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await (await fetch(origin)).text()).toBe('A shop')
  expect((await fetch(`${origin}/eep/.well-known/eep.json`)).status).toBe(200)
  server.closeAllConnections()
  server.close()
})

it.skipIf(onPglite())('serves the service from a route handler of Next.js, opened by the first request', async () => {
  const { GET } = await import('./embed-next.ts')
  const get = () => GET(new Request('https://shop.example.com/eep/.well-known/eep.json'))
  process.env.DATABASE_URL = 'postgres://127.0.0.1:1/none'
  await expect(get()).rejects.toThrow('ECONNREFUSED')
  const database = await createDatabase()
  process.env.DATABASE_URL = database.connectionString
  expect((await get()).status).toBe(200)
  expect((await get()).status).toBe(200)
})
