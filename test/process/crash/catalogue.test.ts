import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { catalogueRail, type Listed, PLATFORM } from '../../support/catalogue.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { openShop, type Shop, shopGate } from '../../support/shop.ts'
import { soon } from '../../support/wait.ts'

/** Listing them takes two transactions. */
const PAGES = 600
const OTHER_RECEIVER = '0x00000000000000000000000000000000000000bb'

/** Two processes, one after the other, need a database that both can open. */
describe.skipIf(onPglite())('the catalogue of a host that is killed', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let pool: Pool
  let setup: Awaited<ReturnType<typeof createTestApp>>
  let shop: Shop
  let amount = 1
  let receiver = PLATFORM
  /** The host that was started again in the case before: it is the next to die. */
  let running: Awaited<ReturnType<typeof startCrashHost>> | undefined

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    // It makes the changes, and leaves the catalogue to the hosts that die.
    const storage = postgresStorage({ pool })
    setup = await createTestApp({ storage, pricedDiscovery: false, payments: { rails: [catalogueRail()] } })
    shop = await openShop(setup.app, 'catalogued', { amount })
    await pool.query(
      `insert into eep.pages (profile_id, category_id, title, slug, body, status, version, position, created_at, updated_at, published_at)
       select profile_id, category_id, 'Loom ' || n, 'loom-' || n, body, status, 1, position + n, now(), now(), now()
       from eep.pages, generate_series(3, $2) n where id = $1`,
      [shop.otherId, PAGES],
    )
  })
  afterAll(async () => {
    await running?.kill()
    await setup.close()
    await pool.end()
    await database.drop()
  })

  async function start(more: Record<string, string> = {}) {
    const host = await startCrashHost(
      { DATABASE_URL: database.connectionString, PAY_TO: receiver, ...more },
      './catalogue-host.ts',
    )
    // Dead processes keep their lease for half a minute.
    await pool.query('update eep.followers set lease_until = now()')
    return host
  }

  /** Waits until the rows are those of what is for sale, and nothing is left to do; then compares them with what readers get. */
  async function expectRight(url: string) {
    await soon(async () => {
      const { rows } = await pool.query(
        `select count(*) filter (where sold.id is null)::int as gone, count(*) filter (where listed.id is null)::int as missing,
           count(*) filter (where amount <> $2 or pay_to <> array[lower($3)])::int as outdated,
           (select count(*)::int from eep.priced_profiles where requested is not null) as requested
         from (select 'page_' || id as key, id from eep.pages where profile_id = $1 and category_id is not null) sold
         full join (select * from eep.priced_resources where profile_id = $1 and kind is not null) listed using (key)`,
        [shop.profileId, amount, receiver],
      )
      expect(rows).toEqual([{ gone: 0, missing: 0, outdated: 0, requested: 0 }])
    })
    const found: string[] = []
    for (let offset = 0; offset <= PAGES; offset += 100) {
      const response = await fetch(`${url}/discovery/resources?profile=u/catalogued&limit=100&offset=${offset}`)
      const { items, pagination } = (await response.json()) as Listed
      expect(pagination.total).toBe(PAGES)
      found.push(...items.map(({ resource }) => resource))
    }
    expect(new Set(found).size).toBe(PAGES)
    expect(found).toHaveLength(PAGES)
  }

  /** The host that is to die, once its catalogue is complete. */
  async function doomed() {
    const host = running ?? (await start())
    running = undefined
    onTestFinished(host.kill)
    await expectRight(host.url)
    return host
  }

  async function restart() {
    running = await start()
    await expectRight(running.url)
  }

  it.each(['before put', 'after put', 'committed put'])(
    'has the pages that were deleted and added, when it was killed %s of their rows',
    async (point) => {
      const host = await doomed()
      const { rows } = await pool.query(
        'select id, category_id from eep.pages where profile_id = $1 and category_id is not null order by id desc limit 1',
        [shop.profileId],
      )
      await host.change({ DIE_AT: point })
      const added = { profile_id: shop.profileId, category_id: Number(rows[0].category_id), body: 'Text' }
      const created = await shop.post('/manage/pages', { ...added, title: `New ${point}`, status: 'published' })
      expect(created.statusCode, created.body).toBe(201)
      await shop.delete(`/manage/pages/${rows[0].id}`)
      await host.exited
      await restart()
    },
  )

  it.each(['after request', 'committed request', 'committed put', 'after finish'])(
    'has the new prices of all pages, when it was killed %s',
    async (point) => {
      const host = await doomed()
      await host.change({ DIE_AT: point })
      amount += 1
      const saved = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, shopGate({ amount }))
      expect(saved.statusCode, saved.body).toBe(200)
      await host.exited
      await restart()
    },
  )

  it.each(['committed request', 'committed saveDigest'])(
    'has the receiver of another configuration, when it was killed %s of the first start with it',
    async (point) => {
      const host = await doomed()
      await host.kill()
      receiver = receiver === PLATFORM ? OTHER_RECEIVER : PLATFORM
      const second = await start({ DIE_AT: point })
      onTestFinished(second.kill)
      await second.exited
      await restart()
    },
  )
})
