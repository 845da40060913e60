import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { leadsTo } from '../../support/pages.ts'
import { newOrganization, type OwnedProfile } from '../../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let profile: OwnedProfile
let tab: Awaited<ReturnType<typeof browserOf>>
let path: string

beforeAll(async () => {
  test = await createTestApp()
  profile = await newOrganization(test.app)
  tab = await browserOf(test.app, profile.owner)
  path = `/manage/profiles/${profile.id}/content`
})
afterAll(() => test.close())

const newPage = async (title: string, more: object = {}) =>
  (await profile.owner.post('/manage/pages', { profile_id: profile.id, title, body: 'Text', ...more })).json()
const pageOf = async (id: number) => (await profile.owner.get(`/manage/pages/${id}`)).json()
/** The hidden fields of the form that moves a page. */
async function moveForm(id: number, action: 'up' | 'down', by = tab) {
  const { body } = await by.open(path)
  const order = new RegExp(`name="page" value="${id}"><input type="hidden" name="order" value="([^"]+)"`).exec(
    body,
  )?.[1]
  return formOf(action, { page: String(id), order: order ?? 'none' })
}

describe('the screen with the pages of a profile', () => {
  it('shows the next step while there are no pages', async () => {
    expect((await tab.open(path)).body).toContain('There are no pages yet.')
  })

  it('creates a draft and leads to its editor', async () => {
    const made = await tab.submit(path, formOf('create', { title: 'First', category: '' }))
    const [{ id, status }] = (await profile.owner.get(`/manage/pages?profile_id=${profile.id}`)).json().data
    expect([status, ...leadsTo(made)]).toEqual(['draft', 303, `/manage/profiles/${profile.id}/pages/${id}`])
  })

  it('lists pages with their status, price and time of publication', async () => {
    const { id } = await newPage('Sold', { status: 'published' })
    const url = `/manage/prices/content.sold?profile_id=${profile.id}`
    const priced = await profile.owner.put(url, { amount: 2, currency: 'usd', per: 'once', allow: 'unpayable' })
    expect(priced.statusCode, priced.body).toBe(200)
    const { body } = await tab.open(path)
    const row = /<a href="[^"]+"><bdi>Sold<\/bdi><\/a>[\s\S]*?<\/tr>/.exec(body)?.[0] ?? ''
    expect(row).toContain('Published</span>')
    expect(row).toContain('$2.00 once, for good')
    expect(row).toContain('<time datetime="')
    expect(id).toBeGreaterThan(0)
  })

  it('moves a page by one place', async () => {
    const [one, two] = [await newPage('One'), await newPage('Two')]
    expect(leadsTo(await tab.submit(path, await moveForm(two.id, 'up')))).toEqual([303, path])
    expect((await pageOf(two.id)).position).toBeLessThan((await pageOf(one.id)).position)
  })

  it('notifies the second of two editors who move pages at the same time, and moves nothing', async () => {
    const page = await newPage('Contended')
    const editor = await browserOfMember(test.app, profile, 'editor')
    const late = await moveForm(page.id, 'up', editor)
    await tab.submit(path, await moveForm(page.id, 'up'))
    const before = (await pageOf(page.id)).position
    const told = await editor.submit(path, late)
    expect([told.statusCode, roleIn(told, 'alert')]).toEqual([
      412,
      'Another person changed these pages meanwhile. Look at them as they are now, then try again.',
    ])
    expect((await pageOf(page.id)).position).toBe(before)
  })

  it('publishes and archives several pages, and asks for a selection', async () => {
    const [one, two] = [await newPage('Batch one'), await newPage('Batch two')]
    const body = new URLSearchParams(formOf('publish'))
    for (const { id } of [one, two]) body.append('page', String(id))
    const sent = await test.app.inject({
      method: 'POST',
      url: path,
      payload: body.toString(),
      cookies: tab.jar,
      headers: {
        accept: 'text/html',
        origin: 'https://profiles.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    expect(leadsTo(sent)).toEqual([303, path])
    expect([(await pageOf(one.id)).status, (await pageOf(two.id)).status]).toEqual(['published', 'published'])
    await tab.submit(path, formOf('archive', { page: String(one.id) }))
    expect((await pageOf(one.id)).status).toBe('archived')
    const none = await tab.submit(path, formOf('publish'))
    expect([none.statusCode, none.body.includes('Select pages first.')]).toEqual([400, true])
  })

  it('adds a category and moves pages into it', async () => {
    const page = await newPage('Placed')
    await tab.submit(path, formOf('addCategory', { name: 'Notes', parent: '' }))
    const [category] = (await profile.owner.get(`/manage/categories?profile_id=${profile.id}`)).json().data
    await tab.submit(path, formOf('place', { page: String(page.id), category: String(category.id) }))
    expect((await pageOf(page.id)).category_id).toBe(category.id)
    expect((await tab.open(path)).body).toContain('<h2><bdi>Notes</bdi></h2>')
  })

  it('asks with counts before a page is deleted, and offers the archive first', async () => {
    const page = await newPage('Doomed', { status: 'published' })
    await profile.owner.put(`/manage/pages/${page.id}`, { title: 'Doomed again' })
    const asked = await tab.open(`${path}?delete=${page.id}`)
    expect(asked.body).toContain('its 2 versions are deleted')
    expect(asked.body.indexOf('Archive instead')).toBeLessThan(asked.body.indexOf('Delete for good'))
    const form = fieldsOfForm(asked, 'delete')
    await profile.owner.put(`/manage/pages/${page.id}`, { title: 'Changed meanwhile' })
    expect((await tab.submit(path, form)).statusCode).toBe(412)
    const again = fieldsOfForm(await tab.open(`${path}?delete=${page.id}`), 'delete')
    expect(leadsTo(await tab.submit(path, again))).toEqual([303, path])
    expect((await profile.owner.get(`/manage/pages/${page.id}`)).statusCode).toBe(404)
  })

  it('shows viewers the pages and no button, and refuses each action posted by hand', async () => {
    const viewer = await browserOfMember(test.app, profile, 'viewer')
    const page = await viewer.open(path)
    expect([page.statusCode, [...actionsOn(page)]]).toEqual([200, []])
    expect(page.body).toContain('First')
    const { paths } = (await profile.owner.get('/docs/openapi.json')).json()
    const actions = Object.keys(paths['/manage/profiles/{id}/content'].post['x-actions'])
    expect(actions.length).toBeGreaterThan(8)
    for (const action of actions) {
      expect([action, (await viewer.submit(path, formOf(action))).statusCode]).toEqual([action, 403])
    }
  })
})
