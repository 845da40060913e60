import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { newAccount } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase, createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'

const PROFILES = 52_000
const HIDDEN_EVERY = 10

/** More than one sitemap may have, so that it is split; on a server, which makes so many rows in a moment. */
describe.skipIf(onPglite())('a service with very many profiles', () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage
  let service: Awaited<ReturnType<typeof createTestApp>>

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool })
    const account = await storage.transaction((tx) => tx.accounts.insert(newAccount()))
    await pool.query(
      `insert into eep.profiles (owner_account_id, type, username, full_name, bio, skills, socials, keywords, capabilities,
         custom_fields, type_data, visibility, created_at, updated_at)
       select $1, 'person', 'profile-' || n, 'Profile ' || n, 'Who is number ' || n, '{}', '{}', '{}', '{}', '{}', '{}',
         case when n % $2 = 0 then 'private' else 'public' end, now(), now()
       from generate_series(1, $3::integer) n`,
      [account?.id, HIDDEN_EVERY, PROFILES],
    )
    await pool.query(
      `insert into eep.pages (profile_id, title, slug, body, status, version, position, created_at, updated_at)
       select id, 'Notes', 'notes', repeat('What there is to say. ', 50), 'published', 1, 0, now(), now() from eep.profiles`,
    )
    await pool.query('analyze')
    service = await createTestApp({ storage })
  })
  afterAll(async () => {
    await service?.close()
    await pool?.end()
    await database?.drop()
  })

  const locations = (body: string) => [...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => String(address))
  const read = async (url: string) => {
    const response = await service.app.inject(url.replace(PUBLIC_URL, ''))
    expect(response.statusCode, url).toBe(200)
    return response.body
  }

  it('splits the sitemap, so that every public address is in one small part of it', async () => {
    const index = await read('/sitemap.xml')
    expect(index).toContain('<sitemapindex ')
    const parts = locations(index)
    expect(parts).toContain(`${PUBLIC_URL}/sitemap-profiles-0.xml`)
    expect(parts).toContain(`${PUBLIC_URL}/sitemap-pages-5.xml`)

    const found = new Set<string>()
    let listed = 0
    let largest = 0
    for (const part of parts) {
      const body = await read(part)
      const addresses = locations(body)
      largest = Math.max(largest, body.length)
      expect(addresses.length).toBeGreaterThan(0)
      expect(addresses.length).toBeLessThanOrEqual(10_000)
      listed += addresses.length
      for (const address of addresses) found.add(address)
    }
    const shown = PROFILES - PROFILES / HIDDEN_EVERY
    const ours = [...found].filter((address) => address.includes('/u/profile-'))
    expect(ours).toHaveLength(2 * shown)
    expect(listed).toBe(found.size)
    expect(found).toContain(`${PUBLIC_URL}/u/profile-${PROFILES - 1}/content/notes`)
    expect(found).not.toContain(`${PUBLIC_URL}/u/profile-${PROFILES}`)
    expect(largest).toBeLessThan(2_000_000)
  })

  it('keeps the parts as they are when others come', async () => {
    const before = locations(await read('/sitemap-profiles-2.xml'))
    await pool.query(
      `insert into eep.profiles (owner_account_id, type, username, skills, socials, keywords, capabilities, custom_fields,
         type_data, visibility, created_at, updated_at)
       select owner_account_id, 'agent', username, '{}', '{}', '{}', '{}', '{}', '{}', 'public', now(), now()
       from eep.profiles where id <= 20`,
    )
    const fresh = await createTestApp({ storage })
    const { body } = await client(fresh.app).get('/sitemap-profiles-2.xml')
    expect(locations(body)).toEqual(before)
    await fresh.close()
  })

  it('lists profiles for language models a piece at a time, each once', async () => {
    const first = await read('/llms.txt')
    const profiles = (body: string) => [...body.matchAll(/^- \[[^\]]+\]\((\S+\/u\/[\w-]+)\)/gm)].map(([, url]) => url)
    const nextOf = (body: string) => /^- \[More profiles\]\((\S+)\)$/m.exec(body)?.[1]
    expect(profiles(first)).toHaveLength(100)
    const second = await read(String(nextOf(first)))
    expect(profiles(second)).toHaveLength(100)
    expect(new Set([...profiles(first), ...profiles(second)]).size).toBe(200)
  })

  it('keeps the full list for language models within its bounds', async () => {
    const body = await read('/llms-full.txt')
    expect(body.length).toBeLessThan(500_000)
    expect(body).toContain('What there is to say.')
    expect(body).toMatch(/\[More profiles\]\(\S+\/llms-full\.txt\?cursor=/)
  })

  it('asks indexes and not the whole table for a piece', async () => {
    const { rows } = await pool.query(
      `explain (format text) select id from eep.profiles
       where visibility = 'public' and withdrawn_at is null and id > 40000 order by id limit 100`,
    )
    expect(JSON.stringify(rows)).toMatch(/Index (?:Only )?Scan/)
  })
})
