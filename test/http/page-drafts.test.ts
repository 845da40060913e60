import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { openContent } from '../support/content.ts'

const { ada, bob } = await openContent()

const draftUrl = (page: { readonly id: number }) => `/manage/pages/${page.id}/draft`

describe('drafts of published pages', () => {
  it('are saved field by field, and change nothing that readers see', async () => {
    const page = await ada.newPage({ title: 'Looms', body: 'About looms.', excerpt: 'Old.' })
    expect(codeOf(await ada.get(draftUrl(page)))).toBe('draft_not_found')
    const first = await ada.put(draftUrl(page), { body: 'About better looms.' })
    expect(first.statusCode).toBe(200)
    expect(first.json()).toEqual({
      page_id: page.id,
      title: 'Looms',
      body: 'About better looms.',
      excerpt: 'Old.',
      cover_url: null,
      base_version: 1,
      publish_at: null,
      updated_at: first.json().updated_at,
      updated_by: ada.account.id,
    })
    const second = await ada.put(draftUrl(page), { title: 'Better looms', excerpt: null })
    expect(second.headers.etag).not.toBe(first.headers.etag)
    const read = await ada.get(draftUrl(page))
    expect(read.json()).toMatchObject({ title: 'Better looms', body: 'About better looms.', excerpt: null })
    expect([read.headers.etag, read.headers['cache-control']]).toEqual([second.headers.etag, 'private, no-cache'])

    const shown = await bob.get(`${page.path}?format=json`)
    expect(shown.json()).toMatchObject({ title: 'Looms', body: 'About looms.', version: 1 })
    expect((await ada.getJson(`/manage/pages/${page.id}/versions`)).pagination.total).toBe(1)
  })

  it('are published as one version, and then no longer exist', async () => {
    const page = await ada.newPage({ title: 'Cards', body: 'Old text.' })
    await ada.put(draftUrl(page), { title: 'Punched cards', body: 'New text.' })
    const published = await ada.post(`${draftUrl(page)}/publish`)
    expect(published.statusCode).toBe(200)
    expect(published.json()).toMatchObject({ title: 'Punched cards', body: 'New text.', slug: page.slug, version: 2 })
    expect(published.headers.etag).toBe('"v2"')
    expect((await bob.get(`${page.path}?format=json`)).json()).toMatchObject({ body: 'New text.', version: 2 })
    expect(codeOf(await ada.get(draftUrl(page)))).toBe('draft_not_found')
    expect(codeOf(await ada.post(`${draftUrl(page)}/publish`))).toBe('draft_not_found')
  })

  it('are not published over a later version of the page, until they name it as their base', async () => {
    const page = await ada.newPage({ body: 'Old text.' })
    await ada.put(draftUrl(page), { body: 'Drafted.' })
    await ada.putPage(page.id, { body: 'Saved directly.' })
    const refused = await ada.post(`${draftUrl(page)}/publish`)
    expect([refused.statusCode, codeOf(refused), refused.json().error.details]).toEqual([
      412,
      'precondition_failed',
      { version: 2 },
    ])
    expect((await bob.get(`${page.path}?format=json`)).json().body).toBe('Saved directly.')
    expect(codeOf(await ada.put(draftUrl(page), { base_version: 3 }))).toBe('invalid_base_version')
    expect((await ada.put(draftUrl(page), { base_version: 2 })).json()).toMatchObject({ body: 'Drafted.' })
    expect((await ada.post(`${draftUrl(page)}/publish`)).json()).toMatchObject({ body: 'Drafted.', version: 3 })
  })

  it('are saved, published and deleted only with the ETag that `If-Match` names', async () => {
    const page = await ada.newPage()
    const none = await ada.put(draftUrl(page), { body: 'a' }, { 'if-match': '"00000000-0000-4000-8000-000000000000"' })
    expect([none.statusCode, none.json().error.details]).toEqual([412, { draft: null }])
    const first = await ada.put(draftUrl(page), { body: 'a' })
    const old = { 'if-match': String(first.headers.etag) }
    const second = await ada.put(draftUrl(page), { body: 'b' }, old)
    expect(second.statusCode).toBe(200)
    const stale = await ada.put(draftUrl(page), { body: 'c' }, old)
    expect([stale.statusCode, stale.json().error.details]).toEqual([412, { draft: second.json().updated_at }])
    expect((await ada.post(`${draftUrl(page)}/publish`, undefined, old)).statusCode).toBe(412)
    expect((await ada.delete(draftUrl(page), old)).statusCode).toBe(412)
    expect((await ada.getJson(draftUrl(page))).body).toBe('b')
    expect((await ada.delete(draftUrl(page), { 'if-match': String(second.headers.etag) })).json()).toEqual({
      success: true,
    })
    expect(codeOf(await ada.delete(draftUrl(page)))).toBe('draft_not_found')
  })

  it('exist of published pages only', async () => {
    const page = await ada.newPage({ status: 'draft' })
    const refused = await ada.put(draftUrl(page), { body: 'a' })
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'page_not_published'])
  })

  it('are for those who may edit the page', async () => {
    const page = await ada.newPage()
    await ada.put(draftUrl(page), { body: 'a' })
    for (const refused of [
      await bob.get(draftUrl(page)),
      await bob.put(draftUrl(page), { body: 'b' }),
      await bob.delete(draftUrl(page)),
      await bob.post(`${draftUrl(page)}/publish`),
    ]) {
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'not_profile_owner'])
    }
  })

  it('refuse covers that are not images of the profile, and empty bodies of requests', async () => {
    const page = await ada.newPage()
    expect(codeOf(await ada.put(draftUrl(page), { cover_url: '/files/999999' }))).toBe('invalid_cover')
    expect((await ada.put(draftUrl(page), {})).statusCode).toBe(400)
    expect((await ada.put(draftUrl(page), { status: 'published' })).statusCode).toBe(400)
  })

  it('are published once by concurrent requests', async () => {
    const page = await ada.newPage()
    await ada.put(draftUrl(page), { body: 'Once.' })
    const answers = await Promise.all([1, 2, 3].map(() => ada.post(`${draftUrl(page)}/publish`)))
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    for (const code of codes) expect([200, 404, 412]).toContain(code)
    expect((await ada.getJson(`/manage/pages/${page.id}`)).version).toBe(2)
  })
})
