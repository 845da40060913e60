import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { createCorpus } from './search-corpus.ts'
import { insertAuthors, measureGrowth } from './search-growth.ts'
import { startSearchHost } from './search-hosts.ts'

const PAGES = 1_000_000

/** Searches by words among a million generated pages, and among a tenth of them. */
export async function measureMillion(connectionString: string) {
  const pool = new Pool({ connectionString })
  const storage = postgresStorage({ pool })
  await storage.migrate()
  const host = await startSearchHost(storage)
  try {
    await insertAuthors(pool)
    return await measureGrowth({ host, pool, ...createCorpus(PAGES) })
  } finally {
    await host.close()
    await storage.close()
    await pool.end()
  }
}
