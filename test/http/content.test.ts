import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { openContent } from '../support/content.ts'

const { ada, bob, newWriter } = await openContent()

describe('pages', () => {
  it('creates, reads, changes and deletes pages', async () => {
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

  it('lists pages by status without their bodies, in pages', async () => {
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

  it('lists pages by category, or those outside categories', async () => {
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

  it('adds a new page after the others in its category', async () => {
    const writer = await newWriter()
    const category = await writer.newCategory()
    const make = async (fields: object = {}) =>
      (await writer.getJson(`/manage/pages/${(await writer.newPage({ ...fields })).id}`)).position
    expect([await make(), await make(), await make({ position: 7 }), await make()]).toEqual([0, 1, 7, 8])
    expect(await make({ category_id: category.id })).toBe(0)
  })

  it('moves a page to another category with its slug', async () => {
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
  it('lets exactly one of two editors with the same ETag save', async () => {
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

  it('does not delete a page that was changed meanwhile', async () => {
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

  it('saves without If-Match unconditionally', async () => {
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

  it('returns when a page was last published', async () => {
    const page = await ada.newPage({ title: 'Timely', status: 'draft' })
    const published = (await ada.putPage(page.id, { status: 'published' })).json().published_at
    expect(published).not.toBeNull()
    expect((await ada.putPage(page.id, { body: 'more' })).json().published_at).toBe(published)
    expect((await ada.putPage(page.id, { status: 'archived' })).json().published_at).toBe(published)
    expect((await ada.putPage(page.id, { status: 'published' })).json().published_at).not.toBe(published)
  })

  it('creates a page as draft or published', async () => {
    expect((await ada.postPage({ status: 'published' })).json().status).toBe('published')
    expect((await ada.postPage({ status: 'archived' })).statusCode).toBe(400)
  })
})

describe('versions', () => {
  it('creates a version with every save, which can be read and restored', async () => {
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
