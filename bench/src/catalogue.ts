import { everything } from '@eep/core/everything'
import { x402Rail } from '@eep/payments-x402'
import { recordingFacilitator } from '@eep/test/support/recording-facilitator'
import { Client } from 'pg'
import { type Pair, p95 } from './measure.ts'
import { openService } from './service.ts'

/** The priced pages of the large catalogue and of the small one. */
const LARGE = 100_000
const SMALL = 1_000
/** The pages of each seller. */
const PAGES_OF_SELLER = 1_000
const REQUESTS = 200
const WARM = 40
/** How many times slower a read of the large catalogue may be. */
const MUST = 1 / 3
/** How long the listing of everything may take on a slow machine, before the measurement gives up. */
const LISTED_WITHIN_MS = 900_000

const GATE = {
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['profile.*'] },
    reader: {
      requirements: [{ type: 'payment', amount: 0.05, currency: 'usdc', per: 'once' }],
      access: ['content.*'],
    },
  },
}

type Service = Awaited<ReturnType<typeof open>>

/** Fills the tables by SQL: the routes would take hours. */
async function fill(connectionString: string, pages: number): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  const sellers = pages / PAGES_OF_SELLER
  try {
    await client.query(`insert into eep.accounts (id, email, email_verified, username, created_at)
      select md5('account ' || n)::uuid, 'seller-' || n || '@example.com', true, 'seller-' || n, now() from generate_series(1, ${sellers}) n`)
    await client.query(`insert into eep.profiles (owner_account_id, type, username, full_name, bio, skills, socials, keywords,
        capabilities, custom_fields, type_data, visibility, created_at, updated_at)
      select md5('account ' || n)::uuid, 'person', 'seller-' || n, 'Seller ' || n, 'Writes about engines.', '{}', '{}', '{}', '{}', '{}', '{}',
        'public', now(), now() from generate_series(1, ${sellers}) n order by n`)
    await client.query(`insert into eep.pages (profile_id, title, slug, body, excerpt, status, version, position, created_at, updated_at, published_at)
      select id, 'Engine ' || each, 'engine-' || each, repeat('A line of text. ', 40), 'In short', 'published', 1, each, now(),
        now() - (each || ' minutes')::interval - (id || ' seconds')::interval, now()
      from eep.profiles, generate_series(1, ${PAGES_OF_SELLER}) each where username like 'seller-%'`)
    await client.query(
      `insert into eep.gates (profile_id, config, version, updated_at)
       select id, $1, 1, now() from eep.profiles where username like 'seller-%'`,
      [JSON.stringify(GATE)],
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** The service with a search on a database, once its catalogue has all pages. */
async function open(connectionString: string, pages: number) {
  const { facilitator } = recordingFacilitator()
  const network = 'eip155:84532'
  const payTo = '0x00000000000000000000000000000000000000aa'
  const service = await openService(connectionString, (storage) => ({
    payments: { rails: [x402Rail({ network, payTo, facilitator, recoveryRpcUrl: false })] },
    modules: everything({ search: { index: storage.search() } }),
  }))
  const listed = await service.storage.read.pricedResources.countOffers({})
  if (listed < pages) await fill(connectionString, pages)
  const from = performance.now()
  await service.app.ready()
  await service.app.eep.start()
  await service.app.eep.search.reindex()
  return { ...service, pages, from }
}

/** Waits until everything is listed, and returns the time that it took. */
async function untilListed({ storage, pages, from }: Service): Promise<number> {
  for (;;) {
    const requested = await storage.read.pricedResources.listRequested(1)
    if (requested.length === 0 && (await storage.read.pricedResources.countOffers({})) === pages) break
    if (performance.now() - from > LISTED_WITHIN_MS) throw new Error('the catalogue was not listed in time')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return performance.now() - from
}

async function untilIndexed({ app, pages }: Service): Promise<void> {
  for (let documents = 0; documents < pages; documents = (await app.eep.search.stats()).documents) {
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function get({ app }: Service, url: string): Promise<void> {
  const { statusCode, body } = await app.inject({ method: 'GET', url, headers: { accept: 'application/json' } })
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`)
}

const SEARCHED = ['engine 7', 'engine 42', 'engine 512', '"engine 99"']

const READS: readonly { readonly what: string; readonly url: (pages: number, round: number) => string }[] = [
  { what: 'the catalogue at offset 0', url: () => '/discovery/resources' },
  { what: 'the catalogue near its end', url: (pages) => `/discovery/resources?offset=${pages - 100}` },
  { what: 'the catalogue by network', url: () => '/discovery/resources?network=eip155:84532' },
  { what: 'the catalogue by an unknown receiver', url: (_, round) => `/discovery/resources?payTo=0x${round}` },
  {
    what: 'the catalogue of a profile',
    url: (pages, round) => `/discovery/resources?profile=u/seller-${1 + (round % (pages / PAGES_OF_SELLER))}`,
  },
  {
    what: 'a search in the catalogue',
    url: (_, round) => `/discovery/search?query=${encodeURIComponent(SEARCHED[round % SEARCHED.length] ?? '')}`,
  },
  { what: '/openapi.json', url: () => '/openapi.json' },
]

/** The p95 of a read on both, one request after another, by turns. */
async function compare(large: Service, small: Service, { what, url }: (typeof READS)[number]) {
  const times = { large: [] as number[], small: [] as number[] }
  for (let round = 1; round <= WARM + REQUESTS; round += 1) {
    for (const [name, service] of [
      ['large', large],
      ['small', small],
    ] as const) {
      const from = performance.now()
      await get(service, url(service.pages, round))
      if (round > WARM) times[name].push(performance.now() - from)
    }
  }
  const measured = (of: readonly number[]) => ({
    requestsPerSecond: Number.NaN,
    p99Ms: Math.round(p95(of) * 100) / 100,
  })
  const [subject, bare] = [measured(times.large), measured(times.small)]
  return { what, must: MUST, subject, bare, ratio: bare.p99Ms / subject.p99Ms }
}

/** How much longer reads of the catalogue take among 100,000 priced pages than among 1,000. Times are those of the 95th of 100 requests. */
export async function measureCatalogue(smallDatabase: string, largeDatabase: string) {
  const small = await open(smallDatabase, SMALL)
  const large = await open(largeDatabase, LARGE)
  try {
    await untilListed(small)
    const listedMs = await untilListed(large)
    console.log(`listed ${LARGE} pages of ${LARGE / PAGES_OF_SELLER} sellers in ${Math.round(listedMs / 1_000)} s`)
    await untilIndexed(small)
    await untilIndexed(large)
    for (const { pool } of [small, large]) await pool.query('vacuum analyze')
    const rows: ({ readonly what: string; readonly must: number } & Pair)[] = []
    for (const read of READS) {
      const row = await compare(large, small, read)
      console.log(`${row.what}: p95 ${row.subject.p99Ms} against ${row.bare.p99Ms} ms`)
      rows.push(row)
    }
    return rows
  } finally {
    await large.close()
    await small.close()
  }
}
