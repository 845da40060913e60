import { postgresStorage } from '@eep/adapters-postgres'
import type { CatalogueFilter } from '@eep/core/ports'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import { queriesOf } from '../../support/sent-queries.ts'

const ROWS = 20_000
const SELLERS = 40
const COMMON = 'eip155:8453'

describe.skipIf(onPglite())('the statements of the catalogue, among 20,000 resources', async () => {
  const database = await createMigratedDatabase()
  const pool = new Pool({ connectionString: database.connectionString })
  const storage = postgresStorage({ pool, listen: false })
  let profileId: number

  beforeAll(async () => {
    await pool.query(`insert into eep.accounts (id, email, username, created_at)
      select md5('account ' || n)::uuid, n || '@example.com', 'seller-' || n, now() from generate_series(1, ${SELLERS}) n`)
    await pool.query(`insert into eep.profiles (owner_account_id, type, username, skills, socials, keywords, capabilities, custom_fields,
        type_data, visibility, created_at, updated_at)
      select md5('account ' || n)::uuid, 'person', 'seller-' || n, '{}', '{}', '{}', '{}', '{}', '{}', 'public', now(), now()
      from generate_series(1, ${SELLERS}) n`)
    await pool.query('insert into eep.priced_profiles (profile_id) select id from eep.profiles')
    await pool.query(`insert into eep.priced_resources (profile_id, key, kind, resource, path, currency, amount, networks, assets, pay_to,
        updated_at, sequence)
      select id, 'page_' || id || '_' || n, 'page', 'content.p' || n, '/u/x/content/p' || n, 'usdc', 1,
        array['${COMMON}', 'rare:' || n], '{}', array['0x' || id], now() - n * interval '1 second', 1
      from eep.profiles, generate_series(1, ${ROWS / SELLERS}) n`)
    await pool.query('vacuum analyze eep.priced_resources')
    const { rows } = await pool.query('select id::integer from eep.profiles order by id limit 1')
    profileId = rows[0].id
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  async function plansOf(read: () => Promise<unknown>): Promise<string> {
    const sent = await queriesOf(pool, read)
    const plans: string[] = []
    for (const { text, values } of sent.filter(({ text }) => text.includes('priced_resources'))) {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers off, timing off) ${text}`,
        values,
      )
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    expect(plans).toHaveLength(1)
    return plans.join('\n')
  }

  it.each<[string, () => CatalogueFilter, string]>([
    ['no filter', () => ({}), 'priced_resources_newest'],
    ['a profile', () => ({ profileId }), 'priced_resources_of_profile'],
    ['a network of all', () => ({ network: COMMON }), 'priced_resources_newest'],
    ['a network of few', () => ({ network: 'rare:7' }), 'priced_resources_networks'],
    ['a receiver', () => ({ payTo: `0x${profileId}` }), 'priced_resources_receivers'],
    ['an unknown receiver', () => ({ payTo: '0xnobody' }), 'priced_resources_receivers'],
  ])('use the index of their filter: %s', async (_, filter, index) => {
    const listed = await plansOf(() =>
      storage.read.pricedResources.listOffers({ filter: filter(), limit: 20, offset: 0 }),
    )
    expect(listed).toContain(index)
    // The scan that finds out that many have the network ends after 2,001 of them.
    const scanned = [...listed.matchAll(/Seq Scan on priced_resources.*rows=(\d+)\.\d+ loops/g)].map(([, rows]) =>
      Number(rows),
    )
    expect(scanned.filter((rows) => rows > 2_001)).toEqual([])
  })

  it('read nothing but the index for what an offset skips, and an index for the total of a profile', async () => {
    const plan = await plansOf(() =>
      storage.read.pricedResources.listOffers({ filter: {}, limit: 20, offset: ROWS - 100 }),
    )
    expect(plan).toContain('Index Only Scan using priced_resources_newest')
    expect(plan).not.toContain('Seq Scan on priced_resources')
    const counted = await plansOf(() => storage.read.pricedResources.countOffers({ profileId }))
    expect(counted).not.toContain('Seq Scan')
  })

  it('find resources by their keys', async () => {
    const plan = await plansOf(() => storage.read.pricedResources.findOffers([`page_${profileId}_3`, 'page_none'], {}))
    expect(plan).toContain('priced_resources_keys')
  })
})
