import { defineError } from '@eep/core'
import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { type CategoryRecord, createWriter, type PageRecord, type Writer } from '../support/content.ts'

let app: TestApp
let close: () => Promise<void>
let ada: Writer
let bob: Writer

beforeAll(async () => {
  ;({ app, close } = await createTestApp())
  ada = await createWriter(app, 'ada')
  bob = await createWriter(app, 'bob')
})
afterAll(() => close())

const newWriter = () => createWriter(app)

describe('pages', () => {
  it('are made, read, changed and removed', async () => {
    const made = await ada.postPage({ title: 'The Engine', body: '# It weaves\n', excerpt: 'It weaves.' })
    expect(made.statusCode).toBe(201)
    expect(made.headers.etag).toBe('"v1"')
    const page = made.json()
    expect(page).toMatchObject({
      profile_id: ada.profileId,
      category_id: null,
      title: 'The Engine',
      slug: 'the-engine',
      path: '/u/ada/content/the-engine',
      url: `${PUBLIC_URL}/u/ada/content/the-engine`,
      body: '# It weaves\n',
      excerpt: 'It weaves.',
      status: 'draft',
      version: 1,
      position: 0,
      published_at: null,
    })

    const url = `/manage/pages/${page.id}`
    const read = await ada.get(url)
    expect(read.json()).toEqual(page)
    expect(read.headers.etag).toBe('"v1"')

    const saved = await ada.putPage(page.id, { title: 'The Analytical Engine', excerpt: null })
    expect(saved.statusCode).toBe(200)
    expect(saved.headers.etag).toBe('"v2"')
    expect(saved.json()).toEqual({
      ...page,
      title: 'The Analytical Engine',
      excerpt: null,
      version: 2,
      updated_at: saved.json().updated_at,
    })

    expect((await ada.delete(url)).json()).toEqual({ success: true })
    expect(codeOf(await ada.get(url))).toBe('page_not_found')
    expect(codeOf(await ada.delete(url))).toBe('page_not_found')
    expect(codeOf(await ada.putPage(page.id, { title: 'Gone' }))).toBe('page_not_found')
  })

  it('are listed without their bodies, page by page and by status', async () => {
    const writer = await newWriter()
    for (const title of ['One', 'Two', 'Three']) await writer.postPage({ title, body: 'words' })
    await writer.newPage({ title: 'Four' })
    const url = `/manage/pages?profile_id=${writer.profileId}&limit=3`
    const first = await writer.getJson(url)
    expect(first.pagination).toMatchObject({ total: 4, has_more: true })
    expect(first.data.map(({ title }: { title: string }) => title)).toEqual(['One', 'Two', 'Three'])
    expect(first.data[0]).not.toHaveProperty('body')
    const second = await writer.getJson(`${url}&cursor=${first.pagination.next_cursor}`)
    expect(second).toMatchObject({ data: [{ title: 'Four' }], pagination: { total: 4, has_more: false } })
    expect((await writer.getJson(`${url}&status=published`)).data).toMatchObject([{ title: 'Four' }])
  })

  it('are listed by the category they are in, or by being in none', async () => {
    const writer = await newWriter()
    const category = await writer.newCategory()
    const below = await writer.newCategory({ parent_id: category.id })
    const top = await writer.newPage({ title: 'Top' })
    const inside = await writer.newPage({ title: 'Inside', category_id: category.id })
    await writer.newPage({ title: 'Below', category_id: below.id })
    const list = async (query: string) => {
      const { data, pagination } = await writer.getJson(`/manage/pages?profile_id=${writer.profileId}&${query}`)
      expect(pagination.total).toBe(data.length)
      return data.map(({ id }: { id: number }) => id)
    }
    expect(await list(`category_id=${category.id}`)).toEqual([inside.id])
    expect(await list('category_id=top')).toEqual([top.id])
    expect(await list(`category_id=${category.id}&status=draft`)).toEqual([])
    const foreign = await bob.newCategory()
    for (const id of [foreign.id, 999_999_999]) {
      const refused = await writer.get(`/manage/pages?profile_id=${writer.profileId}&category_id=${id}`)
      expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'unknown_category'])
    }
  })

  it('places a new page after those in the same place', async () => {
    const writer = await newWriter()
    const category = await writer.newCategory()
    const make = async (fields: object = {}) =>
      (await writer.getJson(`/manage/pages/${(await writer.newPage({ ...fields })).id}`)).position
    expect([await make(), await make(), await make({ position: 7 }), await make()]).toEqual([0, 1, 7, 8])
    expect(await make({ category_id: category.id })).toBe(0)
  })

  it('move to another category and keep their slug', async () => {
    const { id } = await ada.newCategory({ name: 'Drawer' })
    const page = await ada.newPage({ title: 'Moving' })
    const moved = await ada.putPage(page.id, { category_id: id })
    expect(moved.json()).toMatchObject({ category_id: id, path: '/u/ada/content/drawer/moving' })
    expect((await ada.putPage(page.id, { category_id: null })).json().path).toBe('/u/ada/content/moving')
  })

  it('accepts a page body of up to a megabyte', async () => {
    const page = await ada.newPage({ title: 'Long', body: 'ä'.repeat(524_288) })
    expect((await ada.get(`/manage/pages/${page.id}`)).json().body).toHaveLength(524_288)
    expect((await ada.putPage(page.id, { body: 'ä'.repeat(524_289) })).statusCode).toBe(400)
    expect((await ada.putPage(page.id, { body: 'x'.repeat(3_000_000) })).statusCode).toBe(413)
  })
})

describe('If-Match', () => {
  it('lets exactly one of two editors save what both have read', async () => {
    const page = await ada.newPage({ title: 'Contended' })
    for (let version = 1; version <= 5; version += 1) {
      const tag = `"v${version}"`
      const answers = await Promise.all([
        ada.putPage(page.id, { body: 'from one' }, tag),
        ada.putPage(page.id, { body: 'from two' }, tag),
      ])
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412])
      const loser = answers.find(({ statusCode }) => statusCode === 412)
      expect(loser?.json().error).toMatchObject({ code: 'precondition_failed', details: { version: version + 1 } })
    }
  })

  it('guards a page against being removed after it was changed', async () => {
    const page = await ada.newPage({ title: 'Kept' })
    const url = `/manage/pages/${page.id}`
    await ada.putPage(page.id, { body: 'more' })
    expect((await ada.delete(url, { 'if-match': '"v1"' })).statusCode).toBe(412)
    expect((await ada.delete(url, { 'if-match': '"v2"' })).statusCode).toBe(200)
  })

  it.each(['"v2"', 'v1', 'W/"v1"', 'x'])('%s does not match version 1', async (tag) => {
    const page = await ada.newPage({ title: 'Tagged' })
    expect((await ada.putPage(page.id, { body: 'more' }, tag)).statusCode).toBe(412)
    expect((await ada.getJson(`/manage/pages/${page.id}`)).version).toBe(1)
  })

  it('may be left out: then every save counts', async () => {
    const page = await ada.newPage({ title: 'Busy' })
    const saves = ['a', 'b', 'c', 'd'].map((body) => ada.putPage(page.id, { body }))
    const versions = (await Promise.all(saves)).map((answer) => answer.json().version)
    expect(versions.sort()).toEqual([2, 3, 4, 5])
  })
})

describe('status', () => {
  const ROUTES: Record<string, string[]> = { draft: [], published: ['published'], archived: ['published', 'archived'] }
  const ALLOWED: Record<string, string[]> = {
    draft: ['draft', 'published'],
    published: ['published', 'draft', 'archived'],
    archived: ['archived', 'draft', 'published'],
  }

  for (const from of Object.keys(ROUTES)) {
    for (const to of Object.keys(ROUTES)) {
      const isAllowed = ALLOWED[from]?.includes(to)
      it(`${isAllowed ? 'goes' : 'does not go'} from ${from} to ${to}`, async () => {
        const page = await ada.newPage({ title: `From ${from} to ${to}`, status: 'draft' })
        for (const step of ROUTES[from] ?? []) await ada.putPage(page.id, { status: step })
        const answer = await ada.putPage(page.id, { status: to })
        if (isAllowed) return expect(answer.json()).toMatchObject({ status: to })
        expect(answer.statusCode).toBe(409)
        expect(answer.json().error).toMatchObject({ code: 'invalid_transition', details: { from, to } })
        expect((await ada.getJson(`/manage/pages/${page.id}`)).status).toBe(from)
      })
    }
  }

  it('says when a page was published last', async () => {
    const page = await ada.newPage({ title: 'Timely', status: 'draft' })
    const published = (await ada.putPage(page.id, { status: 'published' })).json().published_at
    expect(published).not.toBeNull()
    expect((await ada.putPage(page.id, { body: 'more' })).json().published_at).toBe(published)
    expect((await ada.putPage(page.id, { status: 'archived' })).json().published_at).toBe(published)
    expect((await ada.putPage(page.id, { status: 'published' })).json().published_at).not.toBe(published)
  })

  it('of a new page is draft or published', async () => {
    expect((await ada.postPage({ status: 'published' })).json().status).toBe('published')
    expect((await ada.postPage({ status: 'archived' })).statusCode).toBe(400)
  })
})

describe('versions', () => {
  it('are made by every save, and each can be read and restored', async () => {
    const page = await ada.newPage({ title: 'First words', body: 'one', excerpt: 'uno' })
    await ada.putPage(page.id, { title: 'Second words', body: 'two', excerpt: null })
    await ada.putPage(page.id, { status: 'archived' })
    const url = `/manage/pages/${page.id}/versions`

    const list = await ada.getJson(url)
    expect(list.pagination).toEqual({ total: 3, has_more: false })
    expect(list.data).toMatchObject([
      { version: 3, title: 'Second words', status: 'archived', created_by: ada.account.id },
      { version: 2, title: 'Second words', status: 'published' },
      { version: 1, title: 'First words', status: 'published' },
    ])
    expect(list.data[0]).not.toHaveProperty('body')
    expect(await ada.getJson(`${url}/1`)).toMatchObject({ version: 1, body: 'one', excerpt: 'uno' })

    expect((await ada.post(`${url}/1/restore`, undefined, { 'if-match': '"v2"' })).statusCode).toBe(412)
    const restored = await ada.post(`${url}/1/restore`)
    expect(restored.json()).toMatchObject({
      version: 4,
      title: 'First words',
      body: 'one',
      excerpt: 'uno',
      status: 'archived',
    })
    expect(codeOf(await ada.get(`${url}/9`))).toBe('version_not_found')
    expect(codeOf(await ada.post(`${url}/9/restore`))).toBe('version_not_found')

    await ada.delete(`/manage/pages/${page.id}`)
    expect(codeOf(await ada.get(url))).toBe('page_not_found')
  })
})

describe('slugs', () => {
  it('are previewed without making anything', async () => {
    const preview = (title: string) => ada.getJson(`/manage/slug-preview?title=${encodeURIComponent(title)}`)
    expect(await preview('Déjà vu & more')).toEqual({ slug: 'deja-vu-and-more' })
    expect(await preview('北京')).toEqual({ slug: 'page-1' })
    expect((await ada.get('/manage/slug-preview')).statusCode).toBe(400)
  })

  it('made from a title get a number when they are taken', async () => {
    const writer = await newWriter()
    const slugs: string[] = []
    for (let n = 0; n < 6; n += 1) slugs.push((await writer.newPage({ title: 'Same' })).slug)
    expect(slugs).toEqual(['same', 'same-2', 'same-3', 'same-4', 'same-5', 'same-6'])
    expect((await writer.newPage({ title: '北京' })).slug).toBe('page-1')
    expect((await writer.newPage({ title: '東京' })).slug).toBe('page-2')
    expect((await writer.newCategory({ name: 'Same' })).slug).toBe('same-7')
  })

  it('made at the same time are all different', async () => {
    const writer = await newWriter()
    const pages = await Promise.all(Array.from({ length: 8 }, () => writer.newPage({ title: 'Twin' })))
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(8)
  })

  it('that the owner chose are not replaced', async () => {
    const writer = await newWriter()
    const page = await writer.newPage({ slug: 'chosen' })
    const other = await writer.newPage({ slug: 'other' })
    expect(codeOf(await writer.postPage({ slug: 'chosen' }))).toBe('slug_taken')
    expect((await writer.putPage(other.id, { slug: 'chosen' })).statusCode).toBe(409)
    expect((await writer.putPage(page.id, { slug: 'chosen' })).statusCode).toBe(200)
  })

  it('are given to one of a page and a category, never to both', async () => {
    const writer = await newWriter()
    const category = await writer.newCategory({ slug: 'letters' })
    const page = await writer.newPage({ slug: 'essays' })
    expect(codeOf(await writer.postPage({ slug: 'letters' }))).toBe('slug_taken')
    expect(codeOf(await writer.postCategory({ slug: 'essays' }))).toBe('slug_taken')
    expect(codeOf(await writer.putPage(page.id, { slug: 'letters' }))).toBe('slug_taken')
    expect(codeOf(await writer.putCategory(category.id, { slug: 'essays' }))).toBe('slug_taken')
    const inside = await writer.newPage({ slug: 'letters', category_id: category.id })
    expect(codeOf(await writer.putPage(inside.id, { category_id: null }))).toBe('slug_taken')

    const racers = [writer.postPage({ slug: 'race' }), writer.postCategory({ slug: 'race' })]
    const statuses = (await Promise.all(racers)).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([201, 409])
  })
})

describe('categories', () => {
  it('are made, read, changed and removed', async () => {
    const writer = await newWriter()
    const fields = { name: 'Field notes', description: 'From outside', icon: '📓', visibility: 'private' }
    const category = await writer.newCategory(fields)
    expect(category).toMatchObject({
      ...fields,
      profile_id: writer.profileId,
      parent_id: null,
      slug: 'field-notes',
      path: `${writer.contents}/field-notes`,
      position: 0,
      page_count: 0,
    })
    const url = `/manage/categories/${category.id}`
    expect(await writer.getJson(url)).toEqual(category)
    const saved = await writer.putCategory(category.id, { name: 'Notes', slug: 'notes', description: null })
    expect(saved.json()).toMatchObject({ name: 'Notes', slug: 'notes', description: null, icon: '📓' })
    expect((await writer.delete(url)).json()).toEqual({ success: true })
    expect(codeOf(await writer.get(url))).toBe('category_not_found')
    expect(codeOf(await writer.putCategory(category.id, { name: 'x' }))).toBe('category_not_found')
    expect(codeOf(await writer.delete(url))).toBe('category_not_found')
  })

  it('form a tree in their order and count their pages', async () => {
    const writer = await newWriter()
    const top = await writer.newCategory({ name: 'Top' })
    const second = await writer.newCategory({ name: 'Second' })
    const inner = await writer.newCategory({ name: 'Inner', parent_id: top.id })
    await writer.newPage({ category_id: inner.id })
    await writer.newPage({ category_id: inner.id, status: 'draft' })
    const url = `/manage/categories?profile_id=${writer.profileId}`
    expect(await writer.getJson(url)).toMatchObject({
      data: [
        {
          id: top.id,
          page_count: 0,
          children: [{ id: inner.id, path: `${writer.contents}/top/inner`, page_count: 2, children: [] }],
        },
        { id: second.id, children: [] },
      ],
      pagination: { total: 3, has_more: false },
    })
    await writer.putCategory(second.id, { position: 0 })
    await writer.putCategory(top.id, { position: 1 })
    const { data } = await writer.getJson(url)
    expect(data.map(({ id }: CategoryRecord) => id)).toEqual([second.id, top.id])
  })

  it('are suggested for each type of profile, and made as they are', async () => {
    const types = ['person', 'organization', 'place', 'asset', 'product', 'knowledge', 'agent', 'event']
    const writer = await newWriter()
    for (const type of types) {
      const { data, pagination } = await writer.getJson(`/manage/default-categories?profile_type=${type}`)
      expect(data.length).toBeGreaterThan(3)
      expect(pagination).toEqual({ total: data.length, has_more: false })
      expect(data[0]).toEqual({
        name: expect.any(String),
        slug: expect.stringMatching(/^[a-z0-9-]+$/),
        icon: expect.any(String),
        description: expect.any(String),
      })
      if (type !== 'person') continue
      for (const suggested of data) expect(await writer.newCategory(suggested)).toMatchObject(suggested)
    }
    for (const query of ['', '?profile_type=custom', '?profile_type=robot']) {
      expect((await writer.get(`/manage/default-categories${query}`)).statusCode).toBe(400)
    }
    expect((await client(app).get('/manage/default-categories?profile_type=person')).statusCode).toBe(401)
  })

  it('that hold something are removed with it, or not at all', async () => {
    const writer = await newWriter()
    const outer = await writer.newCategory({ name: 'Outer' })
    const inner = await writer.newCategory({ name: 'Inner', parent_id: outer.id })
    const page = await writer.newPage({ category_id: inner.id })
    const url = `/manage/categories/${outer.id}`
    for (const query of ['', '?cascade=false', '?cascade=0']) {
      const answer = await writer.delete(`${url}${query}`)
      expect(answer.statusCode).toBe(409)
      expect(answer.json().error).toMatchObject({ code: 'category_not_empty', details: { pages: 1, categories: 1 } })
    }
    expect((await writer.delete(`${url}?cascade=maybe`)).statusCode).toBe(400)
    const gone: string[] = []
    const stop = [
      app.eep.on('content.page_deleted', ({ data, profileId }) => void gone.push(`page ${data.pageId} ${profileId}`)),
      app.eep.on('content.category_deleted', ({ data }) => void gone.push(`category ${data.categoryId}`)),
    ]
    expect((await writer.delete(`${url}?cascade=true`)).statusCode).toBe(200)
    await expect
      .poll(() => gone)
      .toEqual([`page ${page.id} ${writer.profileId}`, `category ${outer.id}`, `category ${inner.id}`])
    for (const end of stop) end()
    expect((await writer.get(`/manage/pages/${page.id}`)).statusCode).toBe(404)
    expect((await writer.get(`/manage/categories/${inner.id}`)).statusCode).toBe(404)
  })

  it('refuses categories inside themselves, also when two are moved concurrently', async () => {
    const writer = await newWriter()
    const outer = await writer.newCategory({ name: 'Outer' })
    const inner = await writer.newCategory({ name: 'Inner', parent_id: outer.id })
    expect(codeOf(await writer.putCategory(outer.id, { parent_id: inner.id }))).toBe('category_cycle')
    expect(codeOf(await writer.putCategory(outer.id, { parent_id: outer.id }))).toBe('category_cycle')

    const left = await writer.newCategory({ name: 'Left' })
    const right = await writer.newCategory({ name: 'Right' })
    const moves = [
      writer.putCategory(left.id, { parent_id: right.id }),
      writer.putCategory(right.id, { parent_id: left.id }),
    ]
    expect((await Promise.all(moves)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  it('nest eight deep and no deeper', async () => {
    const writer = await newWriter()
    const chain: CategoryRecord[] = []
    for (let depth = 1; depth <= 8; depth += 1) {
      chain.push(await writer.newCategory({ name: `Level ${depth}`, parent_id: chain.at(-1)?.id ?? null }))
    }
    const deepest = chain.at(-1)?.id
    expect(codeOf(await writer.postCategory({ parent_id: deepest }))).toBe('category_too_deep')
    const page = await writer.newPage({ title: 'Bottom', category_id: deepest ?? 0 })
    expect((await client(app).get(page.path)).statusCode).toBe(200)

    const stack = await writer.newCategory({ name: 'Stack' })
    await writer.newCategory({ name: 'Upper', parent_id: stack.id })
    expect((await writer.putCategory(stack.id, { parent_id: chain[5]?.id })).statusCode).toBe(200)
    expect(codeOf(await writer.putCategory(stack.id, { parent_id: chain[6]?.id }))).toBe('category_too_deep')
  })
})

describe('what belongs to others', () => {
  it('answers 403 for public content of others, and 404 for hidden content', async () => {
    const open = await ada.newPage({ title: 'Open' })
    const draft = await ada.newPage({ title: 'Draft', status: 'draft' })
    const shelf = await ada.newCategory({ name: 'Shelf' })
    const cellar = await ada.newCategory({ name: 'Cellar', visibility: 'private' })
    const stored = await ada.newPage({ title: 'Stored', category_id: cellar.id })

    const requests = ({ id }: { id: number }): [HTTPMethods, string, object?][] => [
      ['GET', `/manage/pages/${id}`],
      ['PUT', `/manage/pages/${id}`, { title: 'Mine' }],
      ['DELETE', `/manage/pages/${id}`],
      ['GET', `/manage/pages/${id}/versions`],
      ['GET', `/manage/pages/${id}/versions/1`],
      ['POST', `/manage/pages/${id}/versions/1/restore`],
    ]
    const ofCategory = ({ id }: { id: number }): [HTTPMethods, string, object?][] => [
      ['GET', `/manage/categories/${id}`],
      ['PUT', `/manage/categories/${id}`, { name: 'Mine' }],
      ['DELETE', `/manage/categories/${id}?cascade=true`],
    ]
    const statusOf = async ([method, url, payload]: [HTTPMethods, string, object?]) =>
      (await bob.send(method, url, payload as Record<string, unknown> | undefined)).statusCode

    for (const request of [...requests(open), ...ofCategory(shelf)]) expect(await statusOf(request)).toBe(403)
    for (const request of [...requests(draft), ...requests(stored), ...ofCategory(cellar)]) {
      expect(await statusOf(request)).toBe(404)
    }
  })

  it('looks the same as what does not exist, when its profile is private', async () => {
    const carol = await createWriter(app, 'carol')
    const page = await carol.newPage()
    await carol.put('/profiles/u/carol', { visibility: 'private' })
    const hidden = await bob.get(`/manage/pages/${page.id}`)
    const missing = await bob.get('/manage/pages/999999999')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await bob.get(`/manage/pages?profile_id=${carol.profileId}`)).statusCode).toBe(404)
  })

  it('cannot be written to or listed', async () => {
    const theirs = { profile_id: ada.profileId }
    expect(codeOf(await bob.postPage(theirs))).toBe('not_profile_owner')
    expect(codeOf(await bob.postCategory(theirs))).toBe('not_profile_owner')
    expect((await bob.get(`/manage/pages?profile_id=${ada.profileId}`)).statusCode).toBe(403)
    expect((await bob.get(`/manage/categories?profile_id=${ada.profileId}`)).statusCode).toBe(403)
    expect(codeOf(await bob.postPage({ profile_id: 999_999_999 }))).toBe('profile_not_found')
  })

  it('refuses categories of other profiles as a place', async () => {
    const theirs = await ada.newCategory({ name: 'Theirs' })
    const mine = await bob.newCategory({ name: 'Mine' })
    const page = await bob.newPage()
    for (const id of [theirs.id, 999_999_999]) {
      expect(codeOf(await bob.postPage({ category_id: id }))).toBe('unknown_category')
      expect(codeOf(await bob.putPage(page.id, { category_id: id }))).toBe('unknown_category')
      expect((await bob.postCategory({ parent_id: id })).statusCode).toBe(400)
      expect((await bob.putCategory(mine.id, { parent_id: id })).statusCode).toBe(400)
    }
  })

  it('needs a session', async () => {
    for (const url of ['/manage/pages/1', '/manage/categories?profile_id=1', '/manage/slug-preview?title=x']) {
      expect((await client(app).get(url)).statusCode).toBe(401)
    }
  })
})

describe('requests that are not valid', () => {
  const PAGES = [
    ['a title that is missing', { title: undefined }, '/title'],
    ['a title of another type', { title: 7 }, '/title'],
    ['an empty title', { title: '' }, '/title'],
    ['a title of spaces', { title: '  ' }, '/title'],
    ['a title that is too long', { title: 'x'.repeat(201) }, '/title'],
    ['a title of two lines', { title: 'one\ntwo' }, '/title'],
    ['a body that is missing', { body: undefined }, '/body'],
    ['a NUL character', { body: 'a\0b' }, '/body'],
    ['half of a surrogate pair', { body: '\ud800' }, '/body'],
    ['an excerpt that is too long', { excerpt: 'x'.repeat(1001) }, '/excerpt'],
    ['a slug with capitals', { slug: 'Notes' }, '/slug'],
    ['a slug that begins with a hyphen', { slug: '-notes' }, '/slug'],
    ['a slug that is too long', { slug: 'x'.repeat(97) }, '/slug'],
    ['an unknown status', { status: 'secret' }, '/status'],
    ['an unknown field', { owner: 1 }, ''],
    ['a category that is not a number', { category_id: '1' }, '/category_id'],
    ['a position below zero', { position: -1 }, '/position'],
  ] as const

  it.each(PAGES)('refuses a page with %s', async (_what, fields, path) => {
    const answer = await ada.postPage(fields)
    expect(answer.statusCode).toBe(400)
    const { code, details } = answer.json().error
    expect([code, details.in, details.issues[0].path]).toEqual(['validation_failed', 'body', path])
  })

  const CATEGORIES = [
    ['a name that is missing', { name: undefined }],
    ['a name that is too long', { name: 'x'.repeat(121) }],
    ['a description that is too long', { description: 'x'.repeat(1001) }],
    ['an icon that is too long', { icon: 'x'.repeat(65) }],
    ['an unknown visibility', { visibility: 'secret' }],
    ['a parent that is not a number', { parent_id: 'top' }],
    ['an unknown field', { page_count: 7 }],
  ] as const

  it.each(CATEGORIES)('refuses a category with %s', async (_what, fields) => {
    expect(codeOf(await ada.postCategory(fields))).toBe('validation_failed')
  })

  it('refuses a change of nothing, and of what does not change', async () => {
    const page = await ada.newPage({ title: 'Fixed' })
    const category = await ada.newCategory({ name: 'Fixed category' })
    for (const fields of [{}, { profile_id: bob.profileId }, { version: 9 }, { id: 1 }]) {
      expect((await ada.putPage(page.id, fields)).statusCode).toBe(400)
      expect((await ada.putCategory(category.id, fields)).statusCode).toBe(400)
    }
  })

  it.each(['x', '0', '-1', '1.5', '1e99', '99999999999999999999'])('refuses the id %s', async (id) => {
    expect((await ada.get(`/manage/pages/${id}`)).statusCode).toBe(404)
    expect((await ada.get(`/manage/categories/${id}`)).statusCode).toBe(404)
    expect((await ada.get(`/manage/pages?profile_id=${id}`)).statusCode).toBe(400)
  })

  it('refuses a cursor of another list', async () => {
    const page = await ada.newPage({ title: 'Listed' })
    for (const cursor of ['x', 'WzFd', 'WyJhIiwxLDJd']) {
      const url = `/manage/pages?profile_id=${ada.profileId}&cursor=${cursor}`
      expect(codeOf(await ada.get(url))).toBe('invalid_cursor')
    }
    expect(codeOf(await ada.get(`/manage/pages/${page.id}/versions?cursor=WyJhIl0`))).toBe('invalid_cursor')
  })
})

describe('beforePublish', () => {
  const refused = defineError('not_fit_to_print', 403, 'Not in this house')

  it('sees what becomes public before it is stored, and may refuse', async () => {
    const seen: string[] = []
    const test = await createTestApp({
      hooks: {
        beforePublish({ title, slug, body }) {
          seen.push(`${title} ${slug}`)
          if (body.includes('spam')) throw refused()
        },
      },
    })
    const writer = await createWriter(test.app)
    const draft: PageRecord = (await writer.postPage({ title: 'Quiet', body: 'spam' })).json()
    expect(seen).toEqual([])
    expect(codeOf(await writer.putPage(draft.id, { status: 'published' }))).toBe('not_fit_to_print')
    expect(await writer.getJson(`/manage/pages/${draft.id}`)).toMatchObject({ status: 'draft', version: 1 })
    expect(codeOf(await writer.postPage({ title: 'Loud', body: 'spam', status: 'published' }))).toBe('not_fit_to_print')
    expect((await writer.getJson(`/manage/pages?profile_id=${writer.profileId}`)).pagination.total).toBe(1)

    const page = await writer.newPage({ title: 'Quiet', body: 'fine' })
    expect((await writer.putPage(page.id, { body: 'spam' })).statusCode).toBe(403)
    expect((await writer.putPage(page.id, { status: 'archived', body: 'spam' })).statusCode).toBe(200)
    expect(seen).toEqual(['Quiet quiet', 'Loud loud', 'Quiet quiet-2', 'Quiet quiet-2'])
    await test.close()
  })

  it('runs beforePublish again when the page changed meanwhile', async () => {
    let release = () => {}
    let asked = () => {}
    const thinking = new Promise<void>((resolve) => {
      release = resolve
    })
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const seen: string[] = []
    const test = await createTestApp({
      hooks: {
        async beforePublish({ title, body }) {
          seen.push(`${title}: ${body}`)
          if (title !== 'Slow') return
          asked()
          await thinking
        },
      },
    })
    const writer = await createWriter(test.app)
    const page = await writer.newPage({ title: 'Page', body: 'one' })
    const slow = writer.putPage(page.id, { title: 'Slow' })
    const guarded = writer.putPage(page.id, { title: 'Slow' }, '"v1"')
    await wasAsked
    await writer.putPage(page.id, { body: 'two' })
    release()
    expect((await guarded).statusCode).toBe(412)
    expect((await slow).json()).toMatchObject({ title: 'Slow', version: 3 })
    expect(seen).toContain('Slow: two')
    await test.close()
  })
})

describe('events', () => {
  it('emits an event with the profile for every save', async () => {
    const writer = await newWriter()
    const heard: object[] = []
    const stop = app.eep.on('content.page_saved', ({ data, profileId, accountId }) => {
      if (profileId === writer.profileId) heard.push({ ...data, accountId })
    })
    const page = await writer.newPage({ title: 'Told', status: 'draft' })
    await writer.putPage(page.id, { status: 'published' })
    const about = { pageId: page.id, slug: 'told', title: 'Told', accountId: writer.account.id }
    await expect
      .poll(() => heard)
      .toEqual([
        { ...about, status: 'draft', version: 1, previousStatus: null },
        { ...about, status: 'published', version: 2, previousStatus: 'draft', wasSeenAs: null },
      ])
    stop()
  })

  it('emits an event for a new order, and events of reactions without a profile to invalidate', async () => {
    const writer = await newWriter()
    const [one, two] = [await writer.newPage(), await writer.newPage()]
    const heard: object[] = []
    const stop = [
      app.eep.on('content.pages_reordered', ({ data, profileId }) => void heard.push({ ...data, profileId })),
      app.eep.on('reactions.reaction_added', ({ data, profileId }) => void heard.push({ ...data, profileId })),
    ]
    await writer.post('/manage/reorder', { kind: 'pages', ids: [two.id, one.id] })
    await writer.post(`/content/pages/${one.id}/reactions`, { kind: 'like' })
    const { profileId } = writer
    await expect
      .poll(() => heard)
      .toEqual([
        { categoryId: null, profileId },
        { kind: 'like', pageId: one.id, ofProfileId: profileId, profileId: null },
      ])
    for (const end of stop) end()
  })
})
