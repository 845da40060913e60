import { everything } from '@eep/core/everything'
import {
  fillBigTables,
  hashtagsOf,
  PAGES_OF_SELLER,
  SELLER_EVERY,
  sellerOf,
  sizesOf,
  type TableSizes,
} from '@eep/test/support/big-tables'
import { startEmbeddedPostgres } from '@eep/test/support/embedded-postgres'
import { Client, Pool } from 'pg'
import { type Pair, p95 } from './measure.ts'
import { openService } from './service.ts'

/**
 * The share of a million profiles, pages, posts and entitlements and of ten million events. SCALE=0.1 makes a shorter run; the
 * whole takes about 12 GB of the disk.
 */
export const SCALE = Number(process.env.SCALE ?? 1)
/** The small tables: enough for a whole part of the sitemap. */
const SMALL = 0.02
/** How many times slower a read may be: three times. */
const MUST = 1 / 3
const REQUESTS = 200
/** Compiles what a read runs through, and fills the caches of the database as far as they reach. */
const WARM = 40
/** Reads that take long are measured less often. */
const FEWER = 15

interface Tables extends Awaited<ReturnType<typeof openService>> {
  readonly sizes: TableSizes
  /** Signs a reader in. */
  readonly headers: Readonly<Record<string, string>>
  /** The id of the profile with the number 1; the others follow. */
  readonly firstId: number
}

/** The service on tables of a size. Nothing is cached in the process. */
async function openTables(connectionString: string, factor: number): Promise<Tables> {
  const sizes = sizesOf(factor)
  const service = await openService(connectionString, () => ({
    limits: { readCacheEntries: 0 },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
    // These would begin with the oldest of the generated events.
    modules: everything({ auditLog: false, messages: false }),
  }))
  const client = new Client({ connectionString })
  await client.connect()
  const begun = performance.now()
  const filled = await client.query(`select from eep.profiles where username = 'author-1'`)
  if (filled.rowCount === 0) await fillBigTables((text) => client.query(text), sizes)
  const { rows } = await client.query(`select pg_size_pretty(pg_database_size(current_database())) as size,
    (select id from eep.profiles where username = 'author-1') as first_id`)
  await client.end()
  console.log(`filled ${factor} of the tables: ${rows[0].size} in ${Math.round((performance.now() - begun) / 1_000)} s`)
  const username = `reader-${Date.now()}`
  const payload = { username, email: `${username}@example.com`, password: 'Correct horse 7 battery' }
  const { token } = (await service.app.inject({ method: 'POST', url: '/auth/register', payload })).json()
  return { ...service, sizes, headers: { authorization: `Bearer ${token}` }, firstId: Number(rows[0].first_id) }
}

/** Numbers from 1, spread over all of them. The sequence is the same for each count. */
const numberOf = (round: number, count: number) => 1 + Math.floor(count * ((round * 0.618_033_988_75) % 1))

async function get({ app }: Tables, url: string, headers: Readonly<Record<string, string>> = {}, status = 200) {
  const sent = { accept: 'application/json', ...headers }
  const { statusCode, body } = await app.inject({ method: 'GET', url, headers: sent })
  if (statusCode !== status) throw new Error(`${url} answered ${statusCode}: ${body}`)
  return body
}

const profile = (n: number) => `/u/author-${n}`
const sellerAt = (round: number, { profiles }: TableSizes) =>
  SELLER_EVERY * numberOf(round, Math.floor(profiles / SELLER_EVERY))
const sold = (round: number) => `/content/guides/page-${1 + (round % PAGES_OF_SELLER)}`
const payerOf = (entitlement: number) => ({ payerWalletAddress: `wallet:${entitlement}`, payerNetwork: 'cash:test' })

/** A moment of the last 30 days, in which the events were made. */
const momentAt = (round: number) => new Date(Date.now() - numberOf(round, 29 * 24 * 3_600) * 1_000 - 3_600_000)

interface Read {
  readonly what: string
  /** Default: {@link REQUESTS}. */
  readonly requests?: number
  /** Reads something else in each round. */
  read(tables: Tables, round: number): Promise<unknown>
}

const READS: readonly Read[] = [
  { what: 'a public profile', read: (on, round) => get(on, profile(sellerAt(round, on.sizes))) },
  {
    what: 'an open page',
    // Odd numbers have one, and are not those of sellers.
    read: (on, round) => get(on, `${profile(2 * numberOf(round, on.sizes.profiles / 2) - 1)}/content/page-1`),
  },
  { what: 'a table of contents', read: (on, round) => get(on, `${profile(sellerAt(round, on.sizes))}/content`) },
  {
    what: 'the 402 of a gated page',
    read: (on, round) => get(on, profile(sellerAt(round, on.sizes)) + sold(round), {}, 402),
  },
  {
    what: 'a gated page, entitled',
    read(on, round) {
      const entitlement = numberOf(round, on.sizes.entitlements)
      const headers = { 'x-eep-payer-wallet': `wallet:${entitlement}`, 'x-eep-payer-network': 'cash:test' }
      return get(on, profile(sellerOf(entitlement, on.sizes)) + sold(round), headers)
    },
  },
  {
    what: 'the entitlements of a payer',
    async read({ storage, firstId, sizes }, round) {
      const entitlement = numberOf(round, sizes.entitlements)
      const profileId = firstId - 1 + sellerOf(entitlement, sizes)
      const found = await storage.read.entitlements.listActivePatterns({ profileId, ...payerOf(entitlement) })
      if (found.length !== 1) throw new Error(`wallet:${entitlement} has ${found.length} entitlements`)
    },
  },
  {
    what: '100 events since a time',
    // Each of them resolves its profile, which is not cached here.
    requests: FEWER,
    read: (on, round) => get(on, `/eep/events?since=${momentAt(round).toISOString()}`, on.headers),
  },
  {
    what: 'a page of the log, for streams',
    async read({ storage }, round) {
      const after = await storage.read.eventRetention.findCursor(momentAt(round))
      const { events } = await storage.read.events.list({ after, limit: 200 })
      if (events.length !== 200) throw new Error(`${events.length} events after ${after}`)
    },
  },
  {
    what: 'the changelog of a profile',
    read: (on, round) => get(on, `${profile(sellerAt(round, on.sizes))}/changelog`),
  },
  { what: 'the feed', read: (on) => get(on, '/feed') },
  {
    what: 'the posts with a hashtag',
    read: (on, round) => get(on, `/feed/hashtags/tag${round % hashtagsOf(on.sizes)}`),
  },
  { what: 'the newest sitemap of pages', requests: FEWER, read: (on) => get(on, '/sitemap-pages-1.xml') },
  { what: 'the sitemap index', read: (on) => get(on, '/sitemap.xml') },
  { what: 'the first part of llms.txt', requests: FEWER, read: (on) => get(on, '/llms.txt') },
]

/** The p95 of a read on both, one request after another, by turns. */
async function compareReads({ what, read, requests = REQUESTS }: Read, large: Tables, small: Tables) {
  const times = { large: [] as number[], small: [] as number[] }
  const take = async (into: number[], tables: Tables, round: number) => {
    const from = performance.now()
    await read(tables, round)
    into.push(performance.now() - from)
  }
  // Warming up reads other things than those that are measured.
  for (let round = 1; round <= Math.min(WARM, requests) + requests; round++) {
    const into = round > Math.min(WARM, requests) ? times : { large: [], small: [] }
    await take(into.large, large, round)
    await take(into.small, small, round)
  }
  const measured = (of: readonly number[]) => ({
    requestsPerSecond: Number.NaN,
    p99Ms: Math.round(p95(of) * 100) / 100,
  })
  const [subject, bare] = [measured(times.large), measured(times.small)]
  return { what, must: MUST, subject, bare, ratio: bare.p99Ms / subject.p99Ms }
}

/** Compares reads on two databases, which are filled first if they are empty. */
async function compareTables(smallUrl: string, largeUrl: string) {
  const opened: Tables[] = []
  try {
    const small = await openTables(smallUrl, SMALL)
    opened.push(small)
    const large = await openTables(largeUrl, SCALE)
    opened.push(large)
    const rows: ({ readonly what: string; readonly must: number } & Pair)[] = []
    for (const read of READS) {
      const row = await compareReads(read, large, small)
      console.log(`${row.what}: p95 ${row.subject.p99Ms} against ${row.bare.p99Ms} ms`)
      rows.push(row)
    }
    return rows
  } finally {
    for (const { close } of opened) await close()
  }
}

/** How much longer reads take on tables with millions of rows than on small ones. */
export async function measureScale() {
  // On the disk: the large tables do not fit into the memory of most machines.
  const server = await startEmbeddedPostgres({ durable: true })
  const admin = new Pool({ connectionString: server.connectionString, max: 1 })
  const create = async (name: string) => {
    await admin.query(`create database ${name}`)
    const url = new URL(server.connectionString)
    url.pathname = `/${name}`
    return url.href
  }
  try {
    return await compareTables(await create('small'), await create('large'))
  } finally {
    await admin.end()
    await server.stop()
  }
}
