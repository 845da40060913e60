import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionsOn, browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { createWriter } from '../../support/content.ts'
import { leadsTo, sentencesOf } from '../../support/pages.ts'
import { createSandboxApp } from '../../support/sandbox.ts'

let test: Awaited<ReturnType<typeof createSandboxApp>>
let ada: Awaited<ReturnType<typeof createWriter>>
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string
let did: string

beforeAll(async () => {
  test = await createSandboxApp()
  ada = await createWriter(test.app, 'access-ada')
  owner = await browserOf(test.app, ada)
  path = `/manage/profiles/${ada.profileId}/access`
  did = 'did:web:profiles.example:u:access-ada'
  const notes = await ada.newCategory({ name: 'Notes', slug: 'notes' })
  await ada.newPage({ title: 'The sold page', slug: 'sold' })
  await ada.newPage({ title: 'The free page', slug: 'free' })
  await ada.newPage({ title: 'A note', slug: 'note', category_id: notes.id })
})
afterAll(() => test.close())

const gate = async () =>
  (await ada.getJson(`/eep/gates/${did}`)) as { tiers: Record<string, { access: string[]; requirements: object[] }> }
const tagOf = async () => String((await ada.get(`/eep/gates/${did}`)).headers.etag)

const paid = (fields: Record<string, string>) =>
  formOf('saveTier', {
    label: 'Readers',
    kind: 'paid',
    amount: '5',
    currency: 'usd',
    per: 'month',
    tier: '',
    ...fields,
  })

describe('the screen with the tiers of a profile', () => {
  it('states that everything is open, and adds a tier that sells a page and a category', async () => {
    expect((await owner.open(path)).body).toContain('Everyone may read everything.')
    const form = fieldsOfForm(await owner.open(`${path}?new=1`), 'saveTier')
    const sent = await owner.submit(`${path}?new=1`, paid({ gate: form.gate ?? '', opens: 'content.sold' }))
    expect(leadsTo(sent)).toEqual([303, path])
    const page = await owner.open(path)
    expect(roleIn(page, 'status')).toBe('The tier was saved.')
    expect(sentencesOf(page)).toMatch(/<h2>Readers<\/h2><p>\$5\.00 for one month<\/p>\s*<ul><li>The sold page<\/li>/)
    expect(page.body).not.toMatch(/<li>[^<]*content\./)
    expect((await test.app.inject('/u/access-ada/content/sold')).statusCode).toBe(402)
    expect((await test.app.inject('/u/access-ada/content/free')).statusCode).toBe(200)
  })

  it('changes the price and keeps what its form does not show', async () => {
    const before = await gate()
    const [name = ''] = Object.keys(before.tiers).filter((each) => each !== 'public')
    const tier = { ...before.tiers[name], description: 'Kept', access: ['content.sold', 'x_kept'] }
    await ada.put(`/eep/gates/${did}`, { ...before, tiers: { ...before.tiers, [name]: tier } })
    const form = fieldsOfForm(await owner.open(`${path}?tier=${name}`), 'saveTier')
    expect(form).toMatchObject({ label: 'Readers', kind: 'paid', amount: '5', tier: name })
    const body = new URLSearchParams({ ...form, ...paid({ tier: name, gate: form.gate ?? '', amount: '7,50' }) })
    body.delete('opens')
    body.append('opens', 'content.sold')
    body.append('opens', 'x_kept')
    const sent = await test.app.inject({
      method: 'POST',
      url: path,
      payload: body.toString(),
      cookies: owner.jar,
      headers: { origin: 'https://profiles.example', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(sent.statusCode, sent.body).toBe(303)
    expect((await gate()).tiers[name]).toMatchObject({
      description: 'Kept',
      access: ['content.sold', 'x_kept'],
      requirements: [{ type: 'payment', amount: 7.5, currency: 'usd', per: 'month' }],
    })
  })

  it('asks before a paid page becomes free, and names a price that no rail takes before anything is saved', async () => {
    const [name = ''] = Object.keys((await gate()).tiers).filter((each) => each !== 'public')
    const url = `${path}?tier=${name}`
    const before = await tagOf()
    const opening = paid({ tier: name, gate: before, opens: 'content.free' })
    const asked = await owner.submit(url, opening)
    expect(asked.statusCode).toBe(400)
    expect(asked.body).toContain('More people will read some of this then: without paying')
    const unpayable = await owner.submit(
      url,
      paid({ tier: name, gate: before, opens: 'content.sold', currency: 'xyz', confirm: '1' }),
    )
    expect(unpayable.body).toContain('No payment method of this service takes this price.')
    expect(fieldsOfForm(unpayable, 'saveTier')).toMatchObject({ label: 'Readers', amount: '5', currency: 'xyz' })
    const none = await owner.submit(url, paid({ tier: name, gate: before }))
    expect([none.statusCode, none.body.includes('Choose at least one thing')]).toEqual([400, true])
    expect(await tagOf()).toBe(before)
    expect(leadsTo(await owner.submit(url, { ...opening, confirm: '1' }))).toEqual([303, path])
    expect((await test.app.inject('/u/access-ada/content/sold')).statusCode).toBe(200)
  })

  it('refuses a form that was made for an earlier state, and keeps what was entered', async () => {
    const stale = await owner.submit(`${path}?new=1`, paid({ gate: '"g1.0"', label: 'Late', opens: 'content.sold' }))
    expect([stale.statusCode, roleIn(stale, 'alert')]).toEqual([
      412,
      'Another person changed the tiers meanwhile. Nothing was saved; look at them, then save again.',
    ])
    expect(fieldsOfForm(stale, 'saveTier').label).toBe('Late')
    expect(stale.body).toMatch(/value="content\.sold" checked/)
  })

  it('previews a page as an anonymous visitor and as a buyer', async () => {
    const page = await owner.open(`${path}?see=content.free`)
    expect(sentencesOf(page)).toMatch(/A stranger<\/dt><dd>Reads none of it, and is asked for one of the tiers\./)
    expect(sentencesOf(page)).toMatch(/With Readers<\/dt><dd>Reads all of it: \$5\.00 for one month/)
    expect((await owner.open(`${path}?see=content.sold`)).body).toContain('Reads all of it.')
  })

  it('restores an earlier version after it asked', async () => {
    const [latest] = (await ada.getJson(`/eep/gates/${did}/versions`)).data
    const url = `${path}?version=${latest.version - 1}`
    const fields = fieldsOfForm(await owner.open(url), 'restore')
    const asked = await owner.submit(url, fields)
    expect([asked.statusCode, asked.body.includes('More people will read')]).toEqual([400, true])
    expect(leadsTo(await owner.submit(url, { ...fields, confirm: '1' }))).toEqual([303, path])
    expect((await test.app.inject('/u/access-ada/content/sold')).statusCode).toBe(402)
  })

  it('removes a tier after it asked', async () => {
    const [name = ''] = Object.keys((await gate()).tiers).filter((each) => each !== 'public')
    const fields = fieldsOfForm(await owner.open(`${path}?tier=${name}`), 'removeTier')
    expect((await owner.submit(path, { ...fields, ...formOf('removeTier') })).statusCode).toBe(400)
    expect(leadsTo(await owner.submit(path, { ...fields, confirm: '1' }))).toEqual([303, path])
    expect((await owner.open(path)).body).toContain('Everyone may read everything.')
  })

  it('asks before a tier asks for less, and keeps what it does not show', async () => {
    const before = await gate()
    const requirements = [
      { type: 'trust', min_score: 10 },
      { type: 'payment', amount: 5, currency: 'usd', per: 'month' },
    ]
    const members = { label: 'Members', requirements, access: ['content.sold'] }
    await ada.put(`/eep/gates/${did}`, { ...before, tiers: { ...before.tiers, members } })
    const url = `${path}?tier=members`
    const form = fieldsOfForm(await owner.open(url), 'saveTier')
    const open = { ...form, kind: 'followers', opens: 'content.sold' }
    expect((await owner.submit(url, open)).statusCode).toBe(400)
    const dearer = await owner.submit(url, { ...form, amount: '6', opens: 'content.sold' })
    expect(leadsTo(dearer)).toEqual([303, path])
    const [trust, payment] = requirements
    expect((await gate()).tiers.members?.requirements).toEqual([trust, { ...payment, amount: 6 }])
    const again = { ...open, ...formOf('saveTier'), gate: await tagOf(), confirm: '1' }
    expect(leadsTo(await owner.submit(url, again))).toEqual([303, path])
    const now = await gate()
    expect(now.tiers.members?.requirements).toEqual([{ type: 'connection', relation: 'follower' }])
    const { members: _, ...tiers } = now.tiers
    await ada.put(`/eep/gates/${did}`, { ...now, tiers })
  })

  it('shows an editor the tiers without forms, and refuses what they send by hand; a viewer sees nothing', async () => {
    const profile = {
      owner: ada,
      id: ada.profileId,
      username: 'access-ada',
      path: '/profiles/u/access-ada',
      team: `/profiles/${ada.profileId}/team`,
    }
    const editor = await browserOfMember(test.app, profile, 'editor')
    for (const url of [path, `${path}?new=1`, `${path}?version=1`]) {
      const page = await editor.open(url)
      expect([page.statusCode, [...actionsOn(page)]]).toEqual([200, []])
      expect(page.body).toContain('Ask an admin to set a price.')
    }
    for (const action of ['saveTier', 'removeTier', 'restore']) {
      expect((await editor.submit(path, formOf(action, { gate: 'x', tier: 'x', version: '1' }))).statusCode).toBe(403)
    }
    const admin = await browserOfMember(test.app, profile, 'admin')
    expect([...actionsOn(await admin.open(`${path}?new=1`))]).toEqual(['saveTier'])
    const viewer = await browserOfMember(test.app, profile, 'viewer')
    expect((await viewer.open(path)).statusCode).toBe(403)
  })
})
