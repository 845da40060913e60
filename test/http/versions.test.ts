import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'

let app: TestApp
let close: () => Promise<void>
let ada: Writer
let id: number
let url: string

beforeAll(async () => {
  ;({ app, close } = await createTestApp())
  ada = await createWriter(app, 'ada')
  id = (await ada.newPage({ title: 'Engine', body: 'one\ntwo\nthree\n', excerpt: 'Short' })).id
  url = `/manage/pages/${id}/versions`
  await ada.putPage(id, { body: 'one\n2\nthree\nfour\n', excerpt: null })
  await ada.putPage(id, { title: 'Engines' })
  await ada.putPage(id, { body: 'one\n2\nthree\nfour\nfive' })
})
afterAll(() => close())

describe('versions of a page', () => {
  it('lists versions newest first, in pages, without their bodies', async () => {
    const first = await ada.getJson(`${url}?limit=3`)
    expect(first.pagination).toMatchObject({ total: 4, has_more: true })
    expect(first.data.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2])
    expect(first.data[0]).toEqual({
      version: 4,
      title: 'Engines',
      status: 'published',
      created_at: expect.any(String),
      created_by: ada.account.id,
      via: null,
    })
    const rest = await ada.getJson(`${url}?limit=3&cursor=${first.pagination.next_cursor}`)
    expect(rest).toMatchObject({ data: [{ version: 1, title: 'Engine' }], pagination: { has_more: false } })
  })

  it('returns each version in full', async () => {
    expect(await ada.getJson(`${url}/1`)).toMatchObject({ version: 1, body: 'one\ntwo\nthree\n', excerpt: 'Short' })
    expect(codeOf(await ada.get(`${url}/9`))).toBe('version_not_found')
  })

  it('restores an older version as the newest one, guarded by If-Match', async () => {
    const page = await ada.newPage({ body: 'first' })
    await ada.putPage(page.id, { body: 'second' })
    const restore = `/manage/pages/${page.id}/versions/1/restore`
    expect((await ada.post(restore, undefined, { 'if-match': '"v1"' })).statusCode).toBe(412)
    const restored = await ada.post(restore, undefined, { 'if-match': '"v2"' })
    expect(restored.json()).toMatchObject({ version: 3, body: 'first' })
    expect(restored.headers.etag).toBe('"v3"')
    expect((await client(app).get(`${page.path}?format=json`)).json()).toMatchObject({ version: 3, body: 'first' })
  })

  it('keeps each save as a version, also shortly after another of the same author', async () => {
    const page = await ada.newPage({ body: 'one' })
    for (const body of ['two', 'three', 'four']) await ada.putPage(page.id, { body })
    const { data } = await ada.getJson(`/manage/pages/${page.id}/versions`)
    expect(data.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1])
    expect(await ada.getJson(`/manage/pages/${page.id}/versions/2`)).toMatchObject({ version: 2, body: 'two' })
  })

  it('joins automatic saves of one author within five minutes, each with a new ETag', async () => {
    const page = await ada.newPage({ body: 'one' })
    const versions = `/manage/pages/${page.id}/versions`
    const save = (body: string, tag?: string) => ada.putPage(page.id, { body, autosave: true }, tag)
    const tags = [(await save('two')).headers.etag]
    for (const body of ['three', 'four']) tags.push((await save(body)).headers.etag)
    expect(tags).toEqual(['"v2"', '"v3"', '"v4"'])
    const kept = async () => (await ada.getJson(versions)).data.map(({ version }: { version: number }) => version)
    expect(await kept()).toEqual([4, 1])
    expect(codeOf(await ada.get(`${versions}/3`))).toBe('version_not_found')
    expect(await ada.getJson(`${versions}/4/diff`)).toMatchObject({ from: 1, to: 4, body: { added: 1, removed: 1 } })
    expect((await save('stale', '"v3"')).statusCode).toBe(412)
    expect((await save('five', '"v4"')).headers.etag).toBe('"v5"')
    expect(await kept()).toEqual([5, 1])
  })

  it('never replaces a version that was saved by hand, changes the status or restores', async () => {
    const page = await ada.newPage({ body: 'one' })
    await ada.putPage(page.id, { body: 'two' })
    await ada.putPage(page.id, { body: 'three', autosave: true })
    await ada.putPage(page.id, { body: 'by hand' })
    await ada.putPage(page.id, { status: 'archived', autosave: true })
    await ada.putPage(page.id, { body: 'four', autosave: true })
    await ada.post(`/manage/pages/${page.id}/versions/2/restore`)
    await ada.putPage(page.id, { body: 'five', autosave: true })
    const { data } = await ada.getJson(`/manage/pages/${page.id}/versions`)
    expect(data.map(({ version }: { version: number }) => version)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect((await ada.putPage(page.id, { autosave: true })).statusCode).toBe(400)
  })

  it('prunes old versions to the number that the host keeps', async () => {
    const test = await createTestApp({ content: { maxVersions: 3 } })
    try {
      const bob = await createWriter(test.app, 'bob')
      const page = await bob.newPage({ body: '1' })
      for (const body of ['2', '3', '4', '5']) await bob.putPage(page.id, { body })
      const { data, pagination } = await bob.getJson(`/manage/pages/${page.id}/versions`)
      expect(data.map(({ version }: { version: number }) => version)).toEqual([5, 4, 3])
      expect(pagination.total).toBe(3)
      expect(await bob.getJson(`/manage/pages/${page.id}/versions/3/diff`)).toMatchObject({ from: 0, to: 3 })
    } finally {
      await test.close()
    }
  })

  it('deletes versions with their page', async () => {
    const page = await ada.newPage()
    await ada.delete(`/manage/pages/${page.id}`)
    expect(codeOf(await ada.get(`/manage/pages/${page.id}/versions`))).toBe('page_not_found')
  })
})

describe('differences of versions', () => {
  it('compares a version with the one before by default', async () => {
    expect(await ada.getJson(`${url}/2/diff`)).toEqual({
      from: 1,
      to: 2,
      title: { from: 'Engine', to: 'Engine' },
      excerpt: { from: 'Short', to: null },
      status: { from: 'published', to: 'published' },
      body: {
        added: 2,
        removed: 1,
        coarse: false,
        unified: '@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n',
        hunks: [
          {
            old_start: 1,
            old_lines: 3,
            new_start: 1,
            new_lines: 4,
            lines: [' one', '-two', '+2', ' three', '+four'],
          },
        ],
      },
    })
    expect(await ada.getJson(`${url}/3/diff`)).toMatchObject({
      title: { from: 'Engine', to: 'Engines' },
      body: { added: 0, removed: 0, hunks: [], unified: '' },
    })
  })

  it('compares any two versions in either direction, and the first one with an empty page', async () => {
    expect(await ada.getJson(`${url}/4/diff?from=1`)).toMatchObject({ from: 1, to: 4, body: { added: 3, removed: 1 } })
    expect(await ada.getJson(`${url}/1/diff?from=4`)).toMatchObject({ from: 4, to: 1, body: { added: 1, removed: 3 } })
    expect(await ada.getJson(`${url}/2/diff?from=2`)).toMatchObject({ body: { hunks: [] } })
    for (const query of ['', '?from=0']) {
      expect(await ada.getJson(`${url}/1/diff${query}`)).toMatchObject({
        from: 0,
        title: { from: null, to: 'Engine' },
        body: { added: 3, removed: 0 },
      })
    }
  })

  it('returns 404 for a version that does not exist', async () => {
    for (const wrong of ['9/diff', '9/diff?from=1', '2/diff?from=9']) {
      expect(codeOf(await ada.get(`${url}/${wrong}`)), wrong).toBe('version_not_found')
    }
    for (const wrong of ['0/diff', 'x/diff']) {
      expect((await ada.get(`${url}/${wrong}`)).statusCode, wrong).toBe(404)
    }
    for (const wrong of ['2/diff?from=-1', '2/diff?from=x']) {
      expect((await ada.get(`${url}/${wrong}`)).statusCode, wrong).toBe(400)
    }
  })

  it('shows differences to the team only', async () => {
    const bob = await createWriter(app)
    expect(codeOf(await bob.get(`${url}/2/diff`))).toBe('not_profile_owner')
    const draft = await ada.newPage({ status: 'draft' })
    expect(codeOf(await bob.get(`/manage/pages/${draft.id}/versions/1/diff`))).toBe('page_not_found')
  })

  it('compares two long, unrelated pages in time', async () => {
    const text = (mark: string) => Array.from({ length: 90_000 }, (_, index) => `${mark}${index}`).join('\n')
    const page = await ada.newPage({ body: text('a') })
    expect((await ada.putPage(page.id, { body: text('b') })).statusCode).toBe(200)
    const { body } = await ada.getJson(`/manage/pages/${page.id}/versions/2/diff`)
    expect(body).toMatchObject({ coarse: true, added: 90_000, removed: 90_000 })
  })
})
