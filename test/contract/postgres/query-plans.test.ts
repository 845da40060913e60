import { postgresStorage } from '@eep/adapters-postgres'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { keyOf, postKey } from '../../support/api-keys.ts'
import { createMigratedDatabase } from '../../support/app.ts'
import { fillBigTables } from '../../support/big-tables.ts'
import { type Client as Caller, client, type Response } from '../../support/client.ts'
import { onPglite } from '../../support/database.ts'
import { fillOtherTables } from '../../support/other-tables.ts'
import { MAX_ROWS, slowPartsOf } from '../../support/query-plans.ts'
import { queriesOf } from '../../support/sent-queries.ts'
import { createCashApp, header } from '../../support/shop.ts'

/** Enough that the planner does not scan the tables when it has an index. */
const SIZES = { profiles: 3_000, events: 12_000, entitlements: 3_000, posts: 20_000 }
/** The parts of the sitemap with few pages, which follow the one with most pages: enough that there is an index. */
const SITEMAPS = 6
const SELLER = 'author-100'
const PAGE = `/u/${SELLER}/content/guides/page-7`
const DID = `did:web:profiles.example:u:${SELLER}`
/** The first wallet whose purchase is one of the seller. */
const WALLET = { 'x-eep-payer-wallet': 'wallet:30', 'x-eep-payer-network': 'cash:test' }

/** The callers of a request: a visitor, the owner of the seller, and an account that follows it. */
interface Callers {
  readonly anyone: Caller
  readonly owner: Caller
  readonly reader: Person
  readonly key: Readonly<Record<string, string>>
  /** The id of the seller. */
  readonly id: number
  pay(path: string): Promise<Response>
}

const REQUESTS: Readonly<Record<string, (callers: Callers) => Promise<Response>>> = {
  'a profile as JSON': ({ anyone }) => anyone.get(`/u/${SELLER}`, { accept: 'application/json' }),
  'a profile as a page': ({ anyone }) => anyone.get(`/u/${SELLER}`, { accept: 'text/html' }),
  'the freshness of a profile': ({ anyone }) => anyone.get(`/u/${SELLER}/freshness`),
  'the changelog of a profile': ({ anyone }) => anyone.get(`/u/${SELLER}/changelog`),
  'the trust in a profile': ({ anyone }) => anyone.get(`/trust/u/${SELLER}`),
  'the DID document of a profile': ({ anyone }) => anyone.get(`/u/${SELLER}/did.json`),
  'a DID': ({ anyone }) => anyone.get(`/resolve?did=${encodeURIComponent(DID)}`),
  'whether a name is free': ({ anyone }) => anyone.get('/check-username?username=author-5'),
  'a table of contents': ({ anyone }) => anyone.get(`/u/${SELLER}/content`),
  'the contents of a category': ({ anyone }) => anyone.get(`/u/${SELLER}/content/guides?limit=10`),
  'an open page': ({ anyone }) => anyone.get('/u/author-101/content/page-1'),
  'the challenge of a gated page': ({ anyone }) => anyone.get(PAGE),
  'a gated page for a payer': ({ anyone }) => anyone.get(PAGE, WALLET),
  'a gated page for an account': ({ reader }) => reader.get(PAGE),
  'a purchase': ({ pay }) => pay(PAGE),
  'a gate configuration': ({ anyone }) => anyone.get(`/eep/gates/${DID.replaceAll('%', '%25')}`),
  'the services of a profile': ({ anyone }) => anyone.get(`/eep/services/${DID}`),
  'the files of a profile': ({ owner }) => owner.get(`/files/list/u/${SELLER}`),
  'the feed': ({ anyone }) => anyone.get('/feed'),
  'the feed of followed profiles': ({ reader }) =>
    reader.get('/feed/following', { 'x-active-profile-id': String(reader.account.active_profile_id) }),
  'the posts of a profile': ({ anyone }) => anyone.get(`/feed/u/${SELLER}`),
  'the posts with a hashtag': ({ anyone }) => anyone.get('/feed/hashtags/tag0'),
  'the replies to a post': ({ anyone }) => anyone.get('/feed/posts/1/replies'),
  'a new post': ({ owner }) => owner.post('/feed', { body: 'News about #tag0' }),
  'the profiles that follow': ({ owner }) => owner.get('/connections/followers'),
  'the profiles that are followed': ({ reader }) => reader.get('/connections/following'),
  'the account of a session': ({ reader }) => reader.get('/auth/me'),
  'the sessions of an account': ({ reader }) => reader.get('/auth/sessions'),
  'the profiles of an account': ({ owner }) => owner.get('/dashboard/profiles'),
  'a list of own pages': ({ owner, id }) => owner.get(`/manage/pages?profile_id=${id}&limit=20`),
  'a list of own categories': ({ owner, id }) => owner.get(`/manage/categories?profile_id=${id}`),
  'a new page': ({ owner, id }) =>
    owner.post('/manage/pages', { profile_id: id, title: 'News', body: 'Something', status: 'published' }),
  'the limits of an account': ({ owner }) => owner.get('/manage/limits'),
  'the entitlements that a seller granted': ({ owner, id }) => owner.get(`/manage/entitlements?profile_id=${id}`),
  'the sales of a seller': ({ owner, id }) => owner.get(`/eep/payment/sales?profile_id=${id}`),
  'the receipts of a payer': ({ reader }) => reader.get('/eep/payment/receipts'),
  'the purchases of an account': ({ reader }) => reader.get('/purchases'),
  'the negotiations of an account': ({ owner }) => owner.get('/eep/commerce/negotiations'),
  'the conversations of an account': ({ owner }) => owner.get('/messages/conversations'),
  'the notifications of an account': ({ owner, id }) => owner.get(`/notifications?profile_id=${id}`),
  'the webhooks of an account': ({ owner }) => owner.get('/eep/subscriptions'),
  'the jobs of an account': ({ owner }) => owner.get('/jobs'),
  'the API keys of an account': ({ owner }) => owner.get('/api-keys'),
  'a request with an API key': ({ anyone, key }) => anyone.get('/auth/me', key),
  'the events since a time': ({ reader }) =>
    reader.get(`/eep/events?since=${new Date(Date.now() - 86_400_000).toISOString()}`),
  'the events of a profile': ({ reader }) => reader.get(`/eep/events?source=${encodeURIComponent(DID)}`),
  'the reactions of an account': ({ reader }) => reader.get('/content/reactions/me?kind=like'),
  'a new reaction': ({ reader }) => reader.post('/content/pages/1/reactions', { kind: 'like' }),
  'a sign-in': ({ anyone, reader }) =>
    anyone.post('/auth/login', { email: reader.account.email, password: 'Correct horse 7 battery' }),
  'a part of llms.txt': ({ anyone }) => anyone.get('/llms.txt'),
  'a part of llms-full.txt': ({ anyone }) => anyone.get('/llms-full.txt'),
  'the index of sitemaps': ({ anyone }) => anyone.get('/sitemap.xml'),
  'a part of the sitemap': ({ anyone }) => anyone.get(`/sitemap-pages-${SITEMAPS}.xml`),
  'the start page': ({ anyone }) => anyone.get('/', { accept: 'text/html' }),
}

/** Adds pages with ids that are far apart. */
const addSitemaps = (filler: Client) =>
  filler.query(`insert into eep.pages (id, profile_id, title, slug, body, status, version, position, created_at, updated_at)
    overriding system value
    select part * 10000 + n, profiles.id, 'Notes', 'notes-' || part || '-' || n, 'A line of text.', 'published', 1, n, now(), now()
    from generate_series(1, ${SITEMAPS}) part, generate_series(1, 3) n, eep.profiles where username = 'author-1'`)

/** The planner reads what is sent, and its choice depends on the number of rows. */
describe.skipIf(onPglite())('the statements of a request, among thousands of rows', async () => {
  const database = await createMigratedDatabase()
  const pool = new Pool({ connectionString: database.connectionString })
  const storage = postgresStorage({ pool, listen: false })
  let shop: Awaited<ReturnType<typeof createCashApp>>
  let callers: Callers

  beforeAll(async () => {
    const filler = new Client({ connectionString: database.connectionString })
    await filler.connect()
    try {
      await fillBigTables((text) => filler.query(text), SIZES)
      await fillOtherTables((text) => filler.query(text), MAX_ROWS + 200)
      await addSitemaps(filler)
    } finally {
      await filler.end()
    }
    // Nothing is cached, so each request sends all of its statements. The audit log would begin with the generated events.
    shop = await createCashApp({ storage, limits: { readCacheEntries: 0 }, auditLog: false })
    const [owner, reader] = [await signUp(shop.app, 'ada'), await signUp(shop.app, 'bert')]
    const { rows } = await pool.query(
      'update eep.profiles set owner_account_id = $1 where username = $2 returning id::integer',
      [owner.account.id, SELLER],
    )
    const id: number = rows[0].id
    await reader.post(`/connections/u/${SELLER}`)
    const anyone = client(shop.app)
    callers = {
      anyone,
      owner: owner.with({ 'x-active-profile-id': String(id) }),
      reader,
      id,
      key: keyOf(await postKey(shop.app, owner.headers)).headers,
      async pay(path) {
        const offers = header(await anyone.get(path), 'payment-required')
        return anyone.get(path, shop.cashWallets.answer(offers, { wallet: 'wallet:new' }))
      },
    }
  })
  afterAll(async () => {
    await shop?.close()
    await storage.close()
    await pool.end()
    await database.drop()
  })

  it.each(Object.entries(REQUESTS))('use indexes and read few rows for %s', async (_, request) => {
    let answer: Response | undefined
    const sent = await queriesOf(pool, async () => {
      answer = await request(callers)
    })
    expect([200, 201, 204, 402], answer?.body).toContain(answer?.statusCode)
    expect(sent.some(({ text }) => text.includes('"eep"."'))).toBe(true)
    const slow: Record<string, readonly string[]> = {}
    for (const [text, query] of new Map(sent.map((each) => [each.text, each]))) {
      // Deletes what is due, in the background; its batches are as large as this test allows for a request.
      if (text.includes('for update skip locked)')) continue
      const parts = await slowPartsOf(pool, query)
      if (parts.length > 0) slow[text.slice(0, 500)] = parts
    }
    expect(slow).toEqual({})
  })

  it('reads only the events of a profile, and not those of all', async () => {
    const sent = await queriesOf(pool, async () => {
      const { statusCode } = await callers.reader.get(`/eep/events?source=${encodeURIComponent(DID)}`)
      expect(statusCode).toBe(200)
    })
    const isPageOfProfile = ({ text }: { readonly text: string }) =>
      /from "eep"."events" where .*"profile_id" = /s.test(text)
    expect(sent.filter(isPageOfProfile)).toHaveLength(1)
  })

  it('reports a statement that scans a table, or sorts or counts many rows', async () => {
    const partsOf = (text: string) => slowPartsOf(pool, { text, values: [] })
    expect(await partsOf(`select id from "eep"."pages" where title = 'Page 1'`)).toContain('Seq Scan of pages')
    expect(await partsOf(`select id from "eep"."files" where filename = 'a'`)).toContain('Seq Scan of files')
    const sorted = `select title from "eep"."pages" where status = 'published' and id > 0 order by title limit 5`
    expect((await partsOf(sorted)).length).toBeGreaterThan(0)
    const counted = `select count(*) from "eep"."events" where era >= 0`
    expect((await partsOf(counted)).length).toBeGreaterThan(0)
    expect(await partsOf('select id from "eep"."pages" where id = 1')).toEqual([])
  })
})
