import { setTimeout as sleep } from 'node:timers/promises'
import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import type { Footprint } from './footprint.ts'
import { p95 } from './measure.ts'
import { createCorpus } from './search-corpus.ts'
import { startBareSearch, startSearchHost } from './search-hosts.ts'
import { measureHybrid, measureRelevance } from './search-meaning.ts'
import { RELEVANCE } from './search-relevance.ts'
import { measured, type SearchRow, timed } from './search-times.ts'

/**
 * How many pages are searched: a tenth of them first. SEARCH_PAGES=10000 makes a quick run, whose bars mean less;
 * SEARCH_PAGES=1000000 compares a million pages with 100,000, and takes an hour.
 */
const PAGES = Number(process.env.SEARCH_PAGES ?? 100_000)
const MUST_MS = 50
/** Pages a second that must be indexed. */
const MUST_INDEX = 1_000
const REQUESTS = 200
const TYPOS = 200
const INSERTED = 500

/** Pages of public profiles. It is SQL: the routes would take hours. */
async function insertPages(
  pool: Pool,
  from: number,
  pages: readonly { title: string; excerpt: string; body: string }[],
) {
  await pool.query(
    `insert into eep.pages (profile_id, title, slug, body, excerpt, status, version, position, created_at, updated_at, published_at)
     select profiles.ids[1 + n % cardinality(profiles.ids)], title, 'page-' || n, body, excerpt, 'published', 1, n, now(), at, at
     from (select array_agg(id order by id) as ids from eep.profiles where username like 'author-%') profiles,
       json_to_recordset($1::text::json) as sent (n integer, title text, excerpt text, body text),
       lateral (select now() - n * interval '1 minute' as at) times`,
    [JSON.stringify(pages.map((page, index) => ({ n: from + index, ...page })))],
  )
}

/**
 * Searches by words in generated pages: how long one waits, how that grows, how it compares with a query in plain SQL, how fast
 * pages are indexed, and what is found of misspelled words and of a small collection with known answers.
 */
export async function measureSearch(connectionString: string) {
  const pool = new Pool({ connectionString })
  const storage = postgresStorage({ pool })
  await storage.migrate()
  const host = await startSearchHost(storage)
  const { app, search } = host
  const rows: SearchRow[] = []
  const footprints: Omit<Footprint, 'database'>[] = []
  /** Rebuilds the index, and returns how long it took. */
  async function reindex(documents: number): Promise<number> {
    const from = performance.now()
    await app.eep.search.reindex()
    for (;;) {
      const stats = await app.eep.search.stats()
      if (stats.documents >= documents && !stats.isRebuilding && stats.lagMs === 0) return performance.now() - from
      // Counting documents takes the processor too.
      await sleep(500)
    }
  }

  try {
    await pool.query(`insert into eep.accounts (id, email, username, created_at)
      select gen_random_uuid(), 'author-' || n || '@example.com', 'author-' || n, now() from generate_series(1, 1000) n`)
    await pool.query(`insert into eep.profiles (owner_account_id, type, username, skills, socials, keywords, capabilities,
        custom_fields, type_data, visibility, created_at, updated_at)
      select id, 'person', username, '{}', '{}', '{}', '{}', '{}', '{}', 'public', now(), now() from eep.accounts`)

    const { pages, queries, misspelled } = createCorpus(PAGES)
    const times: number[][] = []
    let inserted = 0
    for (const count of [PAGES / 10, PAGES]) {
      const before = inserted
      while (inserted < count) {
        const next = pages.slice(inserted, Math.min(count, inserted + INSERTED))
        await insertPages(pool, inserted, next)
        inserted += next.length
      }
      const ms = await reindex(count)
      await pool.query('vacuum analyze eep.search_documents, eep.search_words, eep.pages')
      if (before > 0) {
        const perSecond = { requestsPerSecond: (count * 1_000) / ms, p99Ms: Number.NaN }
        const fixed = { requestsPerSecond: MUST_INDEX, p99Ms: Number.NaN }
        const ratio = perSecond.requestsPerSecond / MUST_INDEX
        rows.push({
          what: 'pages indexed a second',
          against: 'a fixed rate',
          must: 1,
          ratio,
          subject: perSecond,
          bare: fixed,
        })
      }
      for (const q of queries.slice(0, 20)) await search(q)
      const ofCount: number[] = []
      for (const q of queries.slice(0, REQUESTS)) ofCount.push(await timed(() => search(q)))
      times.push(ofCount)
      footprints.push({
        what: `p95 of a search by two words among ${count.toLocaleString('en')} pages`,
        must: MUST_MS,
        value: Math.round(p95(ofCount) * 10) / 10,
        unit: 'ms',
      })
    }
    const [few = [], many = []] = times
    const grown = { subject: measured(many), bare: measured(few), ratio: p95(few) / p95(many) }
    rows.push({
      what: `p95 of a search among ${PAGES.toLocaleString('en')} pages`,
      against: 'a tenth of the pages',
      must: 0.34,
      ...grown,
    })

    const bare = await startBareSearch(pool)
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (const q of queries.slice(0, 20)) await bare(q)
    for (const q of queries.slice(0, REQUESTS)) {
      theirs.push(await timed(() => bare(q)))
      ours.push(await timed(() => search(q)))
    }
    const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
    rows.push({
      what: 'a search by two words',
      against: 'a bare route, one SELECT with a tsvector that finds and marks as much',
      must: 0.6,
      ratio: sum(theirs) / sum(ours),
      subject: measured(ours),
      bare: measured(theirs),
    })

    let found = 0
    for (const { q, title } of misspelled.slice(0, TYPOS)) {
      const { data } = await search(q, '&limit=5')
      if (data.some((hit) => hit.title === title)) found += 1
    }
    const counted = (requestsPerSecond: number) => ({ requestsPerSecond, p99Ms: Number.NaN })
    rows.push({
      what: 'pages in the first 5 hits, by their title with one edit in a word',
      against: 'the queries',
      must: 0.9,
      ratio: found / TYPOS,
      subject: counted(found),
      bare: counted(TYPOS),
    })

    await host.close()
    footprints.push(await measureHybrid(storage, PAGES, queries.slice(0, REQUESTS)))
    await pool.query('truncate eep.pages cascade')
    await insertPages(
      pool,
      0,
      RELEVANCE.documents.map(({ title, body }) => ({ title, excerpt: '', body })),
    )
    await pool.query(`update eep.profiles set visibility = 'private' where username not in (select username from eep.profiles p
      where exists (select from eep.pages where profile_id = p.id))`)
    rows.push(...(await measureRelevance(storage)))
    return { rows, footprints }
  } finally {
    await host.close()
    await storage.close()
    await pool.end()
  }
}
