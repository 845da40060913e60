import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdministrator, newName, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { field, formOf as multipart, PNG } from '../../support/files.ts'
import { leadsTo } from '../../support/pages.ts'
import { newOrganization, type OwnedProfile } from '../../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Person
let tab: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp()
  ada = await signUp(test.app)
  tab = await browserOf(test.app, ada)
})
afterAll(() => test.close())

describe('the screen that creates a profile', () => {
  const path = '/manage/profiles/new'

  it('has a card for each of the nine types', async () => {
    const page = await tab.open(path)
    expect(page.body.match(/name="profile_type"/g)).toHaveLength(9)
  })

  it('creates the profile and leads to the screen that edits it', async () => {
    const username = newName()
    const form = formOf('create', { profile_type: 'place', username, full_name: 'The Harbour' })
    const made = await tab.submit(path, form)
    const { id, full_name } = (await ada.get(`/profiles/l/${username}`)).json()
    expect([full_name, ...leadsTo(made)]).toEqual(['The Harbour', 303, `/manage/profiles/${id}/edit`])
    const page = await tab.open(`/manage/profiles/${id}/edit`)
    expect(roleIn(page, 'status')).toBe('The profile was created. Add what people should know.')
    expect(leadsTo(await tab.submit(path, form))).toEqual(leadsTo(made))
  })

  it('keeps what was entered when the name is taken, and reports it beside the name', async () => {
    const { username } = await newOrganization(test.app)
    const taken = await tab.submit(
      path,
      formOf('create', { profile_type: 'organization', username, full_name: 'Mine' }),
    )
    expect(taken.statusCode).toBe(409)
    expect(taken.body).toContain('id="username-problem">This username is taken. Choose another one.')
    expect(taken.body).toContain(`value="${username}"`)
    expect(taken.body).toContain('value="Mine"')
    expect(taken.body).toContain('value="organization" checked')
  })

  it('refuses a name that is none, and states the rule', async () => {
    const refused = await tab.submit(
      path,
      formOf('create', { profile_type: 'place', username: 'no name', full_name: '' }),
    )
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('Use 1 to 64 lowercase letters')
  })
})

describe('the screen that edits a profile', () => {
  let profile: OwnedProfile
  let path: string
  beforeAll(async () => {
    profile = await newOrganization(test.app, ada)
    path = `/manage/profiles/${profile.id}/edit`
    const custom_fields = { motto: 'Add', members: 12, tree: { a: [1, 2] } }
    await ada.put(profile.path, { full_name: 'Acme', custom_fields, type_data: { founded: 1823, size: '12' } })
  })
  const record = async () => (await ada.get(profile.path)).json()

  it('changes nothing when it is sent as it was shown', async () => {
    const before = await record()
    const sent = await tab.submit(path, fieldsOfForm(await tab.open(path), 'save'))
    expect(leadsTo(sent)).toEqual([303, path])
    expect(await record()).toEqual(before)
  })

  it('saves the fields, those of the type too, and keeps custom fields that have no input', async () => {
    const fields = fieldsOfForm(await tab.open(path), 'save')
    const sent = await tab.submit(path, {
      ...fields,
      full_name: 'Acme Works',
      skills: 'Gears, Cams',
      's.github': 'acme',
      't.legal_name': 'Acme Ltd',
      't.size': '40',
      'c.motto': 'Subtract',
      new_name_0: 'founder',
      new_value_0: 'Ada',
      has_accent: '1',
      accent: '#224466',
      capabilities: 'hireable',
    })
    expect(leadsTo(sent)).toEqual([303, path])
    expect(await record()).toMatchObject({
      full_name: 'Acme Works',
      skills: ['Gears', 'Cams'],
      socials: { github: 'acme' },
      accent: '#224466',
      capabilities: ['hireable'],
      type_data: { founded: 1823, size: 40, legal_name: 'Acme Ltd' },
      custom_fields: { motto: 'Subtract', members: 12, tree: { a: [1, 2] }, founder: 'Ada' },
    })
    expect(roleIn(await tab.open(path), 'status')).toBe('The profile was saved.')
  })

  it('keeps everything that was entered when a field of the type or a link is not valid', async () => {
    const fields = fieldsOfForm(await tab.open(path), 'save')
    const bad = await tab.submit(path, { ...fields, full_name: 'Kept', 't.founded': 'long ago' })
    expect([bad.statusCode, bad.body.includes('value="Kept"')]).toEqual([400, true])
    expect(bad.body).toContain('id="t.founded-problem">Check this value.')
    const link = await tab.submit(path, { ...fields, 's.website': 'http://plain.example' })
    expect([link.statusCode, link.body.includes('id="s.website-problem"')]).toEqual([400, true])
    expect((await record()).full_name).toBe('Acme Works')
  })

  it('uploads the picture and the cover, and removes them', async () => {
    for (const which of ['avatar', 'cover']) {
      const { payload, headers } = multipart([
        ...Object.entries(formOf('upload', { which })).map(([name, value]) => field(name, value)),
        { name: which, filename: 'a.png', type: 'image/png', content: PNG },
      ])
      const origin = 'https://profiles.example'
      const sent = await test.app.inject({
        method: 'POST',
        url: path,
        payload,
        cookies: tab.jar,
        headers: { ...headers, origin, accept: 'text/html' },
      })
      expect([leadsTo(sent), sent.body]).toEqual([[303, path], ''])
      expect((await record())[`${which}_url`]).toMatch(/^https:\/\/profiles\.example\/files\/\d+$/)
    }
    await tab.submit(path, formOf('removePicture', { which: 'cover' }))
    const { avatar_url, cover_url } = await record()
    expect([typeof avatar_url, cover_url]).toEqual(['string', null])
  })

  it('refuses a text as a picture, and reports it beside the input', async () => {
    const { payload, headers } = multipart([
      ...Object.entries(formOf('upload', { which: 'avatar' })).map(([name, value]) => field(name, value)),
      { name: 'avatar', filename: 'a.txt', type: 'text/plain', content: 'No picture' },
    ])
    const origin = 'https://profiles.example'
    const sent = await test.app.inject({
      method: 'POST',
      url: path,
      payload,
      cookies: tab.jar,
      headers: { ...headers, origin, accept: 'text/html' },
    })
    expect([sent.statusCode, sent.body.includes('id="avatar-problem"')]).toEqual([400, true])
  })

  it('lets the owner rename it, with a warning about old links', async () => {
    expect((await tab.open(path)).body).toContain('Old links lead to the new address for 30 days')
    const username = newName()
    expect(leadsTo(await tab.submit(path, formOf('rename', { username })))).toEqual([303, path])
    expect((await ada.get(`/profiles/o/${username}`)).json().id).toBe(profile.id)
    await tab.submit(path, formOf('rename', { username: profile.username }))
  })

  it('shows the stored values of the other forms when one is refused', async () => {
    const before = await record()
    const stored = fieldsOfForm(await tab.open(path), 'save')
    expect([stored.capabilities, stored.has_accent]).toEqual(['hireable', '1'])
    const { username } = await newOrganization(test.app)
    const refused = await tab.submit(path, formOf('rename', { username }))
    expect([refused.statusCode, fieldsOfForm(refused, 'rename').username]).toEqual([409, username])
    const shown = fieldsOfForm(refused, 'save')
    expect({ ...shown, form_id: '' }).toEqual({ ...stored, form_id: '' })
    expect(fieldsOfForm(refused, 'show').visibility).toBe(before.visibility)
    expect(leadsTo(await tab.submit(path, shown))).toEqual([303, path])
    expect(await record()).toMatchObject({ capabilities: before.capabilities, accent: before.accent })
  })

  describe('with a form with a file', () => {
    const OWN = 'https://profiles.example'
    const FOREIGN = 'https://other.example'
    const unhandled: unknown[] = []
    const keep = (reason: unknown) => void unhandled.push(reason)
    beforeAll(() => void process.on('unhandledRejection', keep))
    afterAll(() => void process.off('unhandledRejection', keep))

    const formWith = (content: Buffer) =>
      multipart([
        ...Object.entries(formOf('upload', { which: 'avatar' })).map(([name, value]) => field(name, value)),
        { name: 'avatar', filename: 'a.png', type: 'image/png', content },
      ])
    const send = (payload: Buffer, origin: string, cookies: Record<string, string>, type?: string) =>
      test.app.inject({
        method: 'POST',
        url: path,
        payload,
        cookies,
        headers: { ...formWith(PNG).headers, ...(type && { 'content-type': type }), origin, accept: 'text/html' },
      })

    it.each([
      ['of a signed-in person', OWN, true, 400],
      ['of a signed-out person', OWN, false, 401],
      ['that a page of another site sent', FOREIGN, true, 403],
    ])('refuses one %s that is cut off in its file, and goes on', async (_whose, origin, isSignedIn, status) => {
      const cut = formWith(Buffer.alloc(200_000, 1)).payload.subarray(0, 100_000)
      const refused = await send(cut, origin, isSignedIn ? tab.jar : {})
      expect(refused.statusCode).toBe(status)
      // Node.js reports unhandled rejections after the microtasks.
      await new Promise((resolve) => void setImmediate(resolve))
      expect(unhandled).toEqual([])
      expect((await tab.open(path)).statusCode).toBe(200)
    })

    it('refuses one that is too large or has no boundary', async () => {
      const large = await send(formWith(Buffer.alloc(13 * 1_048_576)).payload, OWN, tab.jar)
      const bare = await send(formWith(PNG).payload, OWN, tab.jar, 'multipart/form-data')
      await new Promise((resolve) => void setImmediate(resolve))
      expect([large.statusCode, bare.statusCode, unhandled]).toEqual([413, 400, []])
    })
  })

  it('states in words who sees the profile, and changes it', async () => {
    expect((await tab.open(path)).body).toContain('Everyone with the link')
    await tab.submit(path, formOf('show', { visibility: 'private' }))
    expect((await record()).visibility).toBe('private')
    await tab.submit(path, formOf('show', { visibility: 'public' }))
  })

  it.each([
    ['admin', ['save', 'show', 'upload', 'removePicture'], { rename: 403 }],
    ['editor', ['save', 'upload', 'removePicture'], { rename: 403, show: 403 }],
  ] as const)('has for an %s the buttons of its role only', async (role, shown, refused) => {
    const member = await browserOfMember(test.app, profile, role)
    expect([...actionsOn(await member.open(path))].sort()).toEqual([...shown].sort())
    for (const [action, status] of Object.entries(refused)) {
      const sent = await member.submit(path, formOf(action, { username: newName(), visibility: 'private' }))
      expect([action, sent.statusCode]).toEqual([action, status])
    }
    expect(await record()).toMatchObject({ username: profile.username, visibility: 'public' })
  })

  it('is closed to viewers and to administrators of the service who are not in the team', async () => {
    const viewer = await browserOfMember(test.app, profile, 'viewer')
    const chief = await signUp(test.app)
    await makeAdministrator(test, chief)
    const statuses = [await viewer.open(path), await (await browserOf(test.app, chief)).open(path)]
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([403, 403])
  })
})
