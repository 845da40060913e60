import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { client } from '../../support/client.ts'
import { startEmbeddedPostgres, startEmbeddedReplica } from '../../support/embedded-postgres.ts'
import { queriesOf } from '../../support/sent-queries.ts'
import { createCashApp, header, openShop, type Shop } from '../../support/shop.ts'
import { soon } from '../../support/wait.ts'

type Service = Awaited<ReturnType<typeof createCashApp>>

/** One instance of a service whose reads may go to a replica. */
interface Instance {
  readonly service: Service
  readonly storage: PostgresStorage
  readonly readPool: Pool
  close(): Promise<void>
}

/** A server from npm and its replica, whose replay the tests hold. */
describe.skipIf(inject('postgres').kind !== 'embedded')('a storage with a read replica', () => {
  const stops: (() => Promise<void>)[] = []
  let primary: string
  let replica: string
  let control: Client
  let first: Instance
  let second: Instance
  let shop: Shop

  async function open(): Promise<Instance> {
    const pool = new Pool({ connectionString: primary, max: 5 })
    const readPool = new Pool({ connectionString: replica, max: 5 })
    const storage = postgresStorage({ pool, readPool, listen: () => new Client({ connectionString: primary }) })
    await storage.migrate()
    const service = await createCashApp({ storage })
    return {
      service,
      storage,
      readPool,
      async close() {
        await service.close()
        await storage.close()
        await Promise.all([pool.end(), readPool.end()])
      },
    }
  }

  beforeAll(async () => {
    const server = await startEmbeddedPostgres()
    stops.push(server.stop)
    primary = server.connectionString
    const standby = await startEmbeddedReplica(primary)
    stops.unshift(standby.stop)
    replica = standby.connectionString
    control = new Client({ connectionString: replica })
    await control.connect()
    stops.unshift(() => control.end())
    first = await open()
    second = await open()
    stops.unshift(
      () => second.close(),
      () => first.close(),
    )
    shop = await openShop(first.service.app, 'ada')
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  const hold = () => control.query('select pg_wal_replay_pause()')
  const release = () => control.query('select pg_wal_replay_resume()')
  /** The statements that the replica got. */
  async function readsOf({ readPool }: Instance, work: () => Promise<unknown>): Promise<readonly string[]> {
    const port = Number(new URL(replica).port)
    const sent = await queriesOf(readPool, work)
    return sent.filter((query) => query.port === port && query.text.includes('"eep".')).map(({ text }) => text)
  }
  const bodyOf = async ({ service }: Instance, path: string) => (await client(service.app).get(path)).body
  /** Saves a page with another text. */
  const save = async (id: number, body: string) => {
    const { statusCode } = await shop.put(`/manage/pages/${id}`, { body })
    expect(statusCode).toBe(200)
  }
  const newPage = async (title: string) => {
    const page = { profile_id: shop.profileId, title, body: `First of ${title}`, status: 'published' }
    const { id, slug } = (await shop.post('/manage/pages', page)).json<{ id: number; slug: string }>()
    return { id, path: `${shop.contents}/${slug}` }
  }

  it('reads public data from the replica once it has caught up', async () => {
    await soon(async () => {
      const reads = await readsOf(second, () => second.storage.read.pages.listOutline(shop.profileId, { limit: 10 }))
      expect(reads).toHaveLength(1)
    })
  })

  it('shows a change to its writer and to others while the replica is behind', async () => {
    await hold()
    try {
      const { id, path } = await newPage('Behind')
      expect(await bodyOf(first, path)).toContain('First of Behind')
      const reads = await readsOf(second, async () => {
        expect(await bodyOf(second, path)).toContain('First of Behind')
      })
      expect(reads).toEqual([])
      await save(id, 'Second of it')
      expect(await bodyOf(first, path)).toContain('Second of it')
    } finally {
      await release()
    }
  })

  it('never keeps an old page in a cache after the event that invalidates it', async () => {
    const { id, path } = await newPage('Cached')
    // Both have read it, from the replica or not, and keep it.
    for (const instance of [first, second]) expect(await bodyOf(instance, path)).toContain('First of Cached')
    await hold()
    try {
      await save(id, 'Newer')
      await soon(async () => expect(await bodyOf(second, path)).toContain('Newer'))
      expect(await bodyOf(first, path)).toContain('Newer')
    } finally {
      await release()
    }
    for (const instance of [first, second]) expect(await bodyOf(instance, path)).toContain('Newer')
  })

  it('shows nothing that was hidden before a gate was opened', async () => {
    const { id, path } = await newPage('Opened')
    const gate = (access: readonly string[]) =>
      shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, {
        default_tier: 'public',
        tiers: { public: { requirements: [], access: ['profile.*', ...access] } },
      })
    expect((await gate(['content'])).statusCode).toBe(200)
    // Nothing of it is cached, and the replica has the text that was never open.
    await soon(async () => expect(await readsOf(second, () => second.storage.read.pages.get(id))).toHaveLength(1))
    await hold()
    try {
      await save(id, 'Without the secret')
      expect((await gate(['content', 'content.*'])).statusCode).toBe(200)
      const seen: string[] = []
      await soon(async () => {
        const { body, statusCode } = await client(second.service.app).get(path)
        seen.push(body)
        expect(statusCode).toBe(200)
      })
      expect(seen.at(-1)).toContain('Without the secret')
      expect(seen.join()).not.toContain('First of Opened')
    } finally {
      await release()
    }
  })

  it('sells, and reads what was bought, on the primary alone', async () => {
    const seller = await openShop(first.service.app, 'bert')
    const { get } = client(first.service.app)
    const reads = await readsOf(first, async () => {
      const offers = header(await get(seller.paid), 'payment-required')
      const payment = first.service.cashWallets.answer(offers, { wallet: 'wallet:one' })
      expect((await get(seller.paid, payment)).statusCode).toBe(200)
      expect((await get(seller.paid, payment)).statusCode).toBe(200)
    })
    for (const table of [
      'gates',
      'entitlements',
      'payments',
      'receipts',
      'sessions',
      'accounts',
      'idempotency_keys',
      'events',
    ])
      expect(reads.filter((text) => text.includes(`from "eep"."${table}"`))).toEqual([])
  })

  it('reads from the primary while the replica cannot be reached, and is ready', async () => {
    const pool = new Pool({ connectionString: primary, max: 2 })
    const readPool = new Pool({ connectionString: 'postgres://postgres@127.0.0.1:1/postgres', max: 2 })
    const storage = postgresStorage({ pool, readPool, listen: false })
    try {
      expect(await storage.read.profiles.get(shop.profileId)).toMatchObject({ username: 'ada' })
      await storage.ping()
    } finally {
      await storage.close()
      await Promise.all([pool.end(), readPool.end()])
    }
  })

  it('is not ready with a pool on a server that is not a replica of the primary', async () => {
    const pool = new Pool({ connectionString: primary, max: 2 })
    const readPool = new Pool({ connectionString: inject('postgres').connectionString, max: 2 })
    const storage = postgresStorage({ pool, readPool, listen: false })
    try {
      await expect(storage.ping()).rejects.toThrow('readPool does not connect to a replica of the server of pool')
    } finally {
      await storage.close()
      await Promise.all([pool.end(), readPool.end()])
    }
  })
})
