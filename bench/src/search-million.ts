import { createCorpus } from './search-corpus.ts'
import { insertAuthors, measureGrowth } from './search-growth.ts'
import { withSearchHost } from './search-hosts.ts'

const PAGES = 1_000_000

/** Searches by words among a million generated pages, and among a tenth of them. */
export const measureMillion = (connectionString: string) =>
  withSearchHost(connectionString, async ({ host, pool }) => {
    await insertAuthors(pool)
    return measureGrowth({ host, pool, ...createCorpus(PAGES) })
  })
