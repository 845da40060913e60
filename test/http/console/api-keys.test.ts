import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { me, PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { browserOf, formOf, roleIn } from '../../support/console.ts'
import { hiddenFieldsOf, inputOf, leadsTo } from '../../support/pages.ts'

const PATH = '/account/keys'

let now = new Date()
let test: Awaited<ReturnType<typeof createTestApp>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp({ clock: () => now })
})
afterAll(() => test.close())
beforeEach(async () => {
  person = await signUp(test.app)
  browser = await browserOf(test.app, person)
})

const form = (fields: Record<string, string> = {}) =>
  formOf('create', { name: 'Reader', scope: 'read:profiles', lifetime: '90', profile: '', ...fields })
const keyIn = (page: { readonly body: string }): string =>
  /id="secret"[^>]* value="(eep_[^"]+)"/.exec(page.body)?.[1] ?? ''
const keys = async () => (await person.get('/api-keys')).json().data

describe('the screen with API keys', () => {
  it('creates a key with what was chosen, and shows it once', async () => {
    const sent = form()
    const made = await browser.submit(PATH, sent)
    expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'private, no-store'])
    const key = keyIn(made)
    expect((await me(test.app, { 'x-api-key': key })).statusCode).toBe(200)
    expect(await keys()).toMatchObject([{ name: 'Reader', scopes: ['read:profiles'], profile_id: null }])
    expect(Date.parse((await keys())[0].expires_at)).toBe(now.getTime() + 90 * 86_400_000)

    const again = await browser.submit(PATH, sent)
    expect(again.statusCode).toBe(409)
    expect(again.body).not.toContain(key)
    expect(await keys()).toHaveLength(1)
    const page = await browser.open(PATH)
    expect(page.body).not.toContain(key)
    expect(page.body).toContain('Read: <bdi>Profiles and teams</bdi>')
    expect(page.body).toContain('Last used')
  })

  it('asks an older session for a proof, and then makes the key as it was entered', async () => {
    now = new Date(now.getTime() + 600_001)
    const asked = await browser.submit(PATH, form({ name: 'Later' }))
    expect([asked.statusCode, keyIn(asked)]).toEqual([403, ''])
    const made = await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: PASSWORD })
    expect([made.statusCode, keyIn(made).slice(0, 4)]).toEqual([200, 'eep_'])
    expect(await keys()).toMatchObject([{ name: 'Later' }])
  })

  it('rotates a key, and revokes it', async () => {
    const first = keyIn(await browser.submit(PATH, form()))
    const [{ id }] = await keys()
    const second = keyIn(await browser.submit(PATH, formOf('rotate', { key: String(id) })))
    expect((await me(test.app, { 'x-api-key': first })).statusCode).toBe(401)
    expect((await me(test.app, { 'x-api-key': second })).statusCode).toBe(200)
    const [{ id: newId }] = await keys()
    expect(leadsTo(await browser.submit(PATH, formOf('revoke', { key: String(newId) })))).toEqual([303, PATH])
    expect(roleIn(await browser.open(PATH), 'status')).toBe('The key was revoked.')
    expect((await me(test.app, { 'x-api-key': second })).statusCode).toBe(401)
    const gone = await browser.submit(PATH, formOf('revoke', { key: String(newId) }))
    expect([gone.statusCode, roleIn(gone, 'alert')]).toEqual([
      404,
      'This key was not found. It may have been revoked or replaced.',
    ])
  })

  it('keeps what was entered when a value is missing', async () => {
    const without = formOf('create', { name: 'Kept name', lifetime: '365', profile: '' })
    const refused = await browser.submit(PATH, without)
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('Choose at least one permission.')
    expect(inputOf(refused, 'name')).toContain('value="Kept name"')
    expect(refused.body).toContain('<option value="365" selected>')
    expect(await keys()).toEqual([])
  })

  it('touches no key of another account', async () => {
    const other = await signUp(test.app)
    const { id } = (await other.post('/api-keys', { name: 'Theirs' })).json()
    for (const action of ['rotate', 'revoke']) {
      expect((await browser.submit(PATH, formOf(action, { key: String(id) }))).statusCode).toBe(404)
    }
    expect((await other.get('/api-keys')).json().data).toMatchObject([{ id }])
  })
})
