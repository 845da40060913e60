import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { createCashApp, openShop } from '../support/shop.ts'

let app: TestApp
let close: () => Promise<void>
let ada: Writer
let otherUser: Record<string, string>

beforeAll(async () => {
  ;({ app, close } = await createTestApp())
  ada = await createWriter(app, 'ada')
  otherUser = (await signUp(app)).headers
})
afterAll(() => close())

const { get } = client(() => app)

/** The status of a path, and the address that it redirects to. */
async function wayFrom(path: string, headers: Record<string, string> = {}) {
  const response = await get(path, headers)
  return [response.statusCode, response.headers.location]
}
/** The status of the page for people at a path. */
const pageStatusOf = async (path: string, headers: Record<string, string> = {}) =>
  (await get(path, { accept: 'text/html', ...headers })).statusCode
const to = (path: string) => [308, path]
const NOWHERE = [404, undefined]
const HERE = [200, undefined]

describe('an address that a page had', () => {
  it('redirects an old address to the current one with its query, for all readers', async () => {
    const page = await ada.newPage({ title: 'Before' })
    await ada.putPage(page.id, { slug: 'after' })
    const response = await get('/u/ada/content/before?format=json&x=1%202')
    expect(response.statusCode).toBe(308)
    expect(response.headers.location).toBe('/u/ada/content/after?format=json&x=1%202')
    expect(response.headers['cache-control']).toBe('public, max-age=60')
    expect(codeOf(response)).toBe('page_moved')
    for (const headers of [otherUser, ada.headers]) {
      expect(await wayFrom('/u/ada/content/before', headers)).toEqual(to('/u/ada/content/after'))
    }
    expect(await wayFrom('/u/ada/content/before.json')).toEqual(to('/u/ada/content/after.json'))
    const head = await client(app).send('HEAD', '/u/ada/content/before')
    expect([head.statusCode, head.headers.location]).toEqual(to('/u/ada/content/after'))
    expect(await wayFrom('/u/ada/content/after')).toEqual(HERE)
  })

  it('redirects after several renames', async () => {
    const writer = await createWriter(app)
    const page = await writer.newPage({ slug: 'name-0' })
    for (let index = 1; index < 20; index++) await writer.putPage(page.id, { slug: `name-${index}` })
    expect(await wayFrom(`${writer.contents}/name-0`)).toEqual(to(`${writer.contents}/name-19`))
    await writer.putPage(page.id, { slug: 'name-0' })
    expect(await wayFrom(`${writer.contents}/name-0`)).toEqual(HERE)
    expect(await wayFrom(`${writer.contents}/name-7`)).toEqual(to(`${writer.contents}/name-0`))
  })

  it('redirects from another category, also after that was deleted', async () => {
    const [from, elsewhere] = [await ada.newCategory({ name: 'From' }), await ada.newCategory({ name: 'Elsewhere' })]
    const page = await ada.newPage({ title: 'Nomad', category_id: from.id })
    await ada.putPage(page.id, { category_id: elsewhere.id, slug: 'settled' })
    expect(await wayFrom('/u/ada/content/from/nomad')).toEqual(to('/u/ada/content/elsewhere/settled'))
    await ada.delete(`/manage/categories/${from.id}`)
    expect(await wayFrom('/u/ada/content/from/nomad')).toEqual(to('/u/ada/content/elsewhere/settled'))
    await ada.putPage(page.id, { category_id: null })
    expect(await wayFrom('/u/ada/content/from/nomad')).toEqual(to('/u/ada/content/settled'))
  })

  it('serves a new page at an old address', async () => {
    const page = await ada.newPage({ title: 'Coveted' })
    await ada.putPage(page.id, { slug: 'coveted-before' })
    const heir = await ada.newPage({ title: 'Coveted' })
    expect(heir.slug).toBe('coveted')
    expect((await get('/u/ada/content/coveted?format=json')).json().id).toBe(heir.id)
    // And when that one moves on, the address is that one's.
    await ada.putPage(heir.id, { slug: 'coveted-after' })
    expect(await wayFrom('/u/ada/content/coveted')).toEqual(to('/u/ada/content/coveted-after'))
    await ada.delete(`/manage/pages/${heir.id}`)
    expect(await pageStatusOf('/u/ada/content/coveted')).toBe(410)
  })

  it('still redirects readers when a draft has the old address', async () => {
    const page = await ada.newPage({ title: 'Shared name' })
    await ada.putPage(page.id, { slug: 'its-new-name' })
    await ada.newPage({ title: 'Shared name', status: 'draft' })
    expect(await wayFrom('/u/ada/content/shared-name')).toEqual(to('/u/ada/content/its-new-name'))
    expect(await wayFrom('/u/ada/content/shared-name', ada.headers)).toEqual(HERE)
  })

  it('stops redirecting with the page, and never redirects in another profile', async () => {
    const page = await ada.newPage({ title: 'Mortal' })
    await ada.putPage(page.id, { slug: 'mortal-renamed' })
    const bob = await createWriter(app)
    expect(await wayFrom(`${bob.contents}/mortal`)).toEqual(NOWHERE)
    await ada.delete(`/manage/pages/${page.id}`)
    expect(await pageStatusOf('/u/ada/content/mortal')).toBe(410)
    expect(await wayFrom(`${bob.contents}/mortal`)).toEqual(NOWHERE)
  })

  it('redirects below the prefix of a listener', async () => {
    const page = await ada.newPage({ title: 'Prefixed' })
    await ada.putPage(page.id, { slug: 'prefixed-after' })
    const { createGateway } = await gateway()
    const behind = await createGateway()
    const { headers } = await client(behind.app).get('/api/u/ada/content/prefixed?a=b')
    expect(headers.location).toBe('/api/u/ada/content/prefixed-after?a=b')
    await behind.close()
  })

  it('keeps the suffix of a format', async () => {
    const page = await ada.newPage({ title: 'Suffixed' })
    await ada.putPage(page.id, { slug: 'suffixed-after' })
    expect(await wayFrom('/u/ada/content/suffixed.toon?a=1')).toEqual(to('/u/ada/content/suffixed-after.toon?a=1'))
  })
})

/** The same service on a listener with a prefix. */
async function gateway() {
  const { default: Fastify } = await import('fastify')
  return {
    async createGateway() {
      const behind = Fastify()
      await behind.register(app.eep.http, { prefix: '/api', notFound: false })
      await behind.ready()
      return { app: behind, close: () => behind.close() }
    },
  }
}

describe('an address that a category had', () => {
  it('redirects an old category path, with everything below it', async () => {
    const writer = await createWriter(app)
    const { contents } = writer
    const top = await writer.newCategory({ name: 'Top' })
    const below = await writer.newCategory({ name: 'Below', parent_id: top.id })
    const page = await writer.newPage({ title: 'Page', category_id: below.id })
    await writer.putCategory(top.id, { slug: 'summit' })
    expect(await wayFrom(`${contents}/top?format=json`)).toEqual(to(`${contents}/summit?format=json`))
    expect(await wayFrom(`${contents}/top/below`)).toEqual(to(`${contents}/summit/below`))
    expect(await wayFrom(`${contents}/top/below/page`)).toEqual(to(`${contents}/summit/below/page`))
    expect(await wayFrom(`${contents}/top/nothing`)).toEqual(NOWHERE)

    // Several things move, one after the other.
    await writer.putCategory(below.id, { parent_id: null })
    expect(await wayFrom(`${contents}/top/below/page`)).toEqual(to(`${contents}/below/page`))
    await writer.putPage(page.id, { slug: 'leaf' })
    await writer.putCategory(below.id, { slug: 'meadow' })
    for (const old of ['top/below/page', 'summit/below/page', 'below/page', 'below/leaf']) {
      expect(await wayFrom(`${contents}/${old}`), old).toEqual(to(`${contents}/meadow/leaf`))
    }
    expect(await wayFrom(`${contents}/meadow/leaf`)).toEqual(HERE)
  })

  it('redirects also when another category has taken the name', async () => {
    const writer = await createWriter(app)
    const { contents } = writer
    const first = await writer.newCategory({ name: 'Notes' })
    await writer.newPage({ title: 'Kept', category_id: first.id })
    await writer.putCategory(first.id, { slug: 'archive' })
    const second = await writer.newCategory({ name: 'Notes' })
    await writer.newPage({ title: 'Fresh', category_id: second.id })
    expect(await wayFrom(`${contents}/notes`)).toEqual(HERE)
    expect(await wayFrom(`${contents}/notes/fresh`)).toEqual(HERE)
    expect(await wayFrom(`${contents}/notes/kept`)).toEqual(to(`${contents}/archive/kept`))
  })

  it('redirects without a loop after two names were swapped', async () => {
    const writer = await createWriter(app)
    const { contents } = writer
    const [left, right] = [await writer.newCategory({ name: 'Left' }), await writer.newCategory({ name: 'Right' })]
    await writer.putCategory(left.id, { slug: 'middle' })
    await writer.putCategory(right.id, { slug: 'left' })
    await writer.putCategory(left.id, { slug: 'right' })
    await writer.newPage({ title: 'Page', category_id: left.id })
    expect(await wayFrom(`${contents}/middle/page`)).toEqual(to(`${contents}/right/page`))
    expect(await wayFrom(`${contents}/left/page`)).toEqual(to(`${contents}/right/page`))
    expect(await wayFrom(`${contents}/left/nothing`)).toEqual(NOWHERE)
  })
})

describe('an address of deleted content', () => {
  it('returns page_deleted for a deleted page and its former addresses: 410 as a page, 404 in other formats', async () => {
    const writer = await createWriter(app)
    const notes = await writer.newCategory({ name: 'Notes' })
    const page = await writer.newPage({ title: 'First', category_id: notes.id })
    await writer.putPage(page.id, { slug: 'second' })
    await writer.delete(`/manage/pages/${page.id}`)
    for (const slug of ['first', 'second', 'second.json']) {
      const url = `${writer.contents}/notes/${slug}`
      const response = await get(url)
      expect([url, response.statusCode, codeOf(response)]).toEqual([url, 404, 'page_deleted'])
      expect(response.headers['cache-control']).toBe('public, max-age=60')
      expect(codeOf(await get(url, writer.headers))).toBe('page_deleted')
    }
    const shown = await get(`${writer.contents}/notes/second`, { accept: 'text/html' })
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([410, 'text/html; charset=utf-8'])
    expect(shown.body).toContain('No longer available')
    const path = writer.contents.slice(1)
    expect((await get(`/eep/content/${path}/notes/second`)).json()).toMatchObject({ status: 404, code: 'page_deleted' })

    await writer.putCategory(notes.id, { slug: 'essays' })
    for (const slug of ['notes/second', 'essays/second', 'essays/first']) {
      expect([slug, await pageStatusOf(`${writer.contents}/${slug}`)]).toEqual([slug, 410])
    }
    await writer.newPage({ title: 'Second', category_id: notes.id })
    expect(await wayFrom(`${writer.contents}/essays/second`)).toEqual(HERE)
    await writer.put(`/profiles/u/${writer.account.username}`, { visibility: 'private' })
    expect(await wayFrom(`${writer.contents}/essays/first`)).toEqual(NOWHERE)
  })

  it('returns 410 as a page for all public content of a deleted category, and serves what has moved out of it', async () => {
    const writer = await createWriter(app)
    const { contents } = writer
    const top = await writer.newCategory({ name: 'Top' })
    const [inner, drawer] = [
      await writer.newCategory({ name: 'Inner', parent_id: top.id }),
      await writer.newCategory({ name: 'Drawer', parent_id: top.id, visibility: 'private' }),
    ]
    await writer.newPage({ title: 'Deep', category_id: inner.id })
    await writer.newPage({ title: 'Draft', category_id: inner.id, status: 'draft' })
    await writer.newPage({ title: 'Hidden', category_id: drawer.id })
    const moved = await writer.newPage({ title: 'Moved', category_id: inner.id })
    await writer.putPage(moved.id, { category_id: null })
    await writer.delete(`/manage/categories/${top.id}?cascade=true`)
    for (const path of ['top', 'top/inner', 'top/inner/deep']) {
      expect([path, await pageStatusOf(`${contents}/${path}`)]).toEqual([path, 410])
    }
    for (const path of ['top/inner/draft', 'top/drawer', 'top/drawer/hidden', 'top/nothing']) {
      expect([path, ...(await wayFrom(`${contents}/${path}`))]).toEqual([path, ...NOWHERE])
    }
    expect(await wayFrom(`${contents}/top/inner/moved`)).toEqual(to(`${contents}/moved`))
  })

  it('returns 404 for deleted content that was not public, and does not reveal private names', async () => {
    const writer = await createWriter(app)
    const { contents } = writer
    const notes = await writer.newCategory({ name: 'Notes' })
    const [draft, page] = [
      await writer.newPage({ title: 'Draft', status: 'draft' }),
      await writer.newPage({ title: 'Page', category_id: notes.id }),
    ]
    await writer.delete(`/manage/pages/${draft.id}`)
    await writer.delete(`/manage/pages/${page.id}`)
    await writer.putCategory(notes.id, { slug: 'secret', visibility: 'private' })
    expect(await wayFrom(`${contents}/draft`)).toEqual(NOWHERE)
    expect(await wayFrom(`${contents}/secret/page`)).toEqual(NOWHERE)
    expect(await pageStatusOf(`${contents}/notes/page`)).toBe(410)
  })
})

describe('redirects and hidden content', () => {
  it('does not redirect to drafts, private categories and private profiles', async () => {
    const writer = await createWriter(app)
    const { contents, headers } = writer
    const drawer = await writer.newCategory({ name: 'Drawer', visibility: 'private' })
    const page = await writer.newPage({ title: 'Shy' })
    await writer.putPage(page.id, { slug: 'shy-renamed' })
    const open = await wayFrom(`${contents}/shy`)
    expect(open).toEqual(to(`${contents}/shy-renamed`))

    await writer.putPage(page.id, { status: 'draft' })
    expect(await wayFrom(`${contents}/shy`)).toEqual(NOWHERE)
    expect(await wayFrom(`${contents}/shy`, otherUser)).toEqual(NOWHERE)
    const inside = await get(`${contents}/shy`, headers)
    expect([inside.statusCode, inside.headers.location]).toEqual(open)
    expect(inside.headers['cache-control']).toContain('private')

    await writer.putPage(page.id, { status: 'published', category_id: drawer.id })
    expect(await wayFrom(`${contents}/shy`)).toEqual(NOWHERE)
    expect(await wayFrom(`${contents}/shy-renamed`)).toEqual(NOWHERE)
    expect(await wayFrom(`${contents}/shy`, headers)).toEqual(to(`${contents}/drawer/shy-renamed`))

    await writer.putPage(page.id, { category_id: null })
    await writer.put(`/profiles/u/${writer.account.username}`, { visibility: 'private' })
    expect(await wayFrom(`${contents}/shy`)).toEqual(NOWHERE)
  })

  it('does not redirect from addresses that were hidden', async () => {
    const writer = await createWriter(app)
    const { contents } = writer
    const secret = await writer.newCategory({ name: 'Layoffs', visibility: 'private' })
    const page = await writer.newPage({ title: 'Plan', category_id: secret.id })
    await writer.putPage(page.id, { category_id: null })
    expect(await wayFrom(`${contents}/layoffs/plan`)).toEqual(NOWHERE)
    const draft = await writer.newPage({ title: 'Code name', status: 'draft' })
    await writer.putPage(draft.id, { slug: 'launch' })
    await writer.putPage(draft.id, { status: 'published' })
    expect(await wayFrom(`${contents}/code-name`)).toEqual(NOWHERE)
    await writer.putCategory(secret.id, { slug: 'staff', visibility: 'public' })
    expect(await wayFrom(`${contents}/layoffs`)).toEqual(NOWHERE)
  })
})

describe('a gated page', () => {
  it('redirects to a gated page, which requires payment', async () => {
    const shop = await createCashApp()
    const { headers, profileId } = await openShop(shop.app, 'seller')
    const { data } = (await client(shop.app).get(`/manage/pages?profile_id=${profileId}`, headers)).json()
    const statusOf = async (url: string) => (await client(shop.app).get(url)).statusCode
    let gated = data[0]
    for (const page of data) if ((await statusOf(page.path)) === 402) gated = page
    await client(shop.app).put(`/manage/pages/${gated.id}`, { slug: 'renamed', body: 'paid content' }, headers)
    const led = await client(shop.app).get(gated.path)
    expect(led.statusCode).toBe(308)
    expect(led.body).not.toContain('paid content')
    expect(await statusOf(String(led.headers.location))).toBe(402)
    await shop.close()
  })
})
