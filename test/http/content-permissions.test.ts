import { defineError } from '@eep/core'
import type { HTTPMethods } from 'fastify'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { createWriter, openContent, type PageRecord } from '../support/content.ts'

const { ada, app, bob, newWriter } = await openContent()

describe('content of other accounts', () => {
  it('returns 403 when it is public, and 404 when it is hidden', async () => {
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

  it('returns the same response for private and unknown profiles', async () => {
    const carol = await createWriter(app, 'carol')
    const page = await carol.newPage()
    await carol.put('/profiles/u/carol', { visibility: 'private' })
    const hidden = await bob.get(`/manage/pages/${page.id}`)
    const missing = await bob.get('/manage/pages/999999999')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await bob.get(`/manage/pages?profile_id=${carol.profileId}`)).statusCode).toBe(404)
  })

  it('cannot be added to their profiles', async () => {
    const theirs = { profile_id: ada.profileId }
    expect(codeOf(await bob.postPage(theirs))).toBe('not_profile_owner')
    expect(codeOf(await bob.postCategory(theirs))).toBe('not_profile_owner')
    expect(codeOf(await bob.postPage({ profile_id: 999_999_999 }))).toBe('profile_not_found')
  })

  it('cannot use categories of another profile', async () => {
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
})

describe('requests that are not valid', () => {
  const PAGES = [
    ['an empty title', { title: '' }, '/title'],
    ['a title of spaces', { title: '  ' }, '/title'],
    ['a title of two lines', { title: 'one\ntwo' }, '/title'],
    ['half of a surrogate pair', { body: '\ud800' }, '/body'],
    ['a slug with capitals', { slug: 'Notes' }, '/slug'],
    ['a slug that begins with a hyphen', { slug: '-notes' }, '/slug'],
    ['an unknown status', { status: 'secret' }, '/status'],
  ] as const

  it.each(PAGES)('refuses a page with %s', async (_what, fields, path) => {
    const answer = await ada.postPage(fields)
    expect(answer.statusCode).toBe(400)
    const { code, details } = answer.json().error
    expect([code, details.in, details.issues[0].path]).toEqual(['validation_failed', 'body', path])
  })

  it('rejects a category with an unknown visibility', async () => {
    expect(codeOf(await ada.postCategory({ visibility: 'secret' }))).toBe('validation_failed')
  })

  it('rejects an empty change, and a change of immutable members', async () => {
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

  it('calls beforePublish before content is stored, and lets it reject', async () => {
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
        { ...about, status: 'draft', version: 1, previousStatus: null, previousPublicPage: null },
        { ...about, status: 'published', version: 2, previousStatus: 'draft', previousPublicPage: null },
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
