import { githubProvider } from '@eep/core/oauth'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { login, newName, type Person, proveAddress, signOut, signUp } from '../support/accounts.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { createBrowser } from '../support/browser.ts'
import { client } from '../support/client.ts'
import { holdingStorage } from '../support/held-requests.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { failure, newUser, openOAuth } from '../support/oauth.ts'

const { app, database, github, instance, issuer, providers, signUpVerified } = await openOAuth()

describe('a signed-in account', () => {
  /** A browser in which an account is signed in. */
  async function signedIn(who: { readonly token: string }, at = app) {
    const browser = createBrowser(at)
    browser.keep('__Host-eep_session', who.token)
    return browser
  }
  const linkedTo = ({ account: { id } }: Pick<Person, 'account'>) => database.storage.read.identities.listOfAccount(id)

  it('links a provider with another email address, and signs in with it from then on', async () => {
    const made = await signUpVerified()
    const user = newUser()
    issuer.user(user)
    expect(await (await signedIn(made)).signIn('oidc', '/settings')).toBe('/settings')
    const later = createBrowser(app)
    await later.signIn('oidc')
    expect((await later.me()).id).toBe(made.account.id)
    expect(await database.storage.read.identities.listOfAccount(made.account.id)).toMatchObject([
      { provider: 'oidc', subject: user.sub, email: user.email },
    ])
  })

  it('links no provider user who is linked to another account', async () => {
    const [one, two] = [await signUpVerified(), await signUpVerified()]
    issuer.user(newUser())
    await (await signedIn(one)).signIn('oidc')
    const browser = await signedIn(two)
    expect(await browser.signIn('oidc')).toBe(failure('email_linked_other'))
    expect((await browser.me()).id).toBe(two.account.id)
  })

  it('does not give an account the email address of another account', async () => {
    const [one, two] = [await signUpVerified(), await signUpVerified()]
    issuer.user(newUser({ email: one.account.email }))
    expect(await (await signedIn(two)).signIn('oidc')).toBe(failure('email_linked_other'))
  })

  it('links no provider while the account’s email address is not verified, unless it is the same', async () => {
    const made = await signUp(app)
    issuer.user(newUser())
    expect(await (await signedIn(made)).signIn('oidc')).toBe(failure('invalid_email'))
    issuer.user(newUser({ email: made.account.email }))
    expect(await (await signedIn(made)).signIn('oidc')).toBe('/dashboard')
  })

  it('completes a link only in the session that started it', async () => {
    const [one, two] = [await signUpVerified(), await signUpVerified()]
    issuer.user(newUser())
    const browser = await signedIn(one)
    const back = new URL(await browser.leave('oidc'))
    const cookie = `oauth_state=${browser.cookie('oauth_state')}; __Host-eep_session=${two.token}`
    const response = await client(app).get(`${back.pathname}${back.search}`, { cookie })
    expect(response.headers.location).toBe(`${PUBLIC_URL}${failure('invalid_state')}`)
  })

  it('links nothing when another site sends its browser to the provider', async () => {
    const made = await signUpVerified()
    const begin = (site: string) =>
      client(app).get('/auth/oauth/oidc', {
        cookie: `__Host-eep_session=${made.token}`,
        'sec-fetch-site': site,
        'sec-fetch-mode': 'navigate',
      })
    const linking = () => database.storage.read.tokens.getNewest('oauth_state', made.account.id)
    expect((await begin('cross-site')).statusCode).toBe(302)
    expect(await linking()).toBeUndefined()
    for (const site of ['same-origin', 'same-site', 'none']) {
      expect((await begin(site)).statusCode).toBe(302)
      expect(await linking()).toBeDefined()
      await database.storage.transaction((tx) => tx.tokens.deleteOf('oauth_state', made.account.id))
    }
  })

  it('links no provider with an API key', async () => {
    const made = await signUpVerified()
    const { key } = (await client(app).as(made).post('/api-keys', { name: 'reader' })).json<{ key: string }>()
    const response = await client(app).get('/auth/oauth/oidc', { 'x-api-key': key })
    expect(response.statusCode).toBe(302)
    expect(await database.storage.read.tokens.getNewest('oauth_state', made.account.id)).toBeUndefined()
  })

  /** An account whose only session began eleven minutes ago. */
  async function signedInBefore() {
    const past = await instance({ clock: () => new Date(Date.now() - 11 * 60_000) })
    const made = await signUp(past)
    await proveAddress(database, made)
    return made
  }

  it('links a provider with another email address only within ten minutes of its sign-in', async () => {
    const made = await signedInBefore()
    const user = newUser()
    issuer.user(user)
    expect(await (await signedIn(made)).signIn('oidc')).toBe(
      `${failure('callback_failed')}&oauth_detail=recent_sign_in_required`,
    )
    expect(await linkedTo(made)).toEqual([])
    const again = (await login(app, made.account.email)).json<{ token: string }>()
    issuer.user(user)
    expect(await (await signedIn(again)).signIn('oidc')).toBe('/dashboard')
    expect(await linkedTo(made)).toMatchObject([{ provider: 'oidc', subject: user.sub }])
  })

  it('signs in with a provider that is linked already, however old the session is', async () => {
    const made = await signedInBefore()
    const user = newUser()
    const recent = (await login(app, made.account.email)).json<{ token: string }>()
    for (const session of [recent, made]) {
      issuer.user(user)
      expect(await (await signedIn(session)).signIn('oidc')).toBe('/dashboard')
    }
  })

  it('links a provider that verified the same email address at any time', async () => {
    const made = await signedInBefore()
    issuer.user(newUser({ email: made.account.email }))
    expect(await (await signedIn(made)).signIn('oidc')).toBe('/dashboard')
    expect(await linkedTo(made)).toHaveLength(1)
  })

  it('explains on the page to sign in that the sign-in is too old to link a provider', async () => {
    const { body } = await client(app).get('/login?oauth_error=callback_failed&oauth_detail=recent_sign_in_required', {
      accept: 'text/html',
    })
    expect(body).toContain('Sign in again before you link a provider')
  })

  it('links no provider in a session that ended while its user was at the provider', async () => {
    const { storage, holdDuring } = holdingStorage(database.storage)
    const held = await instance({ storage, oauth: { providers: providers() } })
    const made = await signUpVerified()
    issuer.user(newUser())
    const browser = await signedIn(made)
    const back = new URL(await browser.leave('oidc'))
    const cookie = `oauth_state=${browser.cookie('oauth_state')}; __Host-eep_session=${made.token}`
    const response = await holdDuring(
      () => client(held).get(`${back.pathname}${back.search}`, { cookie }),
      () => signOut(app, made.headers),
    )
    expect(response.headers.location).toBe(`${PUBLIC_URL}${failure('invalid_state')}`)
    expect(await linkedTo(made)).toEqual([])
  })

  it('is notified when a provider is linked, and not when it signs in again', async () => {
    const mailbox = createMailbox()
    const mailing = await instance({ email: { mailer: mailbox.mailer }, oauth: { providers: providers() } })
    const made = await signUpVerified()
    const user = newUser()
    issuer.user(user)
    await (await signedIn(made, mailing)).signIn('oidc')
    const { text } = await mailbox.take(made.account.email, 'providerLinked')
    expect(text).toContain('A user of OpenID Connect can now sign in to your account.')
    expect(text).not.toContain(user.email)
    await createBrowser(mailing).signIn('oidc')
    expect(await mailbox.has(made.account.email, 'providerLinked')).toBe(false)
  })

  it('loses its linked providers when the password is reset, if the owner wants it', async () => {
    const mailbox = createMailbox()
    const mailing = await instance({ email: { mailer: mailbox.mailer }, oauth: { providers: providers() } })
    for (const [remove, left] of [
      [true, 0],
      [false, 1],
    ] as const) {
      const made = await signUpVerified()
      issuer.user(newUser())
      await (await signedIn(made, mailing)).signIn('oidc')
      await client(mailing).post('/auth/forgot-password', { email: made.account.email })
      const token = tokenIn(await mailbox.take(made.account.email, 'reset'))
      const body = { token, password: 'Another horse 9 battery', remove_other_sign_ins: remove }
      expect((await client(mailing).post('/auth/reset-password', body)).statusCode).toBe(200)
      expect(await linkedTo(made)).toHaveLength(left)
    }
  })

  it('is offered to delete its linked providers on the page to reset the password', async () => {
    const { body } = await client(app).get('/reset-password?token=a-token', { accept: 'text/html' })
    expect(body).toContain('name="remove_other_sign_ins"')
    expect(body).toContain('linked sign-in providers')
  })

  it('emits an event for a link, without revealing the other account of the provider user', async () => {
    const made = await signUpVerified()
    const user = newUser()
    issuer.user(user)
    const start = await endOfLog(database.storage)
    await (await signedIn(made)).signIn('oidc')
    const events = await eventsAfter(database.storage, start)
    const told = events.filter(({ accountId }) => accountId === made.account.id)
    expect(told[0]).toMatchObject({ type: 'oauth.identity_linked', profileId: null })
    expect(JSON.stringify(told)).not.toContain(user.sub)
    expect(JSON.stringify(told)).not.toContain(user.email)
  })
})

describe('accounts.email_verified', () => {
  const verifiedSince = async (after: string, accountId: string) =>
    (await eventsAfter(database.storage, after)).filter(
      (event) => event.type === 'accounts.email_verified' && event.accountId === accountId,
    )

  it('emits the event when a provider verified the address of a new account', async () => {
    const start = await endOfLog(database.storage)
    issuer.user(newUser())
    const browser = createBrowser(app)
    await browser.signIn('oidc')
    expect(await verifiedSince(start, (await browser.me()).id)).toHaveLength(1)
    await createBrowser(app).signIn('oidc')
    expect(await verifiedSince(start, (await browser.me()).id)).toHaveLength(1)
  })

  it('emits the event when an account links a provider that verified the same address', async () => {
    const { token, account } = await signUp(app)
    const start = await endOfLog(database.storage)
    issuer.user(newUser({ email: account.email }))
    const browser = createBrowser(app)
    browser.keep('__Host-eep_session', token)
    expect(await browser.signIn('oidc')).toBe('/dashboard')
    expect((await browser.me()).email_verified).toBe(true)
    expect(await verifiedSince(start, account.id)).toHaveLength(1)
  })
})

describe('a user of GitHub', () => {
  let id = 100
  const newGithubUser = (part: Partial<Parameters<typeof github.user>[0]> = {}) => {
    const login = newName()
    const emails = [
      { email: `${login}@old.example`, primary: false, verified: true },
      { email: `${login}@github.example`, primary: true, verified: true },
    ]
    return { id: ++id, login, name: null, emails, ...part }
  }

  it('gives a GitHub user an account by their verified primary email address', async () => {
    const user = newGithubUser()
    github.user(user)
    const browser = createBrowser(app)
    expect(await browser.signIn('github', '/welcome')).toBe('/welcome')
    expect(await browser.me()).toMatchObject({
      email: `${user.login}@github.example`,
      email_verified: true,
      full_name: user.login,
    })
    github.user({ ...user, login: 'renamed', emails: [] })
    const later = createBrowser(app)
    expect(await later.signIn('github')).toBe('/dashboard')
    expect((await later.me()).id).toBe((await browser.me()).id)
  })

  it.each([
    ['has none', []],
    ['has not verified it', [{ email: 'mine@github.example', primary: true, verified: false }]],
    [
      'verified only another',
      [
        { email: 'mine@github.example', primary: true, verified: false },
        { email: 'yours@github.example', primary: false, verified: true },
      ],
    ],
  ])('gives no account to a GitHub user who %s', async (_what, emails) => {
    github.user(newGithubUser({ emails }))
    expect(await createBrowser(app).signIn('github')).toBe(failure('invalid_email'))
  })

  it('links only one GitHub user to an account', async () => {
    const made = await signUpVerified()
    const browser = createBrowser(app)
    browser.keep('__Host-eep_session', made.token)
    github.user(newGithubUser())
    expect(await browser.signIn('github')).toBe('/dashboard')
    github.user(newGithubUser())
    expect(await browser.signIn('github')).toBe(failure('github_mismatch'))

    // Nor by the email address of the account, from outside.
    github.user(newGithubUser({ emails: [{ email: made.account.email, primary: true, verified: true }] }))
    expect(await createBrowser(app).signIn('github')).toBe(failure('github_mismatch'))
  })

  it('redirects with an error when the user denies access', async () => {
    github.user(newGithubUser())
    github.fail('denied')
    expect(await createBrowser(app).signIn('github')).toBe(failure('access_denied'))
  })

  it('signs no user in when the response of GitHub is invalid', async () => {
    github.user(newGithubUser())
    github.fail('api')
    expect(await createBrowser(app).signIn('github')).toBe(failure('callback_failed'))
    github.user(newGithubUser())
    const wrong = await instance({
      oauth: {
        providers: [githubProvider({ clientId: 'x', clientSecret: 'wrong', baseUrl: github.url, apiUrl: github.url })],
      },
    })
    expect(await createBrowser(wrong).signIn('github')).toBe(failure('callback_failed'))
  })
})
