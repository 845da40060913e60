import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newName, newRegistration, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { leadsTo, openBrowser } from '../support/pages.ts'

const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Person

beforeAll(async () => {
  test = await createTestApp({ email: { mailer: mailbox.mailer } })
  ada = await signUp(test.app)
})
afterAll(() => test.close())

const browser = (headers?: Record<string, string>) => openBrowser(test.app, headers)

/** A browser that is signed in to an account. */
async function browserOf({ account }: Person) {
  const tab = browser()
  expect(leadsTo(await tab.submit('/login', { email: account.email, password: PASSWORD }))).toEqual([303, '/dashboard'])
  return tab
}

async function invite(kind: 'team' | 'workspace', email: string) {
  if (kind === 'team') {
    const path = `/profiles/${ada.account.active_profile_id}/team/invites`
    expect((await ada.post(path, { email, role: 'editor' })).statusCode).toBe(201)
  } else {
    const made = await ada.post('/workspaces', { name: 'Engines' })
    expect(made.statusCode, made.body).toBe(201)
    const sent = await ada.post(`/workspaces/${made.json().id}/invites`, { email, role: 'editor' })
    expect(sent.statusCode, sent.body).toBe(201)
  }
  return tokenIn(await mailbox.take(email, 'invitation'))
}

describe.each([
  { kind: 'team', path: '/team/invite' },
  { kind: 'workspace', path: '/workspaces/invite' },
] as const)('the page of an invitation to a $kind', ({ kind, path }) => {
  it('shows a signed-out visitor who invites with which role, and leads a new account back to it', async () => {
    const registration = newRegistration()
    const token = await invite(kind, registration.email)
    const tab = browser()
    const here = `${path}?token=${token}`
    const page = await tab.open(here)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(ada.account.username)
    expect(page.body).toContain('Your role: <bdi>editor</bdi>.')
    expect(page.body).toContain(`href="/register?next=${encodeURIComponent(here)}"`)
    expect(leadsTo(await tab.submit('/register', { ...registration, next: here }))).toEqual([303, here])
    expect((await tab.open(here)).body).toContain('value="accept"')
    expect(leadsTo(await tab.submit(path, { token, answer: 'accept' }))).toEqual([303, '/dashboard?done=joined'])
    const dashboard = await tab.open('/dashboard?done=joined')
    expect(dashboard.body).toContain('You have joined.')
    expect(dashboard.body).not.toContain('is not verified')
    const again = await tab.submit(path, { token, answer: 'accept' })
    expect([again.statusCode, again.body.includes('This invitation was not found.')]).toEqual([404, true])
  })

  it('declines an invitation, and lists the open ones of an account', async () => {
    const guest = await signUp(test.app, newName())
    const token = await invite(kind, guest.account.email)
    const tab = await browserOf(guest)
    expect(leadsTo(await tab.submit(path, { token, answer: 'decline' }))).toEqual([303, '/dashboard?done=declined'])
    expect((await tab.open(path)).body).toContain('You have no open invitations.')
  })

  it('asks signed-out visitors to sign in, and knows no invented token', async () => {
    const invented = await browser().open(`${path}?token=${'a'.repeat(43)}`)
    expect([invented.statusCode, invented.body.includes('This invitation was not found.')]).toEqual([404, true])
    expect(leadsTo(await browser().open(path))).toEqual([303, `/login?next=${encodeURIComponent(path)}`])
    const numbered = `${path}?token=1`
    expect(leadsTo(await browser().open(numbered))).toEqual([303, `/login?next=${encodeURIComponent(numbered)}`])
    expect((await browser().submit(path, {}, { origin: 'https://evil.example' })).statusCode).toBe(403)
  })
})

describe('the page of transfers', () => {
  /** Offers a profile of ada to an account. */
  async function offer(guest: Person) {
    const username = newName()
    const made = await ada.post('/profiles', { profile_type: 'organization', username })
    expect(made.statusCode, made.body).toBe(200)
    const { profiles } = (await ada.get('/auth/me')).json<Person['account']>()
    const id = profiles.find((profile) => profile.username === username)?.id
    const offered = await ada.post(`/profiles/${id}/transfers`, {
      recipient_username: guest.account.username,
    })
    expect(offered.statusCode, offered.body).toBe(201)
    return String(offered.json().id)
  }

  it('gets browsers that open the JSON list, and no other clients', async () => {
    expect(leadsTo(await browser().open('/transfers?x=1'))).toEqual([303, '/account/transfers?x=1'])
    expect((await test.app.inject('/transfers')).statusCode).toBe(401)
    expect(leadsTo(await browser().open('/account/transfers'))).toEqual([303, '/login?next=%2Faccount%2Ftransfers'])
  })

  it('makes the recipient who accepts the owner, once', async () => {
    const guest = await signUp(test.app)
    const id = await offer(guest)
    const tab = await browserOf(guest)
    expect((await tab.open('/account/transfers')).body).toContain(
      `<bdi>${ada.account.username}</bdi> offers you the profile`,
    )
    const answer = { id, answer: 'accept' }
    expect(leadsTo(await tab.submit('/account/transfers', answer))).toEqual([303, '/dashboard?done=accepted'])
    const again = await tab.submit('/account/transfers', answer)
    expect([again.statusCode, again.body.includes('role="alert"')]).toEqual([409, true])
  })

  it('lets the sender cancel, and refuses others and nonsense', async () => {
    const id = await offer(await signUp(test.app))
    const stranger = await browserOf(await signUp(test.app))
    expect((await stranger.submit('/account/transfers', { id, answer: 'accept' })).statusCode).toBeGreaterThanOrEqual(
      403,
    )
    for (const fields of [{}, { id: 'x', answer: 'accept' }, { id, answer: '__proto__' }]) {
      expect((await stranger.submit('/account/transfers', fields as Record<string, string>)).statusCode).toBe(404)
    }
    const sender = await browserOf(ada)
    expect(leadsTo(await sender.submit('/account/transfers', { id, answer: 'cancel' }))).toEqual([
      303,
      '/dashboard?done=cancelled',
    ])
  })
})

describe('the pages of memberships', () => {
  it.each(['de', 'ja', 'ar'])('are in the language of the reader: %s', async (language) => {
    const guest = await signUp(test.app)
    const tab = await browserOf(guest)
    for (const path of ['/team/invite', '/workspaces/invite', '/account/transfers', '/dashboard']) {
      const { body, headers } = await tab.open(path, { 'accept-language': language })
      expect(body).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(body).not.toMatch(/Invitations|Transfers|You have|Your account/)
      expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    }
  })
})
