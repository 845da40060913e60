import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { everything } from '@eep/core/everything'
import type { Embedder } from '@eep/core/ports'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { createBenchApp } from './service.ts'

/** A service that searches, by words or also by the meaning that an embedder knows. */
export async function startSearchHost(storage: PostgresStorage, embedder?: Embedder) {
  const app = await createBenchApp(storage, { modules: everything({ search: { index: storage.search(), embedder } }) })
  await app.ready()
  await app.eep.start()
  let closing: Promise<unknown> | undefined
  return {
    app,
    async search(q: string, more = '') {
      const { statusCode, body } = await app.inject({
        method: 'GET',
        url: `/search?q=${encodeURIComponent(q)}&format=json${more}`,
      })
      if (statusCode !== 200) throw new Error(`${q}: ${body}`)
      return JSON.parse(body) as { readonly data: readonly { readonly title: string }[]; readonly mode: string }
    },
    close: async () => {
      closing ??= app.close()
      await closing
    },
  }
}

/** Does something with a service that searches by words on a new database, and closes what it opened. */
export async function withSearchHost<Result>(
  connectionString: string,
  work: (opened: {
    readonly host: Awaited<ReturnType<typeof startSearchHost>>
    readonly storage: PostgresStorage
    readonly pool: Pool
  }) => Promise<Result>,
): Promise<Result> {
  const pool = new Pool({ connectionString })
  const storage = postgresStorage({ pool })
  await storage.migrate()
  const host = await startSearchHost(storage)
  try {
    return await work({ host, storage, pool })
  } finally {
    await host.close()
    await storage.close()
    await pool.end()
  }
}

/**
 * A bare route that searches the same pages with one SELECT: public profiles only, the last word also as the beginning of others, the 20
 * best by their rank, each with its author and a part of its text in which the words are marked.
 */
export async function startBareSearch(pool: Pool) {
  await pool.query(`create table bare_pages as
    select id, profile_id, title, body, setweight(to_tsvector('english', title), 'A') || to_tsvector('english', body) as words
    from eep.pages`)
  await pool.query('create index on bare_pages using gin (words)')
  await pool.query('vacuum analyze bare_pages')
  const app = Fastify()
  app.get<{ Querystring: { readonly q: string } }>('/search', async ({ query: { q } }) => {
    const { rows } = await pool.query(
      `select page.id, page.title, username, ts_headline('english', body, asked, 'MaxFragments=1, MaxWords=35') as snippet
       from (
         select bare_pages.id, title, body, username, asked
         from bare_pages join eep.profiles profiles on profiles.id = profile_id, to_tsquery('english', $1) asked
         where words @@ asked and visibility = 'public'
         order by ts_rank_cd(words, asked, 33) desc limit 20
       ) page`,
      [`${q.split(' ').join(' & ')}:*`],
    )
    return { data: rows }
  })
  await app.ready()
  return async (q: string) => {
    const { statusCode, body } = await app.inject({ method: 'GET', url: `/search?q=${encodeURIComponent(q)}` })
    if (statusCode !== 200) throw new Error(`${q}: ${body}`)
    JSON.parse(body)
  }
}
