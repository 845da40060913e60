import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { answerOf, authorizePath, connect, LOOM, redeem, registerApp, sendConsent } from '../../support/consent.ts'
import { browserOf, formOf, roleIn } from '../../support/console.ts'
import { formsOf } from '../../support/html-forms.ts'
import { hiddenFieldsOf, leadsTo, sentencesOf } from '../../support/pages.ts'

const SCREEN = '/account/connected-apps'

let now = new Date()
let test: Awaited<ReturnType<typeof createTestApp>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp({ clock: () => now, oauthServer: { clients: [LOOM] } })
})
afterAll(() => test.close())
beforeEach(async () => {
  person = await signUp(test.app)
  browser = await browserOf(test.app, person)
})

const list = async () => (await person.get('/account/apps')).json()
const isAlive = async (token: string) =>
  (await test.app.inject({ url: '/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode !== 401

/** Sends a form of a screen with several boxes of one name. */
const submitAll = (url: string, fields: readonly (readonly [string, string])[]) =>
  test.app.inject({
    method: 'POST',
    url,
    cookies: browser.jar,
    headers: {
      accept: 'text/html',
      origin: 'https://profiles.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
  })

describe('the list of connected apps', () => {
  it('has each live connection with its scopes, limits and what was spent', async () => {
    expect(await list()).toEqual({ data: [], pagination: { total: 0, has_more: false } })
    await connect(test.app, browser)
    const { data } = await list()
    expect(data).toEqual([
      {
        id: expect.any(String),
        name: 'Loom',
        client_id: 'loom',
        client_host: null,
        verified: true,
        scopes: ['read:profiles', 'read:content'],
        profile_id: null,
        created_at: now.toISOString(),
        last_used_at: now.toISOString(),
        expires_at: new Date(now.getTime() + 60 * 86_400_000).toISOString(),
        spending: { allowed: true, limits: { purchase: 5, day: 10, month: 50, credits_day: 1_000 }, spent: [] },
      },
    ])
  })

  it('is paged, and has no app of another account', async () => {
    const other = await browserOf(test.app, await signUp(test.app))
    await connect(test.app, other)
    for (let count = 0; count < 3; count += 1) await connect(test.app, browser)
    const first = (await person.get('/account/apps?limit=2')).json()
    expect([first.data.length, first.pagination.total, first.pagination.has_more]).toEqual([2, 3, true])
    const rest = (await person.get(`/account/apps?limit=2&cursor=${first.pagination.next_cursor}`)).json()
    expect(rest.data).toHaveLength(1)
  })

  it('is a screen for browsers', async () => {
    expect(leadsTo(await browser.open('/account/apps'))).toEqual([303, SCREEN])
    expect(sentencesOf(await browser.open(SCREEN))).toContain('No app is connected.')
    await connect(test.app, browser)
    const page = sentencesOf(await browser.open(SCREEN))
    expect(page).toContain('Loom')
    expect(page).toContain('Added by the operator')
    expect(page).toContain('Read: Profiles and teams')
    expect(page).toContain('2 permissions')
  })

  it('is closed to apps and keys', async () => {
    const { access_token } = await connect(test.app, browser)
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await test.app.inject({
        method,
        url: '/account/apps',
        headers: { authorization: `Bearer ${access_token}` },
      })
      expect(response.statusCode).toBe(403)
    }
    expect(await isAlive(access_token)).toBe(true)
  })
})

describe('changing a connected app', () => {
  it('narrows it without a proof, from its next request on', async () => {
    await connect(test.app, browser)
    const [{ id }] = (await list()).data
    now = new Date(now.getTime() + 600_001)
    const narrowed = await person.put(`/account/apps/${id}`, { scopes: ['read:content'], spending: { purchase: 1 } })
    expect(narrowed.statusCode).toBe(200)
    expect(narrowed.json()).toMatchObject({
      scopes: ['read:content'],
      spending: { limits: { purchase: 1, day: 10, month: 50, credits_day: 1_000 } },
    })
  })

  it.each([
    ['a scope', { scopes: ['read:content', 'write:content'] }],
    ['a limit', { spending: { purchase: 3 } }],
    ['all profiles', { profile_id: null }],
  ])('asks for a proof to allow more: %s', async (_name, change) => {
    const { active_profile_id: profile } = (await person.get('/auth/me')).json()
    await connect(test.app, browser, {}, { profile: String(profile) })
    const [{ id, profile_id }] = (await list()).data
    expect(profile_id).toBe(profile)
    await person.put(`/account/apps/${id}`, { spending: { purchase: 2 } })
    now = new Date(now.getTime() + 600_001)
    const refused = await person.put(`/account/apps/${id}`, change)
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'recent_sign_in_required'])
    await person.post('/auth/prove', { password: PASSWORD })
    expect((await person.put(`/account/apps/${id}`, change)).statusCode).toBe(200)
  })

  it('refuses scopes that spend for an app whose name any program can claim', async () => {
    const client_id = await registerApp(test.app, 'Local', ['http://localhost/cb'])
    await connect(test.app, browser, { client_id, redirect_uri: 'http://localhost:5000/cb' })
    const [{ id, spending }] = (await list()).data
    expect(spending.allowed).toBe(false)
    const refused = await person.put(`/account/apps/${id}`, { scopes: ['read:content', 'spend:payments'] })
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'app_cannot_spend'])
  })

  it('refuses other scopes, limits above those of the operator, foreign profiles and foreign apps', async () => {
    await connect(test.app, browser)
    const [{ id }] = (await list()).data
    const other = await signUp(test.app)
    const { active_profile_id: foreign } = (await other.get('/auth/me')).json()
    for (const body of [
      { scopes: ['manage:keys'] },
      { scopes: [] },
      { spending: { purchase: 5.01 } },
      { spending: { purchase: -1 } },
      { name: 'x' },
    ]) {
      expect((await person.put(`/account/apps/${id}`, body)).statusCode).toBe(400)
    }
    expect((await person.put(`/account/apps/${id}`, { profile_id: foreign })).statusCode).toBe(403)
    expect((await other.put(`/account/apps/${id}`, { scopes: ['read:feed'] })).statusCode).toBe(404)
    expect((await other.delete(`/account/apps/${id}`)).statusCode).toBe(404)
  })

  it('works on its screen, which asks for a proof only to allow more and keeps what was entered', async () => {
    await connect(test.app, browser)
    const [{ id }] = (await list()).data
    const path = `${SCREEN}/${id}`
    now = new Date(now.getTime() + 600_001)
    const narrowed = await browser.submit(path, formOf('save', { scope: 'read:content', profile: 'all' }))
    expect(leadsTo(narrowed)).toEqual([303, path])
    expect(roleIn(await browser.open(path), 'status')).toBe(
      'The app was changed. This applies from its next request on.',
    )
    const wider = formOf('save', { profile: 'all' })
    const asked = await submitAll(path, [
      ...Object.entries(wider),
      ['scope', 'read:content'],
      ['scope', 'write:content'],
    ])
    expect([asked.statusCode, (await list()).data[0].scopes]).toEqual([403, ['read:content']])
    const proved = await submitAll(path, [
      ...Object.entries(hiddenFieldsOf(asked)).filter(([name]) => name !== 'scope'),
      ['scope', 'read:content'],
      ['scope', 'write:content'],
      ['proof_password', PASSWORD],
    ])
    expect(leadsTo(proved)).toEqual([303, path])
    expect((await list()).data[0].scopes.toSorted()).toEqual(['read:content', 'write:content'])
    const without = await browser.submit(path, formOf('save', { profile: 'all', limit_purchase: '7' }))
    expect(without.statusCode).toBe(400)
    expect(without.body).toContain('Choose at least one permission, or disconnect the app.')
    expect(without.body).toContain('name="limit_purchase" type="text" value="7"')
  })
})

describe('disconnecting', () => {
  it('ends one app with its next request, and then all of them', async () => {
    const first = await connect(test.app, browser)
    now = new Date(now.getTime() + 1_000)
    const second = await connect(test.app, browser)
    const [{ id }] = (await list()).data
    expect((await person.delete(`/account/apps/${id}`)).statusCode).toBe(200)
    expect((await person.delete(`/account/apps/${id}`)).statusCode).toBe(404)
    expect([await isAlive(second.access_token), await isAlive(first.access_token)]).toEqual([false, true])
    expect((await person.delete('/account/apps')).json()).toEqual({ success: true, ended: 1 })
    expect(await isAlive(first.access_token)).toBe(false)
  })

  it('works on the screens', async () => {
    const { access_token } = await connect(test.app, browser)
    const [{ id }] = (await list()).data
    expect(leadsTo(await browser.submit(`${SCREEN}/${id}`, formOf('end')))).toEqual([303, SCREEN])
    expect(roleIn(await browser.open(SCREEN), 'status')).toBe('The app was disconnected.')
    expect(await isAlive(access_token)).toBe(false)
    expect((await browser.open(`${SCREEN}/${id}`)).statusCode).toBe(404)
    await connect(test.app, browser)
    expect(leadsTo(await browser.submit(SCREEN, formOf('endAll')))).toEqual([303, SCREEN])
    expect((await list()).data).toEqual([])
  })

  it('forgets a code that was not redeemed', async () => {
    const page = await browser.open(authorizePath())
    const { code = '' } = answerOf(await sendConsent(browser, test.app, page))
    await person.delete('/account/apps')
    expect((await redeem(test.app, code)).json()).toMatchObject({ error: 'invalid_grant' })
  })
})

describe('the box about apps where sessions end', () => {
  it('is ticked for a session in which an app was connected, and disconnects it', async () => {
    const other = await browserOf(test.app, person)
    const { access_token } = await connect(test.app, other)
    const here = await connect(test.app, browser)
    const page = await browser.open('/account/sessions')
    const boxes = page.body.match(/name="apps" value="yes" checked/g)
    expect(boxes).toHaveLength(2)
    const form = formsOf(page.body).find(
      ({ inputs, actions }) => actions.includes('end') && inputs.some(({ name }) => name === 'apps'),
    )
    const session = form?.inputs.find(({ name }) => name === 'session')?.value ?? ''
    expect(leadsTo(await browser.submit('/account/sessions', formOf('end', { session, apps: 'yes' })))).toEqual([
      303,
      '/account/sessions',
    ])
    expect([await isAlive(access_token), await isAlive(here.access_token)]).toEqual([false, true])
  })

  it('leaves apps connected when it is not ticked', async () => {
    const other = await browserOf(test.app, person)
    const { access_token } = await connect(test.app, other)
    await browser.submit('/account/sessions', formOf('endOthers'))
    expect(await isAlive(access_token)).toBe(true)
  })

  it('disconnects the apps of all other sessions, and of all sessions with a new password', async () => {
    const other = await browserOf(test.app, person)
    const elsewhere = await connect(test.app, other)
    const here = await connect(test.app, browser)
    await browser.submit('/account/sessions', formOf('endOthers', { apps: 'yes' }))
    expect([await isAlive(elsewhere.access_token), await isAlive(here.access_token)]).toEqual([false, true])
    expect((await browser.open('/account/sign-in')).body).toContain('name="apps" value="yes" checked')
    const change = { current_password: PASSWORD, new_password: 'Another-Password-42', apps: 'yes' }
    expect((await browser.submit('/account/sign-in', formOf('password', change))).statusCode).toBe(303)
    expect(await isAlive(here.access_token)).toBe(false)
  })
})
