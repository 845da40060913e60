import type { Mail } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newRegistration, type SignedUp, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'

const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createTestApp>>

beforeAll(async () => {
  test = await createTestApp({
    name: 'Shop',
    email: {
      mailer: mailbox.mailer,
      templates: {
        'password-reset': (_data, { language, subject }) => ({ subject: `${language}: ${subject}`, text: 'Hi' }),
      },
    },
    pages: {
      languages: ['en', 'de', 'ja', 'ar', 'fr'],
      translations: { fr: { 'email.sentBy': 'Ce message a été envoyé par {service}.' } },
      logoPath: '/logo.png',
      imprintUrl: 'https://shop.example/imprint',
    },
  })
})
afterAll(() => test.close())

/** Registers an account with the API, and returns its token, its language, and its first email. */
async function register(acceptLanguage?: string) {
  const payload = newRegistration()
  const answer = await test.app.inject({
    method: 'POST',
    url: '/auth/register',
    headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage },
    payload,
  })
  const { token, user } = answer.json<{ token: string; user: SignedUp & { language: string | null } }>()
  const headers = { authorization: `Bearer ${token}` }
  return { ...payload, token, user, headers, language: user.language, mail: await mailTo(payload.email) }
}

/** Waits for the oldest email to an address, and removes it. */
async function mailTo(address: string): Promise<Mail> {
  const index = await vi.waitFor(() => {
    const found = mailbox.mails.findIndex(({ to }) => to === address)
    if (found < 0) throw new Error(`no email to ${address}`)
    return found
  }, 60_000)
  return mailbox.mails.splice(index, 1)[0] as Mail
}

async function resetMail(email: string) {
  await test.app.inject({ method: 'POST', url: '/auth/forgot-password', payload: { email } })
  return mailTo(email)
}

const choose = (token: string, language: unknown) =>
  test.app.inject({
    method: 'PATCH',
    url: '/auth/me',
    headers: { authorization: `Bearer ${token}` },
    payload: { language } as object,
  })

describe('the language of an account', () => {
  it('is the one that the request of the registration prefers', async () => {
    const { language, mail } = await register('nl, de-AT;q=0.8, en;q=0.5')
    expect(language).toBe('de')
    expect(mail.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für Shop')
  })

  it('is that of the service when the registration names none that is offered', async () => {
    for (const header of [undefined, '*', 'nl']) {
      const { language, mail } = await register(header)
      expect(language).toBeNull()
      expect(mail.subject).toBe('Confirm your email address for Shop')
    }
  })

  it('is stored by the registration page too', async () => {
    const registration = newRegistration()
    await openBrowser(test.app, { 'accept-language': 'ja' }).submit('/register', registration)
    expect((await mailTo(registration.email)).html).toContain('<html lang="ja"')
  })

  it('is changed and removed with the API, and used for the next email', async () => {
    const { token, email } = await register()
    const changed = await choose(token, 'ar')
    expect([changed.statusCode, changed.json().language]).toEqual([200, 'ar'])
    expect((await resetMail(email)).html).toContain('<html lang="ar" dir="rtl">')
    expect((await choose(token, null)).json().language).toBeNull()
  })

  it('cannot be one that the service does not offer', async () => {
    const { token } = await register()
    for (const language of ['nl', '', 'de-AT', 7]) expect((await choose(token, language)).statusCode).toBe(400)
  })

  it('is chosen on the page of the account, which shows the choice', async () => {
    const tab = openBrowser(test.app)
    const registration = newRegistration()
    await tab.submit('/register', registration)
    expect(leadsTo(await tab.submit('/dashboard/language', { language: 'de' }))).toEqual([
      303,
      '/dashboard?done=language',
    ])
    expect((await tab.open('/dashboard?done=language')).body).toContain('The language of emails is saved.')
    expect((await tab.open('/account')).body).toContain('<option value="de" lang="de" selected>Deutsch</option>')
    await tab.submit('/dashboard/language', { language: '' })
    expect((await tab.open('/account')).body).toContain('<option value="" selected>')
  })

  it('is chosen on the dashboard where the console is off', async () => {
    const plain = await createTestApp({ ownerConsole: false })
    const tab = openBrowser(plain.app)
    await tab.submit('/register', newRegistration())
    await tab.submit('/dashboard/language', { language: 'de' })
    const page = await tab.open('/dashboard')
    expect(page.body).toContain('<option value="de" lang="de" selected>Deutsch</option>')
    // The menu leads to the page that is there.
    expect(page.body).toContain('<a href="/account/security">Settings</a>')
    await plain.close()
  })
})

describe('notifications', () => {
  it('have titles in the language of the request, and in emails in that of the account', async () => {
    const owner = await signUp(test.app)
    const guest = await register('de')
    const token = tokenIn(guest.mail)
    await test.app.inject({ method: 'POST', url: '/auth/verify', headers: guest.headers, payload: { token } })
    const invited = await owner.post(`/profiles/${owner.account.active_profile_id}/team/invites`, {
      username: guest.username,
      role: 'editor',
    })
    expect(invited.statusCode).toBe(201)
    const title = `${owner.account.username} lädt Sie in das Team von ${owner.account.username} ein, Rolle: Bearbeiter`
    expect((await mailTo(guest.email)).subject).toBe(title.slice(0, 78))

    const url = `/notifications?profile_id=${guest.user.active_profile_id}`
    const titleIn = async (language: Record<string, string>) => {
      const { headers, ...answer } = await test.app.inject({ url, headers: { ...guest.headers, ...language } })
      expect(headers.vary).toContain('Accept-Language')
      return answer.json<{ data: { title: string }[] }>().data[0]?.title
    }
    expect(await titleIn({ 'accept-language': 'de' })).toBe(title)
    expect(await titleIn({ 'accept-language': 'ja' })).toContain('のチームに招待しています（役割：編集者）')
    expect(await titleIn({})).toContain('invites you to the team of')
    const page = await test.app.inject({
      url: '/account/notifications',
      headers: { cookie: `__Host-eep_session=${guest.token}`, accept: 'text/html', 'accept-language': 'de' },
    })
    expect(sentencesOf(page)).toContain(title)
  })

  it('isolate names that are read in another direction than their title, in JSON and in emails', async () => {
    const owner = await signUp(test.app)
    const guest = await register('ar')
    const isolated = (name: string) => `\u2068${name}\u2069`
    expect(guest.mail.text).toContain(`مرحبًا ${isolated(guest.username)}،`)
    expect(guest.mail.text).toContain(`سُجّل الحساب ${isolated(guest.username)} في`)
    expect(guest.mail.html).toContain(`سُجّل الحساب ${isolated(guest.username)} في`)
    const invitation = { username: guest.username, role: 'editor' }
    const invited = await owner.post(`/profiles/${owner.account.active_profile_id}/team/invites`, invitation)
    expect(invited.statusCode).toBe(201)
    const url = `/notifications?profile_id=${guest.user.active_profile_id}`
    const titleIn = (language: string) =>
      vi.waitFor(async () => {
        const headers = { ...guest.headers, 'accept-language': language }
        const [first] = (await test.app.inject({ url, headers })).json<{ data: { title: string }[] }>().data
        if (!first) throw new Error('no notification yet')
        return first.title
      }, 60_000)
    expect(await titleIn('ar')).toContain(isolated(owner.account.username))
    expect(await titleIn('en')).not.toMatch(/[\u2066-\u2069]/)
  })
})

describe('an email in a language that the host adds', () => {
  it('is written by the template of the host, in the layout of the language', async () => {
    const { email, mail } = await register('fr')
    // There is no template for this kind, so all of it is in the language of the service.
    expect(mail.html).toContain('<html lang="en"')
    const reset = await resetMail(email)
    expect(reset.subject).toBe('fr: A new password for Shop')
    expect(reset.html).toContain('<html lang="fr"')
    expect(reset.text).toContain('Ce message a été envoyé par Shop.')
  })
})

describe('an email of a host without email.logoUrl and email.imprint', () => {
  it('shows the logo of the pages and links to their imprint', async () => {
    const { mail } = await register('de')
    expect(mail.html).toContain('/logo.png" alt="Shop"')
    expect(mail.html).toContain('href="https://shop.example/imprint"')
    expect(mail.text).toContain('Impressum: https://shop.example/imprint')
  })
})
