import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { field, formOf as multipart, PNG } from '../../support/files.ts'
import { leadsTo, openBrowser } from '../../support/pages.ts'
import { createSandboxApp } from '../../support/sandbox.ts'
import { createCashApp } from '../../support/shop.ts'
import { newOrganization, type OwnedProfile } from '../../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let profile: OwnedProfile
let tab: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createCashApp()
  profile = await newOrganization(test.app)
  tab = await browserOf(test.app, profile.owner)
})
afterAll(() => test.close())

let count = 0
/** A page and the path of its editor. */
async function newPage(more: object = {}) {
  count += 1
  const fields = { profile_id: profile.id, title: `Page ${count}`, body: 'Some *text*.', ...more }
  const made = await profile.owner.post('/manage/pages', fields)
  expect(made.statusCode, made.body).toBe(201)
  const { id, slug } = made.json()
  return { id, slug, path: `/manage/profiles/${profile.id}/pages/${id}`, url: `/o/${profile.username}/content/${slug}` }
}
const stored = async (id: number) => (await profile.owner.get(`/manage/pages/${id}`)).json()

describe('the editor of a page that is a draft', () => {
  it('saves title, text and excerpt, and does not publish them', async () => {
    const { id, path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'save')
    const body = '# Heading\r\n\r\nThe text'
    const sent = await tab.submit(path, { ...form, title: 'Renamed', body, excerpt: 'About' })
    expect(leadsTo(sent)).toEqual([303, path])
    const expected = { title: 'Renamed', body: '# Heading\n\nThe text', excerpt: 'About', status: 'draft', version: 2 }
    expect(await stored(id)).toMatchObject(expected)
    expect(roleIn(await tab.open(path), 'status')).toBe('The draft was saved.')
  })

  it('shows the text as its page would, and saves nothing', async () => {
    const { id, path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'preview')
    const shown = await tab.submit(path, { ...form, body: '## Part\n\nShown **boldly**' })
    expect([shown.statusCode, shown.body.includes('<strong>boldly</strong>')]).toEqual([200, true])
    expect(shown.body).toContain('## Part\n\nShown **boldly**</textarea>')
    expect((await stored(id)).version).toBe(1)
  })

  it('publishes what the form has', async () => {
    const { path, url } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'publish')
    expect(leadsTo(await tab.submit(path, { ...form, body: 'Out *now*' }))).toEqual([303, path])
    expect((await openBrowser(test.app).open(url)).body).toContain('Out <em>now</em>')
  })

  it('plans the publication, and cancels it', async () => {
    const { id, path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'schedule')
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 16)
    expect(leadsTo(await tab.submit(path, { ...form, publish_at: day }))).toEqual([303, path])
    expect((await stored(id)).publish_at).toBe(`${day}:00.000Z`)
    await tab.submit(path, fieldsOfForm(await tab.open(path), 'unschedule'))
    expect((await stored(id)).publish_at).toBeNull()
  })

  it('refuses a time in the past beside its input, and keeps the text', async () => {
    const { path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'schedule')
    const past = await tab.submit(path, { ...form, body: 'Kept text', publish_at: '2001-01-01T00:00' })
    expect([past.statusCode, past.body.includes('id="publish_at-problem"')]).toEqual([400, true])
    expect(past.body).toContain('Kept text</textarea>')
  })

  it.each(['draft', 'published'])('schedules a %s page once the time is corrected', async (status) => {
    const { id, path } = await newPage()
    await profile.owner.put(`/manage/pages/${id}`, { status })
    const form = { ...fieldsOfForm(await tab.open(path), 'schedule'), body: 'For later' }
    const past = await tab.submit(path, { ...form, publish_at: '2001-01-01T00:00' })
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 16)
    const corrected = await tab.submit(path, { ...fieldsOfForm(past, 'schedule'), publish_at: day })
    expect([past.statusCode, ...leadsTo(corrected)]).toEqual([400, 303, path])
    const shown = fieldsOfForm(await tab.open(path), 'schedule')
    expect([shown.body, shown.publish_at]).toEqual(['For later', day])
  })

  it('shows both texts when another person saved meanwhile, and lets each be kept', async () => {
    const { id, path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'save')
    await profile.owner.put(`/manage/pages/${id}`, { body: 'The text of the other' })
    const refused = await tab.submit(path, { ...form, body: 'My text' })
    expect(refused.statusCode).toBe(412)
    expect(refused.body).toContain('<h3>Yours</h3><pre dir="auto">My text</pre>')
    expect(refused.body).toContain('<h3>Theirs</h3><pre dir="auto">The text of the other</pre>')
    expect((await stored(id)).body).toBe('The text of the other')
    const again = fieldsOfForm(refused, 'save')
    expect(again.body).toBe('My text')
    expect(leadsTo(await tab.submit(path, again))).toEqual([303, path])
    expect((await stored(id)).body).toBe('My text')
  })

  it('keeps everything when the title is empty', async () => {
    const { path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'save')
    const refused = await tab.submit(path, { ...form, title: ' ', body: 'Long work' })
    expect([refused.statusCode, refused.body.includes('Long work</textarea>')]).toEqual([400, true])
    expect(refused.body).toContain('id="title-problem"')
  })

  it('takes a text of a megabyte', async () => {
    const { id, path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'save')
    const body = 'ö'.repeat(500_000)
    expect(leadsTo(await tab.submit(path, { ...form, body }))).toEqual([303, path])
    expect((await stored(id)).body).toHaveLength(500_000)
  })

  it('changes the address and reports when it is taken', async () => {
    const [one, two] = [await newPage(), await newPage()]
    const form = fieldsOfForm(await tab.open(two.path), 'place')
    const taken = await tab.submit(two.path, { ...form, slug: one.slug })
    expect([taken.statusCode, taken.body.includes('id="slug-problem"')]).toEqual([409, true])
    expect(leadsTo(await tab.submit(two.path, { ...form, slug: 'another-end' }))).toEqual([303, two.path])
    expect((await stored(two.id)).slug).toBe('another-end')
  })

  it('uploads a cover and removes it', async () => {
    const { id, path } = await newPage()
    const { tag = '' } = fieldsOfForm(await tab.open(path), 'cover')
    const { payload, headers } = multipart([
      ...Object.entries(formOf('cover', { tag })).map(([name, value]) => field(name, value)),
      { name: 'cover', filename: 'a.png', type: 'image/png', content: PNG },
    ])
    const sent = await test.app.inject({
      method: 'POST',
      url: path,
      payload,
      cookies: tab.jar,
      headers: { ...headers, origin: 'https://profiles.example', accept: 'text/html' },
    })
    expect([leadsTo(sent), sent.body]).toEqual([[303, path], ''])
    expect((await stored(id)).cover_url).toMatch(/\/files\/\d+$/)
    await tab.submit(path, fieldsOfForm(await tab.open(path), 'removeCover'))
    expect((await stored(id)).cover_url).toBeNull()
  })

  it('makes a preview link once for one form, shows it, and revokes it', async () => {
    const { id, path } = await newPage({ body: 'Secret *draft*' })
    const form = fieldsOfForm(await tab.open(path), 'makeLink')
    const made = await tab.submit(path, form)
    const [, link = ''] = /href="https:\/\/profiles\.example(\/preview\/[\w-]+)"/.exec(made.body) ?? []
    expect((await openBrowser(test.app).open(link)).body).toContain('Secret <em>draft</em>')
    expect((await tab.submit(path, form)).body).toContain(link)
    const links = async () => (await profile.owner.get(`/manage/pages/${id}/preview-links`)).json().data.length
    expect(await links()).toBe(1)
    await tab.submit(path, fieldsOfForm(await tab.open(path), 'revokeLink'))
    expect(await links()).toBe(0)
  })
})

describe('the editor of a published page', () => {
  it('saves a draft that readers do not see until it is published', async () => {
    const { path, url } = await newPage({ status: 'published', body: 'Old' })
    const form = fieldsOfForm(await tab.open(path), 'save')
    await tab.submit(path, { ...form, body: 'New *text*' })
    const reader = openBrowser(test.app)
    expect((await reader.open(url)).body).not.toContain('New')
    const publish = fieldsOfForm(await tab.open(path), 'publish')
    expect(publish.body).toBe('New *text*')
    await tab.submit(path, publish)
    expect((await reader.open(url)).body).toContain('New <em>text</em>')
  })

  it('does not replace a draft that another person began meanwhile', async () => {
    const { id, path } = await newPage({ status: 'published' })
    const form = fieldsOfForm(await tab.open(path), 'save')
    await profile.owner.put(`/manage/pages/${id}/draft`, { body: 'Begun by the other' })
    const refused = await tab.submit(path, { ...form, body: 'Mine' })
    expect([refused.statusCode, refused.body.includes('Begun by the other</pre>')]).toEqual([412, true])
  })

  it('discards the draft, takes the page back and archives it', async () => {
    const { id, path } = await newPage({ status: 'published' })
    await tab.submit(path, { ...fieldsOfForm(await tab.open(path), 'save'), body: 'Discarded' })
    await tab.submit(path, fieldsOfForm(await tab.open(path), 'discard'))
    expect((await profile.owner.get(`/manage/pages/${id}/draft`)).statusCode).toBe(404)
    await tab.submit(path, fieldsOfForm(await tab.open(path), 'archive'))
    expect((await stored(id)).status).toBe('archived')
  })
})

describe('the versions of a page', () => {
  it('show what changed, and lead back to an earlier text', async () => {
    const { id, path } = await newPage({ body: 'one\ntwo' })
    await profile.owner.put(`/manage/pages/${id}`, { body: 'one\nthree' })
    const page = await tab.open(`${path}/versions?version=2`)
    expect(page.body).toContain('<del>− two</del><ins>+ three</ins>')
    const restored = await tab.submit(`${path}/versions`, fieldsOfForm(page, 'restore'))
    expect(leadsTo(restored)).toEqual([303, `${path}/versions`])
    expect((await stored(id)).body).toBe('one\ntwo')
  })
})

describe('the price of a page', () => {
  const paid = { access: 'paid', amount: '4,50', currency: 'eur', per: 'month' }
  const access = async (url: string) => (await openBrowser(test.app).open(url)).statusCode

  it('is set in words, and asked before the page is opened without payment', async () => {
    const { path, url } = await newPage({ status: 'published' })
    const form = fieldsOfForm(await tab.open(path), 'price')
    expect(form.access).toBe('free')
    expect(leadsTo(await tab.submit(path, { ...form, ...paid }))).toEqual([303, path])
    expect(await access(url)).toBe(402)
    const again = fieldsOfForm(await tab.open(path), 'price')
    expect(again).toMatchObject({ access: 'paid', amount: '4.5', currency: 'eur', per: 'month' })
    const asked = await tab.submit(path, { ...again, access: 'free' })
    expect([asked.statusCode, asked.body.includes('Open it without payment')]).toEqual([400, true])
    expect(await access(url)).toBe(402)
    await tab.submit(path, { ...again, access: 'free', confirm: '1' })
    expect(await access(url)).toBe(200)
  })

  it('can be followers only, and changes no other tier', async () => {
    const [one, two] = [await newPage({ status: 'published' }), await newPage({ status: 'published' })]
    await tab.submit(one.path, { ...fieldsOfForm(await tab.open(one.path), 'price'), ...paid })
    await tab.submit(two.path, { ...fieldsOfForm(await tab.open(two.path), 'price'), access: 'followers' })
    expect([await access(one.url), await access(two.url)]).toEqual([402, 403])
    await tab.submit(two.path, { ...fieldsOfForm(await tab.open(two.path), 'price'), access: 'free' })
    expect([await access(one.url), await access(two.url)]).toEqual([402, 200])
  })

  it('is refused beside its input when it is not an amount, and keeps what was entered', async () => {
    const { path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'price')
    const refused = await tab.submit(path, { ...form, ...paid, amount: 'much' })
    expect([refused.statusCode, refused.body.includes('id="amount-problem"')]).toEqual([400, true])
    expect(refused.body).toContain('value="much"')
  })

  it.each(['1,000', '1.000', '0x10', '1e3', ' 5 €', '-1'])(
    'is not guessed from a text that is not clearly an amount: %s',
    async (amount) => {
      const { path, url } = await newPage({ status: 'published' })
      const refused = await tab.submit(path, { ...fieldsOfForm(await tab.open(path), 'price'), ...paid, amount })
      expect([refused.statusCode, await access(url)]).toEqual([400, 200])
    },
  )

  it('leaves a page for followers closed when no rail can take the new price', async () => {
    const sandbox = await createSandboxApp()
    const org = await newOrganization(sandbox.app)
    const owner = await browserOf(sandbox.app, org.owner)
    const made = await org.owner.post('/manage/pages', {
      profile_id: org.id,
      title: 'For friends',
      body: 'x',
      status: 'published',
    })
    const [path, url] = [`/manage/profiles/${org.id}/pages/${made.json().id}`, `/o/${org.username}/content/for-friends`]
    await owner.submit(path, { ...fieldsOfForm(await owner.open(path), 'price'), access: 'followers' })
    const refused = await owner.submit(path, {
      ...fieldsOfForm(await owner.open(path), 'price'),
      ...paid,
      amount: '0.01',
    })
    expect(refused.statusCode).toBe(422)
    expect((await openBrowser(sandbox.app).open(url)).statusCode).toBe(403)
    await sandbox.close()
  })

  it('is not saved over a change that another person made meanwhile', async () => {
    const { path } = await newPage()
    const form = fieldsOfForm(await tab.open(path), 'price')
    const did = `did:web:profiles.example:o:${profile.username}`
    const gate = (await profile.owner.get(`/eep/gates/${did}`)).json()
    await profile.owner.put(`/eep/gates/${did}`, gate)
    expect((await tab.submit(path, { ...form, ...paid })).statusCode).toBe(412)
  })
})

describe('the roles on the screens of a page', () => {
  it.each(['viewer', 'editor', 'admin'] as const)(
    'give a %s its buttons, and refuse the others by hand',
    async (role) => {
      const { id, path } = await newPage({ status: 'published' })
      const member = await browserOfMember(test.app, profile, role)
      const { paths } = (await profile.owner.get('/docs/openapi.json')).json()
      const ranks = ['viewer', 'editor', 'admin', 'owner']
      const needs: Record<string, string> = { 'gates.edit': 'admin' }
      for (const screen of ['', '/versions']) {
        const declared = paths[`/manage/profiles/{id}/pages/{page}${screen}`].post['x-actions']
        const mayDo = (permission: string | null) =>
          ranks.indexOf(role) >= ranks.indexOf(needs[permission ?? ''] ?? 'editor')
        const permitted = Object.keys(declared).filter((action) => mayDo(declared[action]))
        const page = await member.open(`${path}${screen}`)
        expect([...actionsOn(page)].filter((action) => !permitted.includes(action))).toEqual([])
        for (const action of Object.keys(declared)) {
          if (permitted.includes(action)) continue
          const sent = await member.submit(`${path}${screen}`, formOf(action))
          expect([action, sent.statusCode]).toEqual([action, 403])
        }
      }
      expect((await stored(id)).status).toBe('published')
    },
  )

  it('asks editors to contact an admin for a price', async () => {
    const { path } = await newPage()
    const editor = await browserOfMember(test.app, profile, 'editor')
    expect((await editor.open(path)).body).toContain('Ask an admin to set a price.')
  })

  it('hide a page of another profile', async () => {
    const { id } = await newPage()
    const other = await newOrganization(test.app, profile.owner)
    expect((await tab.open(`/manage/profiles/${other.id}/pages/${id}`)).statusCode).toBe(404)
  })
})

describe('the link to the editor on public pages', () => {
  it('is there for those who may edit, and for no other account', async () => {
    const { path, url } = await newPage({ status: 'published' })
    const ofProfile = `/manage/profiles/${profile.id}/edit`
    const viewer = await browserOfMember(test.app, profile, 'viewer')
    const seen = async (reader: Pick<typeof tab, 'open'>) => [
      (await reader.open(url)).body.includes(`href="${path}"`),
      (await reader.open(`/o/${profile.username}`)).body.includes(`href="${ofProfile}"`),
    ]
    expect([await seen(tab), await seen(viewer), await seen(openBrowser(test.app))]).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ])
  })
})
