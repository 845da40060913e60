import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { directoryBlobs } from '@eep/core/files'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { login, PASSWORD, signUp } from '../support/accounts.ts'
import { createMigratedDatabase, createTestApp } from '../support/app.ts'
import { downloaded, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { expandSchema, NEXT_MIGRATION } from '../support/next-schema.ts'
import type { TestDatabase } from '../support/postgres-server.ts'
import { find } from '../support/search.ts'
import { header, openShop, SECRET_WORD } from '../support/shop.ts'

type Service = Awaited<ReturnType<typeof createTestApp>> & { readonly storage: PostgresStorage }

describe.skipIf(onPglite())('a host of this release on the schema of the next one', () => {
  const cashWallets = createCashWallets()
  const directory = join(tmpdir(), `eep-next-schema-${process.pid}`)
  const opened: (() => Promise<void>)[] = []

  async function newDatabase(): Promise<TestDatabase> {
    const database = await createMigratedDatabase()
    opened.unshift(database.drop)
    return database
  }

  async function startHost(database: TestDatabase): Promise<Service> {
    const pool = new Pool({ connectionString: database.connectionString, max: 5 })
    const storage = postgresStorage({ pool })
    await storage.migrate()
    const test = await createTestApp({
      storage,
      withSearch: true,
      payments: { rails: [cashRail({ cashWallets })] },
      files: { blobStore: directoryBlobs({ directory }) },
    })
    opened.push(async () => {
      await test.close()
      await storage.close()
      await pool.end()
    })
    return { ...test, storage }
  }

  /** Uses each part of the service once, as a person whose name begins with `name`. */
  async function walk(test: Service, name: string) {
    const { app } = test
    const { get } = client(app)
    const shop = await openShop(app, name, { amount: 0.5, per: 'day' })

    const offer = await get(shop.paid)
    expect(offer.statusCode).toBe(402)
    const buyer = await signUp(app, `${name}-buyer`)
    const proof = cashWallets.answer(header(offer, 'payment-required'), { wallet: `wallet:${name}` })
    const paid = await buyer.get(shop.paid, proof)
    expect([paid.statusCode, paid.body.includes(SECRET_WORD)]).toEqual([200, true])
    expect((await buyer.get(shop.paid)).statusCode).toBe(200)
    expect((await buyer.get('/purchases')).json().data).toHaveLength(1)
    const sales = await shop.get(`/eep/payment/sales?profile_id=${shop.profileId}`)
    expect(sales.json().data).toHaveLength(1)

    const saved = await shop.put(`/manage/pages/${shop.otherId}`, { body: 'Changed.' })
    expect([saved.statusCode, saved.json().version]).toEqual([200, 2])
    const versions = await shop.get(`/manage/pages/${shop.otherId}/versions`)
    expect(versions.json().data).toHaveLength(2)

    const stored = await upload(app, [field('username', name), fileOf('Some bytes')], shop.headers)
    expect(stored.statusCode).toBe(200)
    expect((await shop.get(`/files/${stored.json().id}/content`)).body).toBe('Some bytes')
    expect((await shop.post('/api-keys', { name: 'a key', scopes: ['read:profiles'] })).statusCode).toBe(201)

    const hits = await find(app, name)
    expect(hits.data.map(({ kind }) => kind)).toContain('profile')
    const members = await unzip(await downloaded(app, shop, { account: true }))
    expect([...members.keys()]).toContain('api-keys.json')
    for (const text of members.values()) expect(String(text)).not.toContain('next_')

    expect((await login(app, `${name}@example.com`)).statusCode).toBe(200)
    const left = await buyer.send('DELETE', '/auth/account', { password: PASSWORD })
    expect(left.statusCode).toBeLessThan(300)
    await test.storage.transaction((tx) =>
      tx.accounts.save(buyer.account.id, { deletionScheduledAt: new Date(Date.now() - 1_000) }),
    )
    await app.eep.purge()
    expect(await test.storage.read.accounts.get(buyer.account.id)).toBeUndefined()
  }

  afterAll(async () => {
    // Databases are first in the list.
    for (const close of opened.reverse()) await close()
    await rm(directory, { recursive: true, force: true })
  })

  it('goes on while another instance migrates', async () => {
    const database = await newDatabase()
    const running = await startHost(database)
    // Its connections prepare statements for the schema that it knows.
    await walk(running, 'before')
    await expandSchema(database.connectionString)
    await walk(running, 'during')
    const { body, statusCode } = await client(running.app).get('/health/ready')
    expect([statusCode, body]).toEqual([200, expect.stringContaining('ok')])
  })

  it('starts, when a release is taken back', async () => {
    const database = await newDatabase()
    await expandSchema(database.connectionString)
    const started = await startHost(database)
    expect((await started.storage.status()).unknown).toEqual([NEXT_MIGRATION])
    await walk(started, 'after')
  })
})
