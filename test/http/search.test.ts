import type { PostgresStorage } from '@eep/adapters-postgres'
import { accountHolder, type OptionalGroup, type Storage } from '@eep/core/ports'
import { cashRail, newGrant, newPage } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { PATIENT } from '../support/patient-search.ts'
import { find, pathsOf, searchUrl } from '../support/search.ts'
import { openShop, SECRET_WORD, shopGate } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

let app: TestApp
let storage: Storage<OptionalGroup>
let close: () => Promise<void>
let ada: Writer
beforeAll(async () => {
  ;({ app, storage, close } = await createTestApp({
    withSearch: true,
    ...OPEN_FEED,
    payments: { rails: [cashRail()] },
  }))
  ada = await createWriter(app, 'ada')
  await ada.put('/profiles/u/ada', { full_name: 'Ada Lovelace', bio: 'Wrote about engines', skills: ['Mathematics'] })
})
afterAll(() => close())

/** Searches until the index has what a check expects. */
const eventually = <Result>(check: () => Promise<Result>) => soon(check)

describe('search', () => {
  it('finds profiles, pages, posts and the text of files', async () => {
    const page = await ada.newPage({ title: 'On looms', body: '# The first chapter\n\nA **quillwort** grows here.' })
    const post = await newPost(ada, 'A quillwort, seen today #botany')
    const parts = [field('username', 'ada'), fileOf('The quillwort of the garden', 'garden.txt')]
    const file = (await upload(app, parts, ada.headers)).json()
    expect((await client(app).get(`/files/${file.id}/markdown`)).statusCode).toBe(200)

    await eventually(async () => {
      const found = await pathsOf(app, 'quillwort')
      expect([...found].sort()).toEqual([page.path, `/feed/posts/${post.id}`, `/files/${file.id}`].sort())
    })
    expect(await pathsOf(app, 'lovelace')).toContain('/u/ada')
    expect(await pathsOf(app, 'chapters')).toEqual([page.path])
    expect(await pathsOf(app, 'quillwort', { scope: 'feed' })).toEqual([`/feed/posts/${post.id}`])
    expect(await pathsOf(app, 'quillwort', { scope: 'pages' })).toEqual([page.path])
    expect(await pathsOf(app, 'quillwort', { scope: 'profiles' })).toEqual([])
    expect(await pathsOf(app, 'quillwort type:file')).toEqual([`/files/${file.id}`])
    expect(await pathsOf(app, 'tag:botany')).toEqual([`/feed/posts/${post.id}`])
    expect(await pathsOf(app, 'tag:mathematics')).toEqual(['/u/ada'])
  })

  it('finds all files with the same bytes once the text of one of them is extracted', async () => {
    const eve = await createWriter(app, 'eve')
    const files: { readonly id: number }[] = []
    for (const { headers, username } of [
      { ...ada, username: 'ada' },
      { ...eve, username: 'eve' },
    ]) {
      const parts = [field('username', username), fileOf('Notes about bogbean', 'notes.txt')]
      files.push((await upload(app, parts, headers)).json())
    }
    const paths = files.map(({ id }) => `/files/${id}`).sort()
    expect(await pathsOf(app, 'bogbean')).toEqual([])
    expect((await client(app).get(`/files/${files[0]?.id}/markdown`)).statusCode).toBe(200)
    await eventually(async () => {
      expect([...(await pathsOf(app, 'bogbean'))].sort()).toEqual(paths)
    })
  })

  it('describes a hit and marks the matching words', async () => {
    const page = await ada.newPage({ title: 'The sedge', excerpt: 'About a sedge', body: 'Words about nothing' })
    const [hit] = (await find(app, 'sedge')).data
    expect(hit).toMatchObject({
      kind: 'page',
      title: 'The sedge',
      snippet: 'About a sedge',
      url: `https://profiles.example${page.path}`,
      path: page.path,
      profile: { username: 'ada', full_name: 'Ada Lovelace', profile_type: 'person', did: expect.any(String) },
      matched: ['keyword'],
      gated: false,
    })
    expect(hit?.highlights).toEqual([
      { field: 'title', ranges: [[4, 9]] },
      { field: 'snippet', ranges: [[8, 13]] },
    ])
    expect(hit?.score).toBeGreaterThan(0)
    expect(hit?.score).toBeLessThanOrEqual(1)
  })

  it('neither repeats nor skips hits between pages', async () => {
    const paths: string[] = []
    for (let count = 0; count < 7; count += 1) {
      paths.push((await ada.newPage({ title: `Horsetail ${count}`, body: '' })).path)
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { data, pagination } = await find(app, 'horsetail', { limit: '3', ...(cursor && { cursor }) })
      expect(pagination.total).toBe(7)
      seen.push(...data.map(({ path }) => path))
      cursor = pagination.next_cursor
      expect(pagination.has_more).toBe(cursor !== undefined)
      await ada.newPage({ title: 'Horsetail horsetail', body: '' })
      paths.length = 7
      if (cursor) continue
    } while (cursor && seen.length < 50)
    expect(seen.sort()).toEqual(paths.sort())
  })

  it('falls back to similar spellings when nothing else matches, and reports it', async () => {
    const page = await ada.newPage({ title: 'The pteridology', body: '' })
    const { data, suggestion } = await find(app, 'The pteridolgy')
    expect(data.map(({ path, matched }) => ({ path, matched }))).toEqual([{ path: page.path, matched: ['fuzzy'] }])
    expect(suggestion).toBe('The pteridology')
    expect((await find(app, 'pteridology')).suggestion).toBeUndefined()
  })

  it('counts hits by facet', async () => {
    await newPost(ada, 'Clubmoss #fern #moss')
    await newPost(ada, 'Clubmoss again #fern')
    await ada.newPage({ title: 'Clubmoss', body: '' })
    const { facets } = await find(app, 'clubmoss', { facets: 'kind,tag,profile_type', limit: '1' })
    expect(facets).toEqual({
      kind: [
        { value: 'post', count: 2 },
        { value: 'page', count: 1 },
      ],
      tag: [
        { value: 'fern', count: 2 },
        { value: 'moss', count: 1 },
      ],
      profile_type: [{ value: 'person', count: 3 }],
    })
    expect((await client(app).get(searchUrl('clubmoss', { facets: 'kind,nothing' }))).statusCode).toBe(400)
  })

  it('finds what an author wrote, and nothing for an author who does not exist', async () => {
    const bob = await createWriter(app, 'bob')
    const page = await bob.newPage({ title: 'Spikemoss', body: '' })
    await ada.newPage({ title: 'Spikemoss too', body: '' })
    expect(await pathsOf(app, 'spikemoss author:u/bob')).toEqual([page.path])
    expect(await pathsOf(app, 'author:u/bob type:page')).toEqual([page.path])
    expect(await pathsOf(app, 'spikemoss author:u/unknown-author')).toEqual([])
    expect(await pathsOf(app, 'spikemoss', { profile_type: 'organization' })).toEqual([])
  })

  it('rejects a malformed query with the position of the error', async () => {
    const refused = async (q: string, more?: Record<string, string>) => {
      const response = await client(app).get(searchUrl(q, more), { accept: 'application/json' })
      const { code, details } = response.json().error
      return { status: response.statusCode, code, position: details?.position }
    }
    const invalid = { status: 400, code: 'invalid_search_query' }
    expect(await refused('ferns type:unknown')).toEqual({ ...invalid, position: 6 })
    expect(await refused('ferns updated:>yesterday')).toEqual({ ...invalid, position: 6 })
    expect(await refused('')).toEqual({ ...invalid, position: undefined })
    expect((await refused('a'.repeat(257))).status).toBe(400)
    expect(await refused('ferns', { cursor: 'nonsense' })).toMatchObject({ status: 400, code: 'invalid_cursor' })
    expect(await refused('ferns', { mode: 'semantic' })).toMatchObject({
      status: 503,
      code: 'semantic_search_disabled',
    })
    expect((await find(app, 'ferns', { mode: 'hybrid' })).mode).toBe('keyword')
  })

  it.each(['🍕', '%', '"', '(((', '-', '""', '!!!'])(
    'finds nothing for %s, and explains what search looks for',
    async (q) => {
      await ada.newPage({ title: 'Ferns 🍕 100% "(((', body: '- !!!' })
      const { data, pagination, hint } = await find(app, q)
      expect([data, pagination.total]).toEqual([[], 0])
      expect(hint).toBe('Search looks for letters and digits, and the query has none')
      const page = await client(app).get(searchUrl(q), { accept: 'text/html', 'accept-language': 'en' })
      expect([page.statusCode, page.body.includes('Search looks for letters and digits.')]).toEqual([200, true])
    },
  )

  it.each(['quillwort tag:', 'quillwort updated:', 'type: quillwort', 'author: quillwort'])(
    'reads the half-typed operator in %s as text',
    async (q) => {
      const { path } = await ada.newPage({ title: `${q} half-typed`, body: '' })
      expect(await pathsOf(app, q)).toContain(path)
    },
  )

  it('searches the first eight terms of a query, and names the others', async () => {
    const { path } = await ada.newPage({ title: 'one two three four five six seven eight', body: '' })
    const { data, ignored } = await find(app, 'one two three four five six seven eight nine "ten eleven"')
    expect([data.map((hit) => hit.path), ignored]).toEqual([[path], ['nine', 'ten eleven']])
    expect((await find(app, 'one:two three')).ignored).toBeUndefined()
  })

  it.each([
    ['words', 'a '.repeat(128)],
    ['words with colons', 'a:'.repeat(128)],
    ['words with hyphens', 'a-'.repeat(128)],
    ['a phrase', `"${'the '.repeat(60)}"`],
    ['phrases', '"engine the"'.repeat(18)],
    ['exclusions', '-a '.repeat(80)],
    ['alternatives', 'a OR '.repeat(50)],
    ['characters without spaces', '東京'.repeat(128)],
  ])('answers a query of very many %s, and names what it left out', async (_, q) => {
    const response = await client(app).get(searchUrl(q), { accept: 'application/json' })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().ignored.join('').length).toBeGreaterThan(30)
    expect((await client(app).get(`/search/suggest?${new URLSearchParams({ q })}`)).statusCode).toBe(200)
  })

  it('finds the words of a phrase that are all stop words, in any order', async () => {
    const language = 'A text about the engines that were built here, and of the people who had built them'
    const { path } = await ada.newPage({ title: 'Waterwheel', body: `${language}. The one` })
    expect(await pathsOf(app, 'waterwheel "the who"')).toEqual([path])
    expect(await pathsOf(app, 'waterwheel "people engines"')).toEqual([])
  })

  it('answers in each format, and escapes hits in HTML', async () => {
    await ada.newPage({ title: 'Arrowgrass <script>alert(1)</script>', body: 'Text' })
    await find(app, 'arrowgrass')
    const get = (headers: Record<string, string>, suffix = '') =>
      client(app).get(`/search${suffix}?q=arrowgrass`, headers)
    expect((await get({})).headers['content-type']).toContain('text/markdown')
    expect((await get({ accept: 'application/json' })).headers['content-type']).toContain('application/json')
    const page = await get({ accept: 'text/html' })
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).toContain('<mark>Arrowgrass</mark> &lt;script&gt;')
    expect(page.body).toContain('type="search" name="q" value="arrowgrass"')
    expect((await get({ accept: 'text/markdown' })).body).toContain('# Search: arrowgrass')
    expect((await get({}, '.toon')).headers['content-type']).toContain('text/toon')
    const empty = await client(app).get('/search', { accept: 'text/html' })
    expect(empty.statusCode).toBe(200)
    expect(empty.body).toContain('role="search"')
    expect(empty.body).not.toContain('rel="alternate"')
  })

  it('has a page in the language of the reader', async () => {
    const { body } = await client(app).get('/search?q=arrowgrass', { accept: 'text/html', 'accept-language': 'de' })
    expect(body).toContain('<html lang="de"')
    expect(body).toContain('<title>Suche: arrowgrass')
    expect(body).toMatch(/>Seite von <bdi>[^<]+<\/bdi><\/span>/)
    const nothing = await client(app).get('/search?q=nowhere-else', { accept: 'text/html', 'accept-language': 'ja' })
    expect(nothing.body).toContain('検索結果はありません。')
  })

  it('lets browsers send the search box, and links to the same search in other formats', async () => {
    const page = await client(app).get('/search?q=arrow+%22%26&scope=pages', { accept: 'text/html' })
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    const [, href = ''] = /type="application\/json" href="([^"]*)"/.exec(page.body) ?? []
    const { searchParams } = new URL(href.replaceAll('&amp;', '&'), 'https://profiles.example/search')
    expect(Object.fromEntries(searchParams)).toMatchObject({ q: 'arrow "&', scope: 'pages', format: 'json' })
  })

  it('suggests titles for a prefix', async () => {
    const page = await ada.newPage({ title: 'Bladderwort notes', body: '' })
    await find(app, 'bladderwort')
    const { data } = (await client(app).get('/search/suggest?q=bladd')).json()
    expect(data).toEqual([expect.objectContaining({ kind: 'page', title: 'Bladderwort notes', path: page.path })])
    expect((await client(app).get('/search/suggest')).statusCode).toBe(400)
  })

  it('finds and suggests the words that begin with one letter, for the last word of a query', async () => {
    const page = await ada.newPage({ title: 'Xylem of quillworts', body: '' })
    expect(await pathsOf(app, 'x')).toContain(page.path)
    expect(await pathsOf(app, 'quillworts x')).toEqual([page.path])
    expect(await pathsOf(app, 'x quillworts')).toEqual([])
    const { data } = (await client(app).get('/search/suggest?q=x')).json()
    expect(data).toContainEqual(expect.objectContaining({ title: 'Xylem of quillworts' }))
  })

  it('serves an OpenSearch description that profiles link to', async () => {
    const description = await client(app).get('/opensearch.xml')
    expect(description.headers['content-type']).toBe('application/opensearchdescription+xml')
    expect(description.body).toContain('template="https://profiles.example/search?q={searchTerms}"')
    expect((await client(app).get('/u/ada')).headers.link).toContain('</opensearch.xml>; rel="search"')
    const described = 'type="application/opensearchdescription+xml"'
    expect((await client(app).get('/')).headers.link).toContain(`</opensearch.xml>; rel="search"; ${described}`)
    for (const path of ['/', '/u/ada']) {
      const { body } = await client(app).get(path, { accept: 'text/html' })
      expect(body).toContain(`<link rel="search" ${described} href="/opensearch.xml"`)
    }
    expect((await client(app).get('/llms.txt')).body).toContain('https://profiles.example/opensearch.xml')
  })

  it('describes itself to search engines on the start page', async () => {
    const { body } = await client(app).get('/', { accept: 'text/html' })
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'WebSite',
      potentialAction: {
        '@type': 'SearchAction',
        target: { urlTemplate: 'https://profiles.example/search?q={search_term_string}' },
      },
    })
  })

  it('finds the public parts of gated pages for everyone, and their text for those who may read it', async () => {
    const shop = await openShop(app, 'seller')
    await eventually(async () => expect(await pathsOf(app, 'taste type:page author:u/seller')).toHaveLength(2))
    const [hit] = (await find(app, 'engines author:u/seller')).data
    expect(hit).toMatchObject({ title: 'Engines', snippet: 'A taste of it.', gated: true, price: { amount: '0.01' } })
    expect(await pathsOf(app, SECRET_WORD)).toEqual([])
    expect(await pathsOf(app, SECRET_WORD, { gated: 'mine' }, ada.headers)).toEqual([])
    const own = await find(app, `${SECRET_WORD} engines`, { gated: 'mine' }, shop.headers)
    expect(own.data.map(({ path }) => path)).toEqual([shop.paid])
    expect(own.data[0]?.snippet).toContain(SECRET_WORD)
    // The page that everyone finds and its text are one hit.
    expect(await pathsOf(app, 'engines author:u/seller', { gated: 'mine' }, shop.headers)).toEqual([shop.paid])
    expect((await client(app).get(searchUrl('engines', { gated: 'mine' }))).statusCode).toBe(401)
  })

  it('labels pages that something other than a payment opens, in every format', async () => {
    const shop = await openShop(app, 'inner-circle')
    const requirements = [{ type: 'identity', method: 'did_verified' }]
    const tiers = {
      public: { requirements: [], access: ['profile.*', 'content.*'] },
      inner: { requirements, access: ['content.notes.*'] },
    }
    const gated = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, { default_tier: 'public', tiers })
    expect(gated.statusCode, gated.body).toBe(200)
    await eventually(async () => expect((await find(app, 'engines author:u/inner-circle')).data[0]?.gated).toBe(true))
    for (const accept of ['text/html', 'text/markdown', 'text/toon']) {
      const { statusCode, body } = await client(app).get(searchUrl('engines author:u/inner-circle'), { accept })
      expect([statusCode, body], accept).toEqual([200, expect.stringMatching(/gated/i)])
    }
  })

  it('answers a buyer as if gated texts that it did not buy had other words', async () => {
    const shop = await openShop(app, 'vendor')
    const buyer = await createWriter(app, 'buyer')
    await storage.transaction((tx) =>
      tx.entitlements.grant(
        newGrant(shop.profileId, {
          ...accountHolder(buyer.account.id),
          resourcePattern: 'content.notes.engines',
        }),
      ),
    )
    for (const title of ['Sundew one', 'Sundew two', 'Sundew three']) await buyer.newPage({ title, body: 'Open.' })
    await eventually(async () => expect(await pathsOf(app, 'sundew')).toHaveLength(3))
    const mine = (q: string, more = {}) => find(app, q, { gated: 'mine', ...more }, buyer.headers)
    expect((await mine(`${SECRET_WORD} author:u/vendor`)).data.map(({ path }) => path)).toEqual([shop.paid])

    const results = async (word: string) => {
      const saved = await shop.put(`/manage/pages/${shop.otherId}`, { body: `Paid reading about ${word}.` })
      expect(saved.statusCode, saved.body).toBe(200)
      const asked = ['sundew OR hellebore', 'hellebore', '"about hellebore"', 'helleb'].flatMap((q) =>
        [{}, { limit: '1' }, { facets: 'kind' }].map((more) => mine(q, more)),
      )
      return (await Promise.all(asked)).map(({ data, pagination, facets, suggestion }) => ({
        // Which of equally good hits comes first depends on the time.
        paths: pagination.has_more ? data.length : data.map(({ path }) => path).sort(),
        total: pagination.total,
        hasMore: pagination.has_more,
        facets,
        suggestion,
      }))
    }
    expect(await results('hellebore')).toEqual(await results('something else'))
  })

  it('finds a gated page with gated=mine that is older than a thousand open ones', async () => {
    const shop = await openShop(app, 'prolific')
    await find(app, 'engines')
    await storage.transaction(async (tx) => {
      for (let count = 0; count < 1_000; count += 1) await tx.pages.insert(newPage(shop.profileId, shop.account.id))
    })
    expect(await pathsOf(app, `${SECRET_WORD} engines author:u/prolific`, { gated: 'mine' }, shop.headers)).toEqual([
      shop.paid,
    ])
  })

  it('finds files of a gated list only for those who may read the list', async () => {
    const shop = await openShop(app, 'archivist')
    const { tiers } = shopGate()
    const list = { ...tiers.reader, access: ['profile.files'] }
    const access = ['profile.*', 'content.*', 'files.*']
    const config = { default_tier: 'public', tiers: { ...tiers, public: { requirements: [], access }, list } }
    const gated = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, config)
    expect(gated.statusCode, gated.body).toBe(200)
    const parts = [field('username', 'archivist'), fileOf('The butterwort of the bog', 'bog.txt')]
    const file = (await upload(app, parts, shop.headers)).json()
    expect((await shop.get(`/files/${file.id}/markdown`)).statusCode).toBe(200)

    const buyerOf = async (resourcePattern: string) => {
      const buyer = await createWriter(app)
      const held = { ...accountHolder(buyer.account.id), resourcePattern }
      await storage.transaction((tx) => tx.entitlements.grant(newGrant(shop.profileId, held)))
      return buyer
    }
    const [ofList, ofPage] = [await buyerOf('profile.files'), await buyerOf('content.notes.engines')]
    const mine = ({ headers }: Writer) => pathsOf(app, 'butterwort', { gated: 'mine' }, headers)
    await eventually(async () => expect(await mine(ofList)).toEqual([`/files/${file.id}`]))
    expect(await mine(ofPage)).toEqual([])
  })

  it('counts in the total no hit that the host restricts for the caller', async () => {
    const restricted = await createWriter(app, 'restricted')
    const shown = ['one', 'two', 'three', 'four', 'five'].map((title) =>
      ada.newPage({ title: `Bogrush ${title}`, body: '' }),
    )
    const hidden = ['one', 'two', 'three'].map((title) =>
      restricted.newPage({ title: `Bogrush marsh ${title}`, body: '' }),
    )
    await Promise.all([...shown, ...hidden])
    await find(app, 'bogrush')
    const host = await createTestApp({
      storage,
      search: { index: (storage as PostgresStorage).search(PATIENT) },
      hooks: {
        legalRestriction: ({ profile }) =>
          profile.username === 'restricted' ? { reason: 'A court said so' } : undefined,
      },
    })
    try {
      const totals: number[] = []
      let cursor: string | undefined
      do {
        const { data, pagination } = await find(host.app, 'bogrush', { limit: '2', ...(cursor && { cursor }) })
        expect(data.map(({ profile }) => profile.username)).toEqual(data.map(() => 'ada'))
        totals.push(pagination.total)
        cursor = pagination.next_cursor
      } while (cursor)
      // Those that were seen up to the page, and the one that follows.
      expect(totals).toEqual([3, 5, 5])
      const total = async (q: string) => (await find(host.app, q, { limit: '2', facets: 'kind' })).pagination.total
      expect(await total('bogrush OR marsh')).toBe(await total('bogrush -marsh'))
      expect((await find(host.app, 'marsh', { facets: 'kind' })).facets).toEqual({ kind: [] })
    } finally {
      await host.close()
    }
  })

  it('returns 503 without a search index, and links to nothing', async () => {
    const { app: bare, close: closeBare } = await createTestApp()
    try {
      for (const path of ['/search?q=a', '/search/suggest?q=a', '/opensearch.xml']) {
        const refused = await client(bare).get(path)
        expect([refused.statusCode, codeOf(refused)]).toEqual([503, 'search_disabled'])
      }
      await createWriter(bare, 'ada')
      for (const path of ['/', '/u/ada']) {
        const { headers, body } = await client(bare).get(path, { accept: 'text/html' })
        expect(headers.link).not.toContain('rel="search"')
        expect(body).not.toContain('rel="search"')
        expect(body).not.toContain('SearchAction')
      }
      expect(() => bare.eep.search.stats()).toThrow('search.index')
    } finally {
      await closeBare()
    }
  })
})
