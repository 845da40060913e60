import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Footprint } from './footprint.ts'
import { median, p95 } from './measure.ts'
import type { CorpusPage } from './search-corpus.ts'
import type { startSearchHost } from './search-hosts.ts'
import { measured, rateOf, type SearchRow, timed } from './search-times.ts'

const MUST_MS = 50
/** Pages a second that must be indexed. */
const MUST_INDEX = 1_000
const REQUESTS = 200
/** Each query is sent this often, so that the pauses of the machine are not taken for slow queries. */
const TRIES = 3
const INSERTED = 500
const AUTHORS = 1_000

const counted = (count: number) => count.toLocaleString('en')

/** Public profiles to write pages for. It is SQL: the routes would take hours. */
export async function insertAuthors(pool: Pool): Promise<void> {
  await pool.query(
    `insert into eep.accounts (id, email, username, created_at)
     select gen_random_uuid(), 'author-' || n || '@example.com', 'author-' || n, now() from generate_series(1, $1) n`,
    [AUTHORS],
  )
  await pool.query(`insert into eep.profiles (owner_account_id, type, username, skills, socials, keywords, capabilities,
      custom_fields, type_data, visibility, created_at, updated_at)
    select id, 'person', username, '{}', '{}', '{}', '{}', '{}', '{}', 'public', now(), now() from eep.accounts`)
}

/** Inserts pages of the public profiles; the first has the number `from`. */
export async function insertPages(pool: Pool, from: number, pages: readonly CorpusPage[]): Promise<void> {
  await pool.query(
    `insert into eep.pages (profile_id, title, slug, body, excerpt, status, version, position, created_at, updated_at, published_at)
     select profiles.ids[1 + n % cardinality(profiles.ids)], title, 'page-' || n, body, excerpt, 'published', 1, n, now(), at, at
     from (select array_agg(id order by id) as ids from eep.profiles where username like 'author-%') profiles,
       json_to_recordset($1::text::json) as sent (n integer, title text, excerpt text, body text),
       lateral (select now() - n * interval '1 minute' as at) times`,
    [JSON.stringify(pages.map((page, index) => ({ n: from + index, ...page })))],
  )
}

/** What grows: the host that searches, its database, and the pages and queries of the corpus. */
interface Growing {
  readonly host: Awaited<ReturnType<typeof startSearchHost>>
  readonly pool: Pool
  readonly pages: readonly CorpusPage[]
  readonly queries: readonly string[]
}

/** Searches by two words among a tenth of the pages and among all of them, and how fast all of them are indexed. */
export async function measureGrowth({ host: { app, search }, pool, pages, queries }: Growing) {
  /** Rebuilds the index, and returns how many milliseconds it took. */
  async function reindex(documents: number): Promise<number> {
    const from = performance.now()
    await app.eep.search.reindex()
    for (;;) {
      const stats = await app.eep.search.stats()
      if (stats.documents >= documents && !stats.isRebuilding && stats.lagMs === 0) return performance.now() - from
      // Counting documents takes the processor too.
      await sleep(Math.max(500, documents / 100))
    }
  }

  const footprints: Omit<Footprint, 'database'>[] = []
  const times: number[][] = []
  let [inserted, perSecond] = [0, 0]
  for (const count of [pages.length / 10, pages.length]) {
    while (inserted < count) {
      const next = pages.slice(inserted, Math.min(count, inserted + INSERTED))
      await insertPages(pool, inserted, next)
      inserted += next.length
    }
    perSecond = (count * 1_000) / (await reindex(count))
    await pool.query('vacuum analyze eep.search_documents, eep.search_words, eep.pages')
    for (const q of queries.slice(0, 20)) await search(q)
    const ofCount: number[] = []
    for (const q of queries.slice(0, REQUESTS)) {
      const tries: number[] = []
      for (let attempt = 0; attempt < TRIES; attempt++) tries.push(await timed(() => search(q)))
      ofCount.push(median(tries))
    }
    times.push(ofCount)
    footprints.push({
      what: `p95 of a search by two words among ${counted(count)} pages`,
      // The bar is that of 100,000 pages; of more, the growth is measured.
      must: count > 100_000 ? undefined : MUST_MS,
      value: Math.round(p95(ofCount) * 10) / 10,
      unit: 'ms',
    })
  }

  const [few = [], many = []] = times
  const rows: SearchRow[] = [
    {
      what: 'pages indexed a second',
      against: 'a fixed rate',
      must: 1,
      ratio: perSecond / MUST_INDEX,
      subject: rateOf(perSecond),
      bare: rateOf(MUST_INDEX),
    },
    {
      what: `p95 of a search among ${counted(pages.length)} pages`,
      against: 'a tenth of the pages',
      must: 0.34,
      ratio: p95(few) / p95(many),
      subject: measured(many),
      bare: measured(few),
    },
  ]
  return { rows, footprints }
}
