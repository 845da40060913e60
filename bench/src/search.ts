import { createCorpus } from './search-corpus.ts'
import { insertAuthors, insertPages, measureGrowth } from './search-growth.ts'
import { startBareSearch, withSearchHost } from './search-hosts.ts'
import { measureHybrid, measureRelevance } from './search-meaning.ts'
import { RELEVANCE } from './search-relevance.ts'
import { measured, rateOf, timed } from './search-times.ts'

/** How many pages are searched: a tenth of them first. SEARCH_PAGES=10000 makes a quick run, whose bars mean less. */
const PAGES = Number(process.env.SEARCH_PAGES ?? 100_000)
const REQUESTS = 200
const TYPOS = 200

/**
 * Searches by words in generated pages: how long one waits, how that grows, how it compares with a query in plain SQL, how fast
 * pages are indexed, and what is found of misspelled words and of a small collection with known answers.
 */
export const measureSearch = (connectionString: string) =>
  withSearchHost(connectionString, async ({ host, storage, pool }) => {
    const { search } = host
    await insertAuthors(pool)
    const { pages, queries, misspelled } = createCorpus(PAGES)
    const { rows, footprints } = await measureGrowth({ host, pool, pages, queries })

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
    rows.push({
      what: 'pages in the first 5 hits, by their title with one edit in a word',
      against: 'the queries',
      must: 0.9,
      ratio: found / TYPOS,
      subject: rateOf(found),
      bare: rateOf(TYPOS),
    })

    await host.close()
    footprints.push(await measureHybrid(pool, storage, PAGES, queries.slice(0, REQUESTS)))
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
  })
