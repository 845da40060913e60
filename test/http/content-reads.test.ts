import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, openContent, readMarkdown } from '../support/content.ts'
import { countedStorage } from '../support/counted-storage.ts'
import { createCashApp, openShop, SECRET_WORD } from '../support/shop.ts'

const { ada, app, bob } = await openContent()

const { get } = client(app)
const json = async (url: string) => (await get(url, { accept: 'application/json' })).json()
const titlesIn = (entries: readonly { title: string }[]) => entries.map(({ title }) => title)

describe('a page', () => {
  const body = '# Note G\n\n---\ntitle: forged\n---\n\n<b>Verbatim</b> & *all* of it\n'

  it('serves a page as JSON', async () => {
    const shelf = await ada.newCategory({ name: 'Shelf' })
    const page = await ada.newPage({ title: 'Note G', body, excerpt: 'Numbers', category_id: shelf.id })
    const answer = await get(`${page.path}?format=json`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
      vary: 'Accept',
      'x-profile-username': 'ada',
      'x-profile-type': 'person',
    })
    const read = answer.json()
    expect(read).toEqual({
      id: page.id,
      title: 'Note G',
      slug: 'note-g',
      path: '/u/ada/content/shelf/note-g',
      url: `${PUBLIC_URL}/u/ada/content/shelf/note-g`,
      category_path: ['shelf'],
      excerpt: 'Numbers',
      cover_url: null,
      body,
      status: 'published',
      version: 1,
      created_at: read.created_at,
      updated_at: read.updated_at,
      published_at: read.published_at,
      profile: {
        did: 'did:web:profiles.example:u:ada',
        username: 'ada',
        profile_type: 'person',
        url: `${PUBLIC_URL}/u/ada`,
      },
    })
  })

  it('serves a page as Markdown by default, with an unchanged body', async () => {
    const page = await ada.newPage({ title: 'Note H', body })
    const answer = await get(page.path)
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8')
    const { updated_at } = await json(page.path)
    expect(readMarkdown(answer.body)).toEqual({
      head: {
        title: 'Note H',
        url: `${PUBLIC_URL}${page.path}`,
        did: 'did:web:profiles.example:u:ada',
        updated_at,
        version: 1,
      },
      body: `# Note H\n\n${body}`,
    })
  })

  it.each([
    'title: "forged"',
    '--- # rule',
    '"quoted": {a: 1}',
    '# [link](javascript:x) <script>',
    '- *list* & &amp;',
    "it's | `code`",
    'no',
    '1.0',
  ])('does not let the title %j inject front matter', async (title) => {
    const page = await ada.newPage({ title, body: 'text' })
    const { head, body: text } = readMarkdown((await get(page.path)).body)
    expect(Object.keys(head)).toEqual(['title', 'url', 'did', 'updated_at', 'version'])
    expect(head.title).toBe(title)
    expect(text.split('\n')).toHaveLength(3)
    expect(text).toMatch(/^# /)
    expect(text).not.toMatch(/<script>|[^\\]\]\(/)
  })

  it('sends links with the prefix of the listener, and a canonical URL without it', async () => {
    const page = await ada.newPage({ title: 'Linked' })
    const gateway = Fastify()
    await gateway.register(app.eep.http, { prefix: '/api' })
    for (const [server, prefix] of [
      [app, ''],
      [gateway, '/api'],
    ] as const) {
      const answer = await client(server).get(`${prefix}${page.path}?format=json`)
      expect(answer.headers.link).toContain(`<${PUBLIC_URL}/u/ada/content/linked>; rel="canonical"`)
      expect(answer.headers.link).toContain(`<${prefix}/u/ada/content>; rel="up"`)
      expect(answer.headers.link).toContain(`<${prefix}/u/ada>; rel="author"`)
      expect(answer.json()).toMatchObject({ path: page.path, url: `${PUBLIC_URL}${page.path}` })
    }
    await gateway.close()
  })

  it('serves a change immediately', async () => {
    const page = await ada.newPage({ title: 'Fresh', body: 'one' })
    for (const body of ['two', 'three', 'four']) {
      await get(page.path)
      await ada.putPage(page.id, { body })
      expect((await json(page.path)).body).toBe(body)
      expect((await json(ada.contents)).pages).toContainEqual(expect.objectContaining({ title: 'Fresh' }))
    }
    await ada.putPage(page.id, { slug: 'fresher' })
    expect((await get(page.path)).statusCode).toBe(308)
    expect((await get('/u/ada/content/fresher')).statusCode).toBe(200)
    await ada.putPage(page.id, { status: 'archived' })
    expect((await get('/u/ada/content/fresher')).statusCode).toBe(404)
    await ada.putPage(page.id, { status: 'published' })
    expect((await get('/u/ada/content/fresher')).statusCode).toBe(200)
    await ada.delete(`/manage/pages/${page.id}`)
    expect((await get('/u/ada/content/fresher')).statusCode).toBe(404)
  })

  it.each(['organization o', 'place l', 'asset a', 'product p', 'knowledge k', 'agent agent', 'event e', 'custom x'])(
    'serves a page of a profile of the type %s',
    async (typeAndPrefix) => {
      const [profile_type, prefix] = typeAndPrefix.split(' ')
      const username = `ada-${prefix}`
      await ada.post('/profiles', { profile_type, username })
      const { id: profile_id } = await json(`/${prefix}/${username}`)
      const page = await ada.newPage({ profile_id, title: 'About' })
      expect(page.path).toBe(`/${prefix}/${username}/content/about`)
      expect(await json(page.path)).toMatchObject({ title: 'About', profile: { profile_type, username } })
      expect(titlesIn((await json(`/${prefix}/${username}/content`)).pages)).toEqual(['About'])
    },
  )
})

describe('unpublished and hidden content', () => {
  it('serves unpublished pages to the team only, without caching', async () => {
    const page = await ada.newPage({ title: 'Secret plan', body: 'draft words', status: 'draft' })
    for (const status of ['draft', 'archived']) {
      const anonymous = await get(page.path)
      expect([anonymous.statusCode, codeOf(anonymous)]).toEqual([404, 'page_not_found'])
      expect((await get(page.path, bob.headers)).statusCode).toBe(404)
      const own = await get(page.path, ada.headers)
      expect(own.statusCode).toBe(200)
      expect(own.body).toContain('draft words')
      expect(own.headers['cache-control']).toBe('private, no-store')
      expect((await get(page.path)).statusCode).toBe(404)
      expect((await get(ada.contents)).body).not.toContain('Secret plan')
      if (status === 'draft') for (const step of ['published', 'archived']) await ada.putPage(page.id, { status: step })
    }
  })

  it('hides everything in a private category', async () => {
    const cellar = await ada.newCategory({ name: 'Cellar', visibility: 'private' })
    const barrel = await ada.newCategory({ name: 'Barrel', parent_id: cellar.id })
    const page = await ada.newPage({ title: 'Vintage', category_id: barrel.id })
    for (const path of [cellar.path, barrel.path, page.path]) {
      expect((await get(path)).statusCode).toBe(404)
      expect((await get(path, bob.headers)).statusCode).toBe(404)
      const own = await get(path, ada.headers)
      expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-store'])
    }
    expect((await get(ada.contents)).body).not.toMatch(/Cellar|Barrel|Vintage/)

    await ada.putCategory(cellar.id, { visibility: 'public' })
    for (const path of [cellar.path, barrel.path, page.path]) expect((await get(path)).statusCode).toBe(200)
    await ada.putCategory(cellar.id, { visibility: 'private' })
    for (const path of [cellar.path, barrel.path, page.path]) expect((await get(path)).statusCode).toBe(404)
  })

  it('does not count hidden pages for anyone', async () => {
    const writer = await createWriter(app)
    const cellar = await writer.newCategory({ name: 'Cellar', visibility: 'private' })
    await writer.newPage({ title: 'Vintage', category_id: cellar.id })
    await writer.newPage({ title: 'Draft', status: 'draft' })
    await writer.newPage({ title: 'Open' })
    expect(await json(writer.contents)).toMatchObject({
      pages: [{ title: 'Open' }],
      categories: [],
      pagination: { total: 1 },
    })
  })

  it('hides all content of a private profile', async () => {
    const writer = await createWriter(app, 'hermit')
    const page = await writer.newPage({ title: 'Alone' })
    await get(page.path)
    await writer.put('/profiles/u/hermit', { visibility: 'private' })
    expect((await get(page.path)).statusCode).toBe(404)
    expect((await get(writer.contents)).statusCode).toBe(404)
    expect((await get(page.path, writer.headers)).headers['cache-control']).toBe('private, no-store')
    await writer.put('/profiles/u/hermit', { visibility: 'unlisted' })
    const unlisted = await get(page.path)
    expect(unlisted.headers).toMatchObject({ 'cache-control': 'private, max-age=60', 'x-robots-tag': 'noindex' })
  })
})

describe('the gate', () => {
  it('requires payment before any part of a page is sent, and lists the price in the contents', async () => {
    const test = await createCashApp()
    const shop = await openShop(test.app, 'merchant')
    for (const format of ['markdown', 'json', 'toon']) {
      const answer = await client(test.app).get(`${shop.paid}?format=${format}`)
      expect(answer.statusCode).toBe(402)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.body).not.toContain(SECRET_WORD)
      expect(answer.json().preview).toBe('A taste of it.')
    }
    const own = await shop.get(shop.paid)
    expect(own.body).toContain(SECRET_WORD)
    expect(own.headers['cache-control']).toMatch(/^private/)
    expect((await client(test.app).get(`${shop.paid}-not-there`)).statusCode).toBe(404)
    expect((await client(test.app).get(`${shop.paid}?format=xml`)).statusCode).toBe(400)

    const contents = await client(test.app).get(`${shop.contents}?format=json`)
    const price = { amount: '0.01', currency: 'usdc', per: 'day' }
    expect(contents.json()).toMatchObject({
      pages: [{ title: 'Welcome', gated: false, price: null }],
      categories: [
        {
          pages: [
            { gated: true, price },
            { gated: true, price },
          ],
        },
      ],
    })
    expect((await client(test.app).get(shop.contents)).body).toContain('(0.01 USDC per day): A taste of it.')
    expect(contents.body).not.toContain(SECRET_WORD)
    await test.close()
  })

  it('never shows a part of the body of a gated page without an excerpt', async () => {
    const test = await createCashApp()
    const shop = await openShop(test.app, 'silent')
    const writer = { headers: shop.headers }
    const { id } = (await test.app.inject({ url: `${shop.paid}?format=json`, ...writer })).json()
    await test.app.inject({ method: 'PUT', url: `/manage/pages/${id}`, ...writer, payload: { excerpt: null } })
    expect((await client(test.app).get(shop.paid)).json().preview).toBeNull()
    for (const url of [shop.contents, shop.profile]) {
      expect((await client(test.app).get(url)).body).not.toContain(SECRET_WORD)
    }
    await test.close()
  })
})

describe('a page that was read before', () => {
  it('serves a cached page and its category without reading the storage', async () => {
    const database = await openStorage()
    const { calls, storage } = countedStorage(database.storage)
    const test = await createTestApp({ storage })
    const writer = await createWriter(test.app)
    const shelf = await writer.newCategory({ name: 'Shelf' })
    const page = await writer.newPage({ title: 'Warm', category_id: shelf.id })
    const urls = [page.path, shelf.path, writer.contents]
    const asked = async () => {
      calls.length = 0
      for (const url of urls) expect((await client(test.app).get(url)).statusCode).toBe(200)
      return [...calls]
    }
    expect(await asked()).not.toEqual([])
    // The tail of the log repeats the events of the writes. After that nothing is dropped from the cache.
    await expect.poll(asked).toEqual([])
    await test.close()
    await database.close()
  })
})
