import { newIdentity, newPasskey } from '@eep/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { login, me, PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { actionsOn, browserOf, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { createMailbox } from '../../support/mailbox.ts'
import { openOAuth } from '../../support/oauth.ts'
import { hiddenFieldsOf, leadsTo, sentencesOf } from '../../support/pages.ts'

const PATH = '/account/sign-in'
const NEXT = 'Another horse 8 battery'

const box = createMailbox()
let now = new Date()
const oauth = await openOAuth()
const { database } = oauth
let app: Awaited<ReturnType<typeof oauth.instance>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  app = await oauth.instance({
    clock: () => now,
    email: { mailer: box.mailer },
    oauth: { providers: oauth.providers() },
  })
})
afterAll(() => {})
beforeEach(async () => {
  person = await signUp(app)
  browser = await browserOf(app, person)
})

const passwordForm = (fields: Record<string, string> = {}) =>
  formOf('password', { current_password: PASSWORD, new_password: NEXT, ...fields })
const statusOf = async (password: string) => (await login(app, person.account.email, password)).statusCode

const link = (to: Person, ...names: string[]) =>
  database.storage.transaction(async (tx) => {
    for (const provider of names) {
      await tx.identities.insert(newIdentity(to.account.id, { provider, createdAt: now }))
    }
  })
const withoutPassword = () =>
  database.storage.transaction((tx) => tx.accounts.save(person.account.id, { passwordHash: null }))
const linkedTo = async (of = person) => (await of.get('/auth/identities')).json().data
const unlinkForm = (id: string) => formOf('unlink', { identity: id })

describe('the password', () => {
  it('is changed, ends every other session, and keeps this browser signed in', async () => {
    const before = browser.jar['__Host-eep_session']
    const other = await browserOf(app, person)
    expect(leadsTo(await browser.submit(PATH, passwordForm()))).toEqual([303, PATH])
    expect(browser.jar['__Host-eep_session']).not.toBe(before)
    const page = await browser.open(PATH)
    expect([page.statusCode, roleIn(page, 'status')]).toEqual([
      200,
      'The password was changed. You are signed out everywhere else.',
    ])
    expect((await other.open(PATH)).statusCode).toBe(303)
    expect((await me(app, person.headers)).statusCode).toBe(401)
    expect([await statusOf(PASSWORD), await statusOf(NEXT)]).toEqual([401, 200])
    await box.take(person.account.email, 'changed')
    // A bearer token is for programs, and this is a browser.
    const { data } = (
      await app.inject({
        url: '/auth/sessions',
        headers: { cookie: `__Host-eep_session=${browser.jar['__Host-eep_session']}` },
      })
    ).json()
    expect(data.find(({ current }: { current: boolean }) => current).uses).toEqual(['cookie'])
  })

  it.each([
    [{ current_password: 'Wrong horse 1 battery' }, 401, 'current_password', 'The password is wrong.'],
    [{ new_password: 'short' }, 400, 'new_password', 'The password needs'],
    [{ current_password: '' }, 400, 'current_password', 'Fill in this field.'],
    [{ new_password: '' }, 400, 'new_password', 'Fill in this field.'],
  ])('stays with %j, and no password is shown again', async (fields, status, input, problem) => {
    const refused = await browser.submit(PATH, passwordForm(fields))
    expect(refused.statusCode).toBe(status)
    expect(refused.body).toContain(`id="${input}-problem">${problem}`)
    for (const secret of [PASSWORD, NEXT, 'Wrong horse', 'short']) expect(refused.body).not.toContain(`"${secret}`)
    expect(await statusOf(PASSWORD)).toBe(200)
  })

  it('keeps no password on the page about an ended session', async () => {
    const form = passwordForm()
    await person.delete('/auth/sessions')
    const ended = await browser.submit(PATH, form)
    expect(ended.statusCode).toBe(401)
    for (const secret of [PASSWORD, NEXT]) expect(ended.body).not.toContain(secret)
  })

  it('is chosen with an emailed link when the account has none', async () => {
    await withoutPassword()
    const page = await browser.open(PATH)
    expect(actionsOn(page)).not.toContain('password')
    expect(sentencesOf(page)).toContain(`send a link to ${person.account.email}`)
    expect(leadsTo(await browser.submit(PATH, fieldsOfForm(page, 'send')))).toEqual([303, PATH])
    await box.take(person.account.email, 'reset')
  })
})

describe('passkeys and the second factor', () => {
  it('are shown with their state, and link to their pages', async () => {
    const before = await browser.open(PATH)
    for (const part of ['You have none.', 'It is off.', 'href="/account/security"', 'href="/account/second-factor"']) {
      expect(before.body).toContain(part)
    }
    await database.storage.transaction((tx) => tx.passkeys.insert(newPasskey(person.account.id), 20))
    expect((await browser.open(PATH)).body).toContain('You have 1 passkey.')
  })
})

describe('linked providers', () => {
  it('are listed, and unlinked with the other sessions ended', async () => {
    await link(person, 'github', 'google')
    const other = await browserOf(app, person)
    const page = await browser.open(PATH)
    for (const name of ['GitHub', 'Google']) expect(page.body).toContain(`<bdi>${name}</bdi>`)
    const [github] = await linkedTo()
    expect(leadsTo(await browser.submit(PATH, unlinkForm(github.id)))).toEqual([303, PATH])
    expect(roleIn(await browser.open(PATH), 'status')).toContain('The provider was unlinked.')
    expect((await other.open(PATH)).statusCode).toBe(303)
    const again = await browser.submit(PATH, unlinkForm(github.id))
    expect([again.statusCode, roleIn(again, 'alert')]).toEqual([404, 'This provider is not linked any more.'])
  })

  it('of another account is not found, and stays', async () => {
    const other = await signUp(app)
    await link(other, 'github')
    const [theirs] = await linkedTo(other)
    expect((await browser.submit(PATH, unlinkForm(theirs.id))).statusCode).toBe(404)
    expect(await linkedTo(other)).toHaveLength(1)
  })

  it('keep the last one, and say why', async () => {
    await withoutPassword()
    await link(person, 'github')
    const page = await browser.open(PATH)
    expect(page.body).toContain('your only way to sign in')
    expect(actionsOn(page)).not.toContain('unlink')
    const [github] = await linkedTo()
    const refused = await browser.submit(PATH, unlinkForm(github.id))
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([
      409,
      'This is your only way to sign in. Choose a password or add a passkey first.',
    ])
    expect(await linkedTo()).toHaveLength(1)
  })

  it('are unlinked by an older session only after a proof', async () => {
    await link(person, 'github')
    const [github] = await linkedTo()
    now = new Date(now.getTime() + 600_001)
    const asked = await browser.submit(PATH, unlinkForm(github.id))
    expect([asked.statusCode, await linkedTo()]).toEqual([403, [github]])
    await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: PASSWORD })
    expect((await browser.open(PATH)).body).toContain('None is linked.')
  })

  it('are offered to link to a recent proof, which an older session gives first', async () => {
    const offered = await browser.open(PATH)
    expect(offered.body).toContain(`href="/auth/oauth/github?next=${encodeURIComponent(PATH)}"`)
    now = new Date(now.getTime() + 600_001)
    const page = await browser.open(PATH)
    expect(page.body).not.toContain('/auth/oauth/github')
    const asked = await browser.submit(PATH, fieldsOfForm(page, 'prove'))
    expect(asked.statusCode).toBe(403)
    expect(leadsTo(await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: PASSWORD }))).toEqual([
      303,
      PATH,
    ])
    expect((await browser.open(PATH)).body).toContain('/auth/oauth/github')
  })
})

describe('a service without passkeys', () => {
  it('counts stored passkeys as no way to sign in', async () => {
    const without = await oauth.instance({
      clock: () => now,
      passkeys: false,
      oauth: { providers: oauth.providers() },
    })
    await withoutPassword()
    await link(person, 'github')
    await database.storage.transaction((tx) => tx.passkeys.insert(newPasskey(person.account.id), 20))
    expect(await linkedTo()).toMatchObject([{ removable: true }])
    const answer = await without.inject({ url: '/auth/identities', headers: person.headers })
    expect(answer.json().data).toMatchObject([{ removable: false }])
    const { id } = answer.json().data[0]
    const refused = await without.inject({
      method: 'DELETE',
      url: `/auth/identities/${id}`,
      headers: person.headers,
    })
    expect(refused.statusCode).toBe(409)
  })
})
