import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import {
  answerOf,
  authorizePath,
  BACK,
  CHALLENGE,
  LOOM,
  redeem,
  registerApp,
  sendConsent,
} from '../../support/consent.ts'
import { browserOf, roleIn } from '../../support/console.ts'
import { hiddenFieldsOf, openBrowser, sentencesOf } from '../../support/pages.ts'

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

const open = (changes: Parameters<typeof authorizePath>[0] = {}) => browser.open(authorizePath(changes))
const send = (page: Awaited<ReturnType<typeof open>>, fields: Parameters<typeof sendConsent>[3] = {}) =>
  sendConsent(browser, test.app, page, fields)

describe('the page that connects an app', () => {
  it('names the app, the account, the scopes and where the answer goes', async () => {
    const page = await open({ scope: 'read:content write:content spend:payments unknown:thing' })
    expect(page.statusCode).toBe(200)
    const text = sentencesOf(page)
    expect(text).toContain('<h1>Connect Loom?</h1>')
    expect(text).toContain(person.account.username)
    expect(text).toContain('The answer goes to loom.example.')
    expect(page.body.match(/name="scope" value="([^"]+)"( checked)?/g)).toEqual([
      'name="scope" value="read:content" checked',
      'name="scope" value="write:content" checked',
      'name="scope" value="spend:payments"',
    ])
  })

  it('is framed by no page, sends no address, and leads to the app alone', async () => {
    const { headers } = await open()
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("form-action 'self' https://loom.example;")
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('answers with a code that the app redeems once, with state and issuer', async () => {
    const allowed = await send(await open())
    expect(allowed.statusCode).toBe(303)
    expect(allowed.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' })
    const { code = '', ...rest } = answerOf(allowed)
    expect(rest).toEqual({ state: 'the state', iss: 'https://profiles.example' })
    const tokens = await redeem(test.app, code)
    expect(tokens.statusCode).toBe(200)
    expect(tokens.json()).toMatchObject({ token_type: 'Bearer', scope: 'read:profiles read:content' })
    expect((await redeem(test.app, code)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('redirects a form that is sent twice to the same code', async () => {
    const page = await open()
    const [first, second] = [await send(page), await send(page)]
    expect(first.headers.location).toBe(second.headers.location)
  })

  it('lets the first of two different decisions win', async () => {
    const page = await open()
    expect(answerOf(await send(page, { decision: 'deny' }))).toMatchObject({ error: 'access_denied' })
    expect(answerOf(await send(page))).toMatchObject({ error: 'access_denied' })
    const other = await open()
    const { code } = answerOf(await send(other))
    expect(answerOf(await send(other, { decision: 'deny' }))).toMatchObject({ code })
  })

  it('grants no more than was asked for and ticked', async () => {
    const page = await open({ scope: 'read:content write:content' })
    const { code = '' } = answerOf(await send(page, { scopes: ['read:content', 'write:gates', 'manage:keys'] }))
    expect((await redeem(test.app, code)).json()).toMatchObject({ scope: 'read:content' })
    const none = await send(await open(), { scopes: [] })
    expect(answerOf(none)).toMatchObject({ error: 'access_denied', state: 'the state' })
  })

  it('refuses a profile in which the account has no role, and keeps the choice', async () => {
    const other = await signUp(test.app)
    const { active_profile_id: foreign } = (await other.get('/auth/me')).json()
    const refused = await send(await open(), { profile: String(foreign), scopes: ['read:content'] })
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([
      403,
      'You have no role in this profile. Choose another one.',
    ])
    expect(refused.body).toContain('value="read:content" checked')
    expect(refused.body).not.toContain('value="read:profiles" checked')
  })

  it('refuses limits above those of the operator, and keeps what was entered', async () => {
    const page = await open({ scope: 'read:content spend:payments' })
    const scopes = ['read:content', 'spend:payments']
    const refused = await send(page, { scopes, limit_purchase: '6', limit_day: '3' })
    expect(refused.statusCode).toBe(400)
    expect(sentencesOf(refused)).toContain('Enter an amount up to $5.00.')
    expect(refused.body).toContain('name="limit_day" type="text" value="3"')
    expect((await send(refused, { scopes, limit_purchase: '2,50', limit_day: '3' })).statusCode).toBe(303)
  })

  it('asks an older session for a proof on the page itself, to allow and not to deny', async () => {
    const fresh = await open()
    expect(fresh.body).not.toContain('proof_password')
    now = new Date(now.getTime() + 600_001)
    const page = await open()
    expect(page.body).toContain('name="proof_password"')
    const refused = await send(page, { scopes: ['read:content'] })
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([
      403,
      'Enter your password or a code to allow this. Your choices are kept.',
    ])
    expect(refused.body).not.toContain('value="read:profiles" checked')
    const wrong = await send(page, { proof_password: 'not the password' })
    expect([wrong.statusCode, wrong.headers.location]).toEqual([401, undefined])
    expect(wrong.body).not.toContain('not the password')
    expect(answerOf(await send(page, { decision: 'deny' }))).toMatchObject({ error: 'access_denied' })
    expect(answerOf(await send(await open(), { proof_password: PASSWORD }))).toHaveProperty('code')
  })

  it('asks for a younger proof when the app does', async () => {
    now = new Date(now.getTime() + 30_000)
    expect((await open({ max_age: '60' })).body).not.toContain('proof_password')
    const page = await open({ max_age: '10' })
    expect(page.body).toContain('name="proof_password"')
    expect((await send(page)).statusCode).toBe(403)
    expect((await send(page, { proof_password: PASSWORD })).statusCode).toBe(303)
    now = new Date(now.getTime() + 61_000)
    expect((await open({ prompt: 'login' })).body).toContain('name="proof_password"')
  })

  it('is refused after ten minutes, from another session, and without its hidden field', async () => {
    const page = await open()
    const { request = '' } = hiddenFieldsOf(page)
    const again = await browserOf(test.app, person)
    expect((await sendConsent(again, test.app, page)).statusCode).toBe(400)
    const other = await browserOf(test.app, await signUp(test.app))
    const stolen = await sendConsent(other, test.app, page)
    expect([stolen.statusCode, stolen.headers.location]).toEqual([400, undefined])
    for (const changed of ['', `${request.slice(0, -4)}AAAA`, 'x.y.z']) {
      expect((await send(page, { request: changed })).statusCode).toBe(400)
    }
    now = new Date(now.getTime() + 600_001)
    const late = await send(page, { proof_password: PASSWORD })
    expect([late.statusCode, late.headers.location]).toEqual([400, undefined])
    expect(late.body).toContain('Start again in the app')
  })

  it('takes no form of another site, and none of a program', async () => {
    const page = await open()
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      expect((await send(page, { headers })).statusCode).toBe(403)
    }
    const key = (await person.post('/api-keys', { name: 'k', scopes: ['read:content'], expires_at: null })).json().key
    const response = await test.app.inject({
      method: 'GET',
      url: authorizePath(),
      headers: { accept: 'text/html', 'x-api-key': key },
    })
    expect(response.headers.location).toMatch(/^\/login\?/)
  })
})

describe('an authorization request', () => {
  it.each([
    ['an unknown app', { client_id: 'nobody' }],
    ['an app without an id', { client_id: undefined }],
    ['no address', { redirect_uri: undefined }],
    ['a registration of another service', { client_id: `eepd_${'a'.repeat(60)}` }],
  ])('of %s is a page, and nothing is sent anywhere', async (_name, changes) => {
    for (const tab of [browser, openBrowser(test.app)]) {
      const response = await tab.open(authorizePath(changes))
      expect([response.statusCode, response.headers.location]).toEqual([400, undefined])
      expect(response.body).not.toContain('href="https://loom.example')
    }
  })

  it.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without a method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: CHALLENGE.slice(1) }, 'invalid_request'],
    ['only unknown scopes', { scope: 'openid manage:keys' }, 'invalid_scope'],
    ['another resource', { resource: 'https://evil.example' }, 'invalid_target'],
    ['prompt=none', { prompt: 'none' }, 'interaction_required'],
    ['a request object', { request: 'e30' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'urn:x' }, 'request_uri_not_supported'],
    ['response_mode=fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['a max_age that is not a number', { max_age: 'soon' }, 'invalid_request'],
  ])('with %s is answered at the address of the app', async (_name, changes, error) => {
    const response = await open(changes)
    expect(response.statusCode).toBe(303)
    expect(String(response.headers.location)).toMatch(/^https:\/\/loom\.example\/back\?/)
    expect(answerOf(response)).toMatchObject({ error, state: 'the state', iss: 'https://profiles.example' })
  })

  it('of an app that registered itself sends no person to its address before they signed in', async () => {
    const registered = await registerApp(test.app, 'Anybody', ['https://anybody.example/back'])
    const changes = { client_id: registered, redirect_uri: 'https://anybody.example/back' }
    const tab = openBrowser(test.app)
    for (const wrong of [{ prompt: 'none' }, { prompt: 'none', response_type: 'token' }]) {
      const page = await tab.open(authorizePath({ ...changes, ...wrong }))
      expect([page.statusCode, page.headers.location]).toEqual([400, undefined])
      expect(page.body).not.toContain('href="https://anybody.example')
    }
    const bad = await tab.open(authorizePath({ ...changes, response_type: 'token' }))
    expect([bad.statusCode, String(bad.headers.location)]).toEqual([302, expect.stringMatching(/^\/login/)])
    expect(answerOf(await tab.open(authorizePath({ prompt: 'none' })))).toMatchObject({ error: 'login_required' })
  })

  it('asks for the basic scopes when it names none', async () => {
    const page = await open({ scope: undefined })
    expect(
      [...page.body.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, scope]) => scope).toSorted(),
    ).toEqual(['read:content', 'read:feed', 'read:files', 'read:profiles'])
  })

  it('with a repeated parameter, or above 8 KiB, is a page', async () => {
    for (const path of [
      `${authorizePath()}&state=other`,
      `${authorizePath()}&redirect_uri=${encodeURIComponent(BACK)}`,
      authorizePath({ state: 'x'.repeat(8_192) }),
    ]) {
      const response = await browser.open(path)
      expect([response.statusCode, response.headers.location]).toEqual([400, undefined])
    }
  })

  it('is kept in a sealed cookie while the person signs in', async () => {
    const tab = openBrowser(test.app)
    const first = await tab.open(authorizePath())
    expect(first.statusCode).toBe(302)
    const next = new URL(String(first.headers.location), 'https://profiles.example').searchParams.get('next') ?? ''
    expect(first.headers.location).toMatch(/^\/login\?next=%2Foauth%2Fauthorize%3Fr%3D/)
    expect(next.length).toBeLessThan(100)
    const [cookie] = first.cookies
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/oauth', maxAge: 900, secure: true })
    expect(cookie?.value).not.toContain('loom')
    const signedIn = await tab.submit('/login', { email: person.account.email, password: PASSWORD, next })
    expect(signedIn.headers.location).toBe(next)
    const page = await tab.open(next)
    expect(sentencesOf(page)).toContain('<h1>Connect Loom?</h1>')
    expect(answerOf(await sendConsent(tab, test.app, page))).toHaveProperty('code')
    expect((await openBrowser(test.app).open(next)).statusCode).toBe(400)
  })

  it('keeps at most two requests of a browser, and none that is too long', async () => {
    const tab = openBrowser(test.app)
    for (const state of ['one', 'two', 'three']) {
      now = new Date(now.getTime() + 1_000)
      await tab.open(authorizePath({ state }))
    }
    expect(
      Object.entries(tab.jar).filter(([name, value]) => name.startsWith('eep_authorize_') && value !== ''),
    ).toHaveLength(2)
    const long = await openBrowser(test.app).open(authorizePath({ state: 'x'.repeat(2_600) }))
    expect([long.statusCode, long.headers['set-cookie'], long.headers.location]).toEqual([400, undefined, undefined])
    expect(long.body).toContain('Sign in, then start again in the app.')
  })
})

describe('the words about an app', () => {
  it('call a registered app unverified, whatever its name', async () => {
    const name = 'Claude\u202e\u200b <b>by</b> Anthropic'
    const client_id = await registerApp(test.app, name, ['https://evil.example/cb', 'http://localhost/cb'])
    const page = await open({ client_id, redirect_uri: 'https://evil.example/cb' })
    expect(page.body).toContain('Unverified app')
    expect(page.body).not.toContain('<b>by</b>')
    expect(page.body).not.toMatch(/[\u202e\u200b]/)
    expect(sentencesOf(page)).toContain('The answer goes to evil.example.')
    const local = await open({
      client_id,
      redirect_uri: 'http://localhost:51234/cb',
      scope: 'read:content spend:payments',
    })
    expect(local.body).toContain('Any program there can receive it.')
    expect(local.body).toContain('This app cannot spend')
    expect(local.body).not.toContain('value="spend:payments"')
    expect(local.headers['content-security-policy']).toContain("form-action 'self' http://localhost:51234;")
    const { code = '' } = answerOf(await send(local, { scopes: ['read:content', 'spend:payments'] }))
    const tokens = await redeem(test.app, code, { client_id, redirect_uri: 'http://localhost:51234/cb' })
    expect(tokens.json()).toMatchObject({ scope: 'read:content' })
  })
})
