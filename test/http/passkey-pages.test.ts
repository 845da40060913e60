import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp, type TestAppOptions } from '../support/app.ts'
import { type Authenticator, createAuthenticator } from '../support/authenticator.ts'
import { client } from '../support/client.ts'
import { leadsTo, openBrowser } from '../support/pages.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

/** A browser that is signed in to an account. */
async function browserOf({ account }: Person, headers?: Record<string, string>) {
  const tab = openBrowser(test.app, headers)
  expect(leadsTo(await tab.submit('/login', { email: account.email, password: PASSWORD }))).toEqual([303, '/dashboard'])
  return tab
}

/** Adds a passkey to an account. */
async function add(person: Person, name: string, device: Authenticator = createAuthenticator()) {
  const options = (await person.post('/auth/passkeys/registration/options', { password: PASSWORD })).json()
  const response = await person.post('/auth/passkeys', { response: device.create(options), name })
  expect(response.statusCode).toBe(201)
  return response.json<{ id: string }>().id
}

const namesOf = async (person: Person) =>
  (await person.get('/auth/passkeys')).json<{ data: { name: string }[] }>().data.map(({ name }) => name)

describe('the page with passkeys', () => {
  it('leads a signed-out visitor to the sign-in and back', async () => {
    const answer = await openBrowser(test.app).open('/account/security')
    expect(leadsTo(answer)).toEqual([303, '/login?next=%2Faccount%2Fsecurity'])
  })

  it('lists the passkeys of the account, and the page of the account links to it', async () => {
    const ada = await signUp(test.app)
    await add(ada, 'Laptop <b>')
    const tab = await browserOf(ada)
    expect((await tab.open('/dashboard')).body).toContain('<a href="/account/security">Security</a>')
    const page = await tab.open('/account/security')
    expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expect(page.headers['content-security-policy']).toContain(
      "script-src https://profiles.example/assets/pages.js; connect-src 'self'",
    )
    expect(page.body).toContain('Laptop &lt;b&gt;')
    expect(page.body).toContain('Not used yet')
  })

  it.each([
    ['de', 'Sie haben keine Passkeys.'],
    ['ja', 'パスキーはありません。'],
    ['ar', 'ليس لديك مفاتيح مرور.'],
  ])('is written in %s', async (language, text) => {
    const tab = await browserOf(await signUp(test.app), { 'accept-language': language })
    expect((await tab.open('/account/security')).body).toContain(text)
  })

  it('renames a passkey by a form', async () => {
    const ada = await signUp(test.app)
    const id = await add(ada, 'Laptop')
    const tab = await browserOf(ada)
    const answer = await tab.submit('/account/security/rename', { id, name: ' Telephone ' })
    expect(leadsTo(answer)).toEqual([303, '/account/security?done=renamed'])
    expect(await namesOf(ada)).toEqual(['Telephone'])
    expect((await tab.open('/account/security?done=renamed')).body).toContain('The passkey was renamed.')
  })

  it('deletes a passkey by a form with the password, and ends the other sessions', async () => {
    const ada = await signUp(test.app)
    const id = await add(ada, 'Laptop')
    const tab = await browserOf(ada)
    const answer = await tab.submit('/account/security/delete', { id, password: PASSWORD })
    expect(leadsTo(answer)).toEqual([303, '/account/security?done=deleted'])
    expect((await tab.open('/account/security?done=deleted')).body).toContain('The passkey was deleted')
    expect((await ada.get('/auth/me')).statusCode).toBe(401)
  })

  it('deletes all passkeys by a form with the password', async () => {
    const ada = await signUp(test.app)
    await add(ada, 'Laptop')
    const tab = await browserOf(ada)
    expect((await tab.open('/account/security')).body).not.toContain('delete-all')
    await add(ada, 'Telephone')
    expect((await tab.open('/account/security')).body).toContain('action="/account/security/delete-all"')
    const wrong = await tab.submit('/account/security/delete-all', { password: 'Wrong 1 password' })
    expect([wrong.statusCode, wrong.body.includes('The password is wrong.')]).toEqual([401, true])
    const answer = await tab.submit('/account/security/delete-all', { password: PASSWORD })
    expect(leadsTo(answer)).toEqual([303, '/account/security?done=all_deleted'])
    expect((await tab.open('/account/security?done=all_deleted')).body).toContain('All passkeys were deleted')
    expect((await tab.open('/account/security')).body).toContain('You have no passkeys.')
  })

  it.each([
    ['a wrong password', { password: 'Wrong 1 password' }, 401, 'The password is wrong.'],
    ['no password', { password: '' }, 400, 'The password is wrong.'],
    ['an unknown passkey', { id: 'unknown', password: PASSWORD }, 404, 'This passkey was deleted already.'],
  ])('deletes nothing with %s', async (_what, fields, status, text) => {
    const ada = await signUp(test.app)
    const id = await add(ada, 'Laptop')
    const page = await (await browserOf(ada)).submit('/account/security/delete', { id, ...fields })
    expect(page.statusCode).toBe(status)
    expect(page.body).toContain(text)
    expect(await namesOf(ada)).toEqual(['Laptop'])
  })

  it('names the rule that a new name breaks', async () => {
    const ada = await signUp(test.app)
    const id = await add(ada, 'Laptop')
    const page = await (await browserOf(ada)).submit('/account/security/rename', { id, name: 'x'.repeat(65) })
    expect(page.statusCode).toBe(400)
    expect(page.body).toContain('The name needs 1 to 64 characters.')
  })

  it('neither shows nor changes passkeys of other accounts', async () => {
    const ada = await signUp(test.app)
    const id = await add(ada, 'Laptop')
    const tab = await browserOf(await signUp(test.app))
    expect((await tab.open('/account/security')).body).not.toContain('<bdi>Laptop')
    expect((await tab.submit('/account/security/rename', { id, name: 'Mine' })).statusCode).toBe(404)
    expect((await tab.submit('/account/security/delete', { id, password: PASSWORD })).statusCode).toBe(404)
    expect(await namesOf(ada)).toEqual(['Laptop'])
  })

  it.each(['/account/security/rename', '/account/security/delete', '/account/security/delete-all'])(
    'refuses a form of another site at %s',
    async (url) => {
      const ada = await signUp(test.app)
      const id = await add(ada, 'Laptop')
      const tab = await browserOf(ada)
      const answer = await tab.submit(url, { id, name: 'x', password: PASSWORD }, { origin: 'https://evil.example' })
      expect(answer.statusCode).toBe(403)
      expect(await namesOf(ada)).toEqual(['Laptop'])
    },
  )
})

describe('the sign-in page with passkeys', () => {
  it('has a hidden button that leads to the path to go to afterwards', async () => {
    const { body } = await openBrowser(test.app).open('/login?next=/pricing')
    expect(body).toContain('<form data-passkey="login" data-done="/pricing" hidden>')
    const outside = await openBrowser(test.app).open('/login?next=https://evil.example')
    expect(outside.body).toContain('data-done="/dashboard"')
  })

  it.each([
    ['while passkeys are off', { passkeys: false }],
    ['while passkeys belong to another site', { frontendUrl: 'https://app.other.example' }],
    ['at an IP address', { publicUrl: 'http://127.0.0.1:3000' }],
  ] satisfies [string, TestAppOptions][])(
    '%s, offers none, needs no script, and has no page of passkeys',
    async (_what, options) => {
      const other = await createTestApp(options)
      const { body, headers } = await openBrowser(other.app).open('/login')
      expect(body).not.toContain('data-passkey')
      expect(headers['content-security-policy']).not.toContain('script-src')
      expect((await client(other.app).get('/account/security')).statusCode).toBe(404)
      await other.close()
    },
  )
})
