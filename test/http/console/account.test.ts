import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { me, PASSWORD, type Person, proveAddress, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, formOf, roleIn } from '../../support/console.ts'
import { createMailbox, tokenIn } from '../../support/mailbox.ts'
import { hiddenFieldsOf, inputOf, leadsTo, openBrowser, sentencesOf } from '../../support/pages.ts'

const PATH = '/account'

const box = createMailbox()
let now = new Date()
let test: Awaited<ReturnType<typeof createTestApp>>
let person: Person
let browser: Awaited<ReturnType<typeof browserOf>>
let count = 0

beforeAll(async () => {
  test = await createTestApp({ clock: () => now, email: { mailer: box.mailer } })
})
afterAll(() => test.close())
beforeEach(async () => {
  person = await signUp(test.app)
  await proveAddress({ storage: test.storage }, person)
  browser = await browserOf(test.app, person)
})

const fresh = () => `next-${++count}@example.com`
const emailForm = (email: string) => formOf('email', { email })
const emailOf = async () => (await me(test.app, person.headers)).json().email

/** The place where the screen shows a change that is not confirmed. */
const pendingOn = (page: { readonly body: string }) =>
  /<div class="notice"><p>(Waiting for [^<]*)/.exec(sentencesOf(page))?.[1]

describe('the screen of an account', () => {
  it('shows who the account is, and links to what else belongs to it', async () => {
    const page = await browser.open(PATH)
    expect(page.statusCode).toBe(200)
    const text = sentencesOf(page)
    for (const part of [`@${person.account.username}`, person.account.email, 'confirmed', 'Member since']) {
      expect(text).toContain(part)
    }
    for (const path of ['sign-in', 'sessions', 'notification-settings', 'exports', 'delete']) {
      expect(page.body).toContain(`href="/account/${path}"`)
      expect((await browser.open(`/account/${path}`)).statusCode, path).toBe(200)
    }
    expect((await browser.open('/feed')).body).toContain('<a href="/account">Settings</a>')
  })

  it('leads signed-out visitors to the sign-in page and back', async () => {
    expect(leadsTo(await openBrowser(test.app).open(PATH))).toEqual([303, '/login?next=%2Faccount'])
  })

  it('states when the address is not confirmed, and where to confirm it', async () => {
    const unproven = await signUp(test.app)
    const page = await (await browserOf(test.app, unproven)).open(PATH)
    expect(page.body).toContain('not confirmed</span> <a href="/dashboard#verify">')
  })
})

describe('a change of the email address', () => {
  it('sends a link, shows what waits, and changes nothing until the link was opened in the session', async () => {
    const address = fresh()
    const sent = emailForm(address)
    expect(leadsTo(await browser.submit(PATH, sent))).toEqual([303, PATH])
    const page = await browser.open(PATH)
    expect(roleIn(page, 'status')).toContain('An email is on its way.')
    expect(pendingOn(page)).toContain(address)
    expect(await emailOf()).toBe(person.account.email)
    const link = await box.take(address, 'newAddress')

    expect(leadsTo(await browser.submit(PATH, sent))).toEqual([303, PATH])
    expect(box.mails.filter(({ to }) => to === address)).toEqual([])
    await browser.submit('/email/change', { token: tokenIn(link) })
    expect(await emailOf()).toBe(address)
    expect(pendingOn(await browser.open(PATH))).toBeUndefined()
    expect((await box.take(person.account.email, 'addressChanged')).text).toContain('http')
  })

  it('looks the same for an address that another account has, whose email states it', async () => {
    const other = await signUp(test.app)
    const [free, taken] = [fresh(), other.account.email]
    const pages = []
    for (const address of [free, taken]) {
      expect(leadsTo(await browser.submit(PATH, emailForm(address)))).toEqual([303, PATH])
      const page = await browser.open(PATH)
      pages.push([roleIn(page, 'status'), pendingOn(page)?.replaceAll(address, '…')])
    }
    expect(pages[1]).toEqual(pages[0])
    expect((await box.take(taken, 'newAddress')).text).not.toContain('token=')
    expect(await emailOf()).toBe(person.account.email)
  })

  it('shows a change no longer once its link has expired', async () => {
    await browser.submit(PATH, emailForm(fresh()))
    now = new Date(now.getTime() + 86_400_001)
    expect(pendingOn(await browser.open(PATH))).toBeUndefined()
  })

  it.each([
    ['not an address', 'Enter an email address such as name@example.com.'],
    ['', 'Enter an email address such as name@example.com.'],
  ])('keeps "%s", which is not an address, beside what is wrong', async (entered, problem) => {
    const refused = await browser.submit(PATH, emailForm(entered))
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain(`id="email-problem">${problem}`)
    expect(inputOf(refused, 'email')).toContain(`value="${entered}"`)
    expect(pendingOn(refused)).toBeUndefined()
  })

  it('refuses the address that the account has already', async () => {
    const refused = await browser.submit(PATH, emailForm(person.account.email.toUpperCase()))
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([
      400,
      'This is the address of your account already.',
    ])
  })

  it('asks an older session for a proof, keeps the address, and sends the link then', async () => {
    now = new Date(now.getTime() + 600_001)
    const address = fresh()
    const asked = await browser.submit(PATH, emailForm(address))
    expect([asked.statusCode, hiddenFieldsOf(asked).email]).toEqual([403, address])
    const wrong = await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: 'Wrong horse 1 battery' })
    expect(wrong.statusCode).toBe(401)
    expect(box.mails.filter(({ to }) => to === address)).toEqual([])
    expect(leadsTo(await browser.submit(PATH, { ...hiddenFieldsOf(asked), proof_password: PASSWORD }))).toEqual([
      303,
      PATH,
    ])
    await box.take(address, 'newAddress')
  })
})

describe('the language of an account', () => {
  it('is saved, and shown as chosen', async () => {
    expect(actionsOn(await browser.open(PATH))).toEqual(new Set(['email', 'language']))
    expect(leadsTo(await browser.submit(PATH, formOf('language', { language: 'de' })))).toEqual([303, PATH])
    expect((await me(test.app, person.headers)).json().language).toBe('de')
    const page = await browser.open(PATH)
    expect([roleIn(page, 'status'), page.body.includes('lang="de" selected>Deutsch')]).toEqual([
      'The language is saved.',
      true,
    ])
    await browser.submit(PATH, formOf('language', { language: '' }))
    expect((await me(test.app, person.headers)).json().language).toBeNull()
  })

  it('is refused when the service does not offer it', async () => {
    expect((await browser.submit(PATH, formOf('language', { language: 'tlh' }))).statusCode).toBe(400)
    expect((await me(test.app, person.headers)).json().language).toBeNull()
  })
})

describe('a service with limits', () => {
  it('sends ten emails an hour, then states how long to wait and keeps what was entered', async () => {
    const hit = (key: string) => ({
      count: key.startsWith('email-change:') ? 11 : 1,
      resetAtMs: Date.now() + 3_600_000,
    })
    const store = { hit, hitMany: (batch: readonly { readonly key: string }[]) => batch.map(({ key }) => hit(key)) }
    const limited = await createTestApp({ limits: { rateLimit: { multiplier: 1, store } } })
    const tab = await browserOf(limited.app, await signUp(limited.app))
    const address = fresh()
    const refused = await tab.submit(PATH, emailForm(address))
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([400, '3600'])
    expect(roleIn(refused, 'alert')).toMatch(/^There were too many emails in the last hour\. .*\d/)
    expect(inputOf(refused, 'email')).toContain(address)
    await limited.close()
  })

  it('counts forms that send an email with checks of passwords, and keeps what was entered', async () => {
    const limited = await createTestApp({ limits: { rateLimit: { multiplier: 1 } }, email: { mailer: box.mailer } })
    const someone = await signUp(limited.app)
    const tab = await browserOf(limited.app, someone)
    const answers = []
    for (let sent = 0; sent < 8; sent++) answers.push(await tab.submit(PATH, emailForm(fresh())))
    const last = answers.at(-1)
    expect(last?.statusCode).toBe(429)
    expect(last && [Number(last.headers['retry-after']) > 0, inputOf(last, 'email')]).toEqual([
      true,
      expect.stringContaining(`next-${count}@example.com`),
    ])
    // Other forms are counted in their own group.
    expect((await tab.submit(PATH, formOf('language', { language: 'de' }))).statusCode).toBe(303)
    await limited.close()
  })
})
