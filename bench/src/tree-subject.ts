import { postgresStorage } from '@eep/adapters-postgres'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import type { Storage } from '@eep/core/ports'
import { PGlite } from '@electric-sql/pglite'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { serve } from './server-process.ts'

/** A page three categories deep, and the table of contents of its profile. */
export interface Tree {
  readonly page: string
  readonly contents: string
  /** The pages as their owner sees them, who signs in by the headers. */
  readonly list: string
  readonly headers: Readonly<Record<string, string>>
}

export interface TreeSubject {
  readonly url: string
  /** 100 pages in few categories, and in as many as the large one has. */
  readonly small: Tree
  readonly broad: Tree
  readonly large: Tree
}

type Query = (text: string) => Promise<unknown>

/** Categories in three levels, and pages that take turns in the last one. It is SQL: the routes would take an hour. */
async function plant(query: Query, profileId: number, width: number, pages: number): Promise<void> {
  const category = (level: number, above: string) =>
    `insert into eep.categories (profile_id, parent_id, name, slug, visibility, position, created_at, updated_at)
     select ${profileId}, parent, 'Category ' || n, 'c' || n, 'public', n, now(), now()
     from (${above}) as above (parent), generate_series(1, ${level === 3 ? width - 1 : width}) as n returning id`
  await query(`with top as (${category(1, 'select null::bigint')}),
    middle as (${category(2, 'select id from top')}),
    last as (${category(3, 'select id from middle')}),
    places as (select array_agg(id order by id) as ids from last)
    insert into eep.pages (profile_id, category_id, title, slug, body, excerpt, status, version, position,
      created_at, updated_at, published_at)
    select ${profileId}, ids[1 + n % cardinality(ids)], 'Page ' || n, 'page-' || n, repeat('A line of text. ', 60),
      'In short', case when n % 10 = 9 then 'draft' else 'published' end, 1, n, now(), now(), now()
    from places, generate_series(0, ${pages - 1}) as n`)
}

async function start(storage: Storage, seed: (profileIds: readonly number[]) => Promise<Storage>) {
  const options = {
    publicUrl: 'https://profiles.example',
    secret: 'a secret for benchmarks, thirty-two characters',
    // Every read goes to the database: what is measured is how it finds a page among many.
    limits: { rateLimit: { multiplier: 1_000_000 }, readCacheEntries: 0 },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  }
  const nursery = Fastify()
  await nursery.register(eep, { modules: everything(), ...options, storage })
  const profileOf = async (username: string) => {
    const payload = { username, email: `${username}@example.com`, password: 'Correct horse 7 battery' }
    return (await nursery.inject({ method: 'POST', url: '/auth/register', payload })).json()
  }
  const owners = [await profileOf('small'), await profileOf('broad'), await profileOf('large')]
  const planted = await seed(owners.map(({ user }) => user.active_profile_id))
  await nursery.close()

  const app = Fastify()
  await app.register(eep, { modules: everything(), ...options, storage: planted })
  const url = await app.listen({ port: 0 })
  const trees: Tree[] = []
  for (const { token, user } of owners) {
    const contents = `/u/${user.username}/content`
    const page = `${contents}/c1/c1/c1/page-0`
    const { statusCode } = await app.inject({ url: page })
    if (statusCode !== 200) throw new Error(`${page} answers ${statusCode}`)
    const list = `/manage/pages?profile_id=${user.active_profile_id}&limit=50`
    trees.push({ page, contents: `${contents}?limit=50`, list, headers: { authorization: `Bearer ${token}` } })
  }
  const [small, broad, large] = trees
  if (!small || !broad || !large) throw new Error('a tree is missing')
  return { url, small, broad, large }
}

const TREES = [
  { width: 2, pages: 100 },
  { width: 5, pages: 100 },
  { width: 5, pages: 100_000 },
]

await serve<{ readonly connectionString?: string | undefined }, TreeSubject>(async ({ connectionString }) => {
  const plantAll = async (query: Query, profileIds: readonly number[]) => {
    for (const [index, { width, pages }] of TREES.entries()) await plant(query, profileIds[index] ?? 0, width, pages)
    await query('vacuum analyze eep.pages')
    await query('vacuum analyze eep.categories')
  }
  if (connectionString !== undefined) {
    const pool = new Pool({ connectionString })
    const storage = postgresStorage({ pool })
    await storage.migrate()
    return start(storage, async (profileIds) => {
      await plantAll((text) => pool.query(text), profileIds)
      return postgresStorage({ pool })
    })
  }
  const storage = pgliteStorage()
  await storage.migrate()
  return start(storage, async (profileIds) => {
    const lite = await PGlite.create({ loadDataDir: await storage.dump() })
    await plantAll((text) => lite.exec(text), profileIds)
    const planted = pgliteStorage({ loadDataDir: await lite.dumpDataDir('none') })
    await lite.close()
    // It opens at its first use, and that takes longer than a server waits for a plugin.
    await planted.ping()
    return planted
  })
})
