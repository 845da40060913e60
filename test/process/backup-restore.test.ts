import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { directoryBlobs } from '@eep/core/files'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { compactVerify, createLocalJWKSet } from 'jose'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, me, signUp } from '../support/accounts.ts'
import { createTestApp, rowsOf } from '../support/app.ts'
import { client, type Headers } from '../support/client.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { findPostgresPrograms } from '../support/postgres-programs.ts'
import { cookieOf, header, openShop, SECRET_WORD } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

const run = promisify(execFile)
const programs = await findPostgresPrograms()

/** What the books, the accounts and the log are made of. */
const COMPARED = [
  ...['accounts', 'profiles', 'pages', 'page_versions', 'gates', 'files', 'api_keys', 'sessions'],
  ...['payments', 'receipts', 'refunds', 'entitlements', 'events'],
]

type Server = Awaited<ReturnType<typeof startEmbeddedPostgres>>
type Host = Awaited<ReturnType<typeof openHost>>

const cashWallets = createCashWallets()
const opened: (() => Promise<unknown>)[] = []

/** The host on a database and a directory of files, with the same secrets each time. */
async function openHost(connectionString: string, directory: string) {
  const pool = new Pool({ connectionString, max: 5 })
  const storage: PostgresStorage = postgresStorage({ pool })
  const closeStorage = async () => {
    await storage.close()
    await pool.end()
  }
  return {
    pool,
    storage,
    closeStorage,
    async start() {
      const test = await createTestApp({
        storage,
        payments: { rails: [cashRail({ cashWallets })] },
        files: { blobStore: directoryBlobs({ directory }) },
      })
      let isClosed = false
      const close = async () => {
        if (isClosed) return
        isClosed = true
        await test.close()
        await closeStorage()
      }
      opened.push(close)
      return { ...test, close }
    },
  }
}

describe.skipIf(!programs)('a backup by pg_dump with copied files, restored for a new host', () => {
  let servers: readonly Server[]
  let directory: string
  let before: Awaited<ReturnType<typeof fill>>
  let after: Awaited<ReturnType<Host['start']>>
  let pingBeforeMigration: unknown
  let restoredRows: readonly string[]
  const heard: string[] = []

  /** Follows the names of new accounts. */
  const follow = ({ eep }: Pick<Awaited<ReturnType<Host['start']>>, 'eep'>) =>
    eep.follow('names', { 'accounts.account_registered': ({ data }) => void heard.push(data.username) })

  const sales = async (host: Awaited<ReturnType<Host['start']>>, seller: Headers, profileId: number) => {
    const { get } = client(host.app)
    const [report, list] = [
      await get(`/eep/payment/sales/report?profile_id=${profileId}`, seller),
      await get(`/eep/payment/sales?profile_id=${profileId}`, seller),
    ]
    expect([report.statusCode, list.statusCode]).toEqual([200, 200])
    return { report: report.json(), list: list.json() }
  }

  /** A host with a seller, two buyers, files, and a follower that has handled a part of the log. */
  async function fill(connectionString: string, files: string) {
    const { pool, storage, start } = await openHost(connectionString, files)
    await storage.migrate()
    // More transactions than the other cluster will have had when it is restored.
    await pool.query(
      'do $$ begin for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$ language plpgsql',
    )
    const host = await start()
    const { get } = client(host.app)
    const unfollow = follow(host)
    const shop = await openShop(host.app, 'seller', { amount: 0.25, per: 'once' })
    await soon(() => expect(heard).toEqual(['seller']))
    await unfollow()
    const bytes = randomBytes(300_000)
    const parts = [field('username', 'seller'), fileOf(bytes, 'drawing.bin')]
    const stored = (await upload(host.app, parts, shop.headers)).json()
    const buyers: { readonly name: string; readonly headers: Headers; readonly cookies: Headers }[] = []
    for (const name of ['first', 'second']) {
      const { headers } = await signUp(host.app, name)
      const offer = header(await get(shop.paid), 'payment-required')
      const paid = await get(shop.paid, { ...headers, ...cashWallets.answer(offer, { wallet: `wallet:${name}` }) })
      expect(paid.statusCode).toBe(200)
      const cookies = { cookie: `eep_payer=${encodeURIComponent(cookieOf(paid, 'eep_payer') ?? '')}` }
      buyers.push({ name, headers, cookies })
    }
    const receipts = (await sales(host, shop.headers, shop.profileId)).list.data
    expect(receipts).toHaveLength(2)
    const backedUp = await sales(host, shop.headers, shop.profileId)
    return { host, shop, bytes, stored, buyers, sales: backedUp, rows: await rowsOf(connectionString, COMPARED) }
  }

  beforeAll(async () => {
    if (!programs) throw new Error('there is no PostgreSQL')
    directory = await mkdtemp(join(tmpdir(), 'eep-backup-'))
    servers = await Promise.all([startEmbeddedPostgres({ programs }), startEmbeddedPostgres({ programs })])
    const [from, to] = servers.map(({ connectionString }) => connectionString) as [string, string]
    const [files, copied] = [join(directory, 'files'), join(directory, 'copied')]
    before = await fill(from, files)

    // The host goes on while it is backed up.
    const dump = join(directory, 'eep.dump')
    await run(programs.pg_dump, ['--format=custom', '--schema=eep', `--file=${dump}`, from])
    await cp(files, copied, { recursive: true })
    await before.host.close()

    await run(programs.pg_restore, ['--exit-on-error', `--dbname=${to}`, dump])
    restoredRows = await rowsOf(to, COMPARED)
    const restored = await openHost(to, copied)
    pingBeforeMigration = await restored.storage.ping().catch((error: unknown) => error)
    await restored.storage.migrate()
    after = await restored.start()
  })
  afterAll(async () => {
    for (const close of opened) await close()
    await Promise.all((servers ?? []).map((server) => server.stop()))
    await rm(directory, { recursive: true, force: true })
  })

  const get = (url: string, headers?: Headers) => client(after.app).get(url, headers)

  it('has the same rows', () => {
    expect(restoredRows.toSorted()).toEqual(before.rows.toSorted())
    expect(restoredRows.filter((row) => row.startsWith('eep.receipts'))).toHaveLength(2)
  })

  it('is not ready before the migration, because transaction ids begin again', () => {
    expect(pingBeforeMigration).toBeInstanceOf(Error)
  })

  it('has the same sales', async () => {
    const { headers, profileId } = before.shop
    expect(await sales(after, headers, profileId)).toEqual(before.sales)
  })

  it('opens what buyers bought, and to them only', async () => {
    expect(before.buyers.length).toBe(2)
    for (const { headers, cookies } of before.buyers) {
      for (const proof of [headers, cookies]) {
        const { statusCode, body } = await get(before.shop.paid, proof)
        expect([statusCode, body.includes(SECRET_WORD)]).toEqual([200, true])
      }
    }
    expect((await get(before.shop.paid)).statusCode).toBe(402)
  })

  it('publishes the keys that verify the receipts', async () => {
    const keys = createLocalJWKSet((await get('/.well-known/jwks.json')).json())
    for (const { receipt_id: id } of before.sales.list.data) {
      const { signature, refund: _, ...facts } = (await get(`/eep/payment/receipts/${id}`, before.shop.headers)).json()
      const { payload } = await compactVerify(signature, keys)
      expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(facts)
    }
  })

  it('serves the same bytes of files', async () => {
    const { rawPayload, statusCode } = await get(`/files/${before.stored.id}/content`, before.shop.headers)
    expect(statusCode).toBe(200)
    expect(rawPayload.equals(before.bytes)).toBe(true)
  })

  it('accepts the sessions and passwords of accounts', async () => {
    expect((await me(after.app, before.shop.headers)).statusCode).toBe(200)
    expect((await login(after.app, 'first@example.com')).statusCode).toBe(200)
    expect((await login(after.app, 'first@example.com', 'Wrong horse 7 battery')).statusCode).toBe(401)
  })

  it('delivers every event to a follower once, those of before the backup and new ones', async () => {
    const unfollow = follow(after)
    await signUp(after.app, 'third')
    await soon(() => expect(heard).toEqual(['seller', 'first', 'second', 'third']))
    await unfollow()
  })

  it('sells on', async () => {
    const offer = header(await get(before.shop.other), 'payment-required')
    const paid = await get(before.shop.other, cashWallets.answer(offer, { wallet: 'wallet:third' }))
    expect([paid.statusCode, paid.body.includes(SECRET_WORD)]).toEqual([200, true])
    const { list } = await sales(after, before.shop.headers, before.shop.profileId)
    expect(list.data).toHaveLength(3)
  })
})
