import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, PASSWORD, signUp } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type PageRecord, type Writer } from '../support/content.ts'
import { createCashApp, openShop } from '../support/shop.ts'

type Headers = Record<string, string>

let app: TestApp
let close: () => Promise<void>
let ada: Writer
let reader: Headers
let page: PageRecord

beforeAll(async () => {
  ;({ app, close } = await createTestApp())
  ada = await createWriter(app, 'ada')
  reader = (await signUp(app)).headers
})
afterAll(() => close())

const urlOf = (id: number | string) => `/content/pages/${id}/reactions`
const react = (id: number, kind: unknown, headers: Headers = reader) => client(app).post(urlOf(id), { kind }, headers)
const state = async (id: number, headers: Headers = {}) => (await client(app).get(urlOf(id), headers)).json()
const mine = (query: string, headers: Headers = reader) => client(app).get(`/content/reactions/me?${query}`, headers)

const NONE = { counts: { like: 0, bookmark: 0 }, me: { like: false, bookmark: false } }
const LIKED = { counts: { like: 1, bookmark: 0 }, me: { like: true, bookmark: false } }

describe('a reaction', () => {
  it('adds a reaction with 201 and removes it with 200 and the new counts, for each kind', async () => {
    page = await ada.newPage({ title: 'Received' })
    expect(await state(page.id)).toEqual(NONE)
    const added = await react(page.id, 'like')
    expect([added.statusCode, added.json()]).toEqual([201, LIKED])
    const kept = await react(page.id, 'bookmark', ada.headers)
    expect([kept.statusCode, kept.json()]).toEqual([
      201,
      { counts: { like: 1, bookmark: 1 }, me: { like: false, bookmark: true } },
    ])
    const removed = await react(page.id, 'like')
    expect([removed.statusCode, removed.json()]).toEqual([200, { ...NONE, counts: { like: 0, bookmark: 1 } }])
  })

  it('counts a reaction for all readers, and shows readers their own', async () => {
    const { id } = await ada.newPage()
    await react(id, 'like')
    expect(await state(id)).toEqual({ ...NONE, counts: LIKED.counts })
    expect(await state(id, reader)).toEqual(LIKED)
    expect(await state(id, ada.headers)).toEqual({ ...NONE, counts: LIKED.counts })
    const { headers } = await client(app).get(urlOf(id), reader)
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  it('requires a known kind and an existing page', async () => {
    const { id } = await ada.newPage()
    for (const kind of ['love', '', null, undefined, 1, ['like']]) {
      const refused = await react(id, kind)
      expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
    }
    expect(codeOf(await react(999_999_999, 'like'))).toBe('page_not_found')
    expect((await client(app).get(urlOf(999_999_999))).statusCode).toBe(404)
    expect((await client(app).get(urlOf('one'))).statusCode).toBe(404)
    expect(await state(id)).toEqual(NONE)
  })

  it('counts each of many readers who react concurrently', async () => {
    const { id } = await ada.newPage()
    const readers = await Promise.all(Array.from({ length: 20 }, () => signUp(app)))
    const answers = await Promise.all(readers.map(({ headers }) => react(id, 'like', headers)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(201))
    const counts = answers.map((answer) => answer.json().counts.like).sort((left, right) => left - right)
    expect(counts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('never counts concurrent reactions of one reader twice', async () => {
    const { id } = await ada.newPage()
    const answers = await Promise.all(Array.from({ length: 21 }, () => react(id, 'like')))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(11)
    expect(await state(id, reader)).toEqual(LIKED)
  })

  it('deletes reactions with their account and their page', async () => {
    const { id } = await ada.newPage()
    await react(id, 'like')
    await ada.delete(`/manage/pages/${id}`)
    expect((await client(app).get(urlOf(id), reader)).statusCode).toBe(404)
    const { data } = (await mine('kind=like&limit=100')).json()
    expect(data.map((entry: { id: number }) => entry.id)).not.toContain(id)
  })

  it('does not change the page document', async () => {
    const { id, path } = await ada.newPage({ title: 'Steady' })
    const before = await client(app).get(path)
    await react(id, 'like')
    const after = await client(app).get(path, { 'if-none-match': String(before.headers.etag) })
    expect(after.statusCode).toBe(304)
  })
})

describe('a page that is hidden from the reader', () => {
  const hidden = async () => {
    const drawer = await ada.newCategory({ name: 'Drawer', visibility: 'private' })
    const below = await ada.newCategory({ name: 'Below', parent_id: drawer.id })
    return [
      await ada.newPage({ status: 'draft' }),
      await ada.newPage({ category_id: drawer.id }),
      await ada.newPage({ category_id: below.id }),
    ]
  }

  it('refuses and hides reactions of a hidden page, except for its team', async () => {
    for (const { id } of await hidden()) {
      for (const headers of [{}, reader]) {
        expect((await client(app).get(urlOf(id), headers)).statusCode).toBe(404)
      }
      expect(codeOf(await react(id, 'like'))).toBe('page_not_found')
      expect((await react(id, 'like', ada.headers)).statusCode).toBe(201)
      expect(await state(id, ada.headers)).toEqual(LIKED)
    }
  })

  it('hides reactions of a page of a private profile', async () => {
    const writer = await createWriter(app)
    const { id } = await writer.newPage()
    expect((await react(id, 'like')).statusCode).toBe(201)
    await writer.put(`/profiles/u/${writer.account.username}`, { visibility: 'private' })
    expect((await client(app).get(urlOf(id))).statusCode).toBe(404)
    expect(codeOf(await react(id, 'like'))).toBe('page_not_found')
    expect((await writer.get(urlOf(id))).statusCode).toBe(200)
  })

  it('omits a hidden page from the list of reactions', async () => {
    const { headers } = await signUp(app)
    const shown = await ada.newPage({ title: 'Shown' })
    const fickle = await ada.newPage({ title: 'Fickle' })
    for (const { id } of [shown, fickle]) await react(id, 'bookmark', headers)
    const titles = async () => {
      const { data, pagination } = (await mine('kind=bookmark', headers)).json()
      expect(pagination.total).toBe(data.length)
      return data.map(({ title }: { title: string }) => title)
    }
    expect(await titles()).toEqual(['Fickle', 'Shown'])
    await ada.putPage(fickle.id, { status: 'draft' })
    expect(await titles()).toEqual(['Shown'])
    await ada.putPage(fickle.id, { status: 'published' })
    expect(await titles()).toEqual(['Fickle', 'Shown'])
  })
})

describe('a gated page', () => {
  it('shows the counts of a gated page, and nothing of its body', async () => {
    const shop = await createCashApp()
    const { headers, profileId } = await openShop(shop.app, 'seller')
    const { data } = (await client(shop.app).get(`/manage/pages?profile_id=${profileId}`, headers)).json()
    const fan = (await signUp(shop.app, 'fan')).headers
    for (const { id, path } of data) {
      const added = await client(shop.app).post(urlOf(id), { kind: 'like' }, fan)
      expect(added.json()).toEqual(LIKED)
      expect((await client(shop.app).get(urlOf(id))).json().counts).toEqual(LIKED.counts)
      expect([200, 402]).toContain((await client(shop.app).get(path)).statusCode)
    }
    const list = (await client(shop.app).get('/content/reactions/me?kind=like', fan)).json()
    expect(list.data).toHaveLength(data.length)
    for (const entry of list.data) expect(entry).not.toHaveProperty('body')
    await shop.close()
  })
})

describe('the reactions of an account', () => {
  it('lists the reactions of an account in pages, latest first', async () => {
    const { headers } = await signUp(app)
    const category = await ada.newCategory({ name: 'Listed' })
    const pages: PageRecord[] = []
    for (let index = 0; index < 5; index++) {
      pages.push(await ada.newPage({ title: `Page ${index}`, excerpt: 'In short', category_id: category.id }))
    }
    for (const { id } of pages) await react(id, 'like', headers)
    await react(pages[0]?.id ?? 0, 'bookmark', headers)

    const [latest] = pages.slice(-1)
    const first = (await mine('kind=like&limit=2', headers)).json()
    expect(first.pagination).toEqual({ total: 5, has_more: true, page: 1, limit: 2 })
    expect(first.data[0]).toEqual({
      id: latest?.id,
      title: 'Page 4',
      slug: 'page-4',
      path: '/u/ada/content/listed/page-4',
      url: `${PUBLIC_URL}/u/ada/content/listed/page-4`,
      excerpt: 'In short',
      updated_at: expect.any(String),
      profile: {
        id: ada.profileId,
        did: 'did:web:profiles.example:u:ada',
        username: 'ada',
        profile_type: 'person',
        url: `${PUBLIC_URL}/u/ada`,
      },
      kind: 'like',
      reacted_at: expect.any(String),
    })
    const read: number[] = []
    for (const number of [1, 2, 3]) {
      const { data, pagination } = (await mine(`kind=like&limit=2&page=${number}`, headers)).json()
      expect(pagination).toMatchObject({ total: 5, has_more: number < 3, page: number })
      read.push(...data.map(({ id }: { id: number }) => id))
    }
    expect(read).toEqual(pages.map(({ id }) => id).reverse())
    expect((await mine('kind=like&page=9', headers)).json()).toMatchObject({
      data: [],
      pagination: { total: 5, has_more: false, page: 9, limit: 20 },
    })
    expect((await mine('kind=bookmark', headers)).json()).toMatchObject({
      pagination: { total: 1, page: 1, limit: 20 },
    })
  })

  it.each(['', 'kind=love', 'kind=like&page=0', 'kind=like&page=x', 'kind=like&limit=0', 'kind=like&limit=101'])(
    'rejects the query "%s"',
    async (query) => {
      expect((await mine(query)).statusCode).toBe(400)
    },
  )

  it('shows the reactions of an account to that account only', async () => {
    expect((await mine('kind=like', (await signUp(app)).headers)).json().data).toEqual([])
  })

  it('keeps the reactions of an account that cancels its deletion', async () => {
    const { headers, account } = await signUp(app)
    const { id } = await ada.newPage()
    await react(id, 'like', headers)
    await client(app).send('DELETE', '/auth/account', { password: PASSWORD }, headers)
    const { token } = (await client(app).post('/auth/login', { email: account.email, password: PASSWORD })).json()
    const back = { authorization: `Bearer ${token}` }
    expect(await state(id, back)).toEqual(LIKED)
    expect((await mine('kind=like', back)).json().data).toMatchObject([{ id }])
  })
})
