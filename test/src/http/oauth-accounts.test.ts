import { githubProvider } from '@eep/core/oauth'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { newName, signUp } from '../support/accounts.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { createBrowser } from '../support/browser.ts'
import { client } from '../support/client.ts'
import { failure, newUser, openOAuth } from '../support/oauth.ts'

const { app, database, github, instance, issuer, signUpVerified } = await openOAuth()

describe('a signed-in account', () => {
  /** A browser in which an account is signed in. */
  async function signedIn(who: { readonly token: string }) {
    const browser = createBrowser(app)
    browser.keep('eep_session', who.token)
    return browser
  }

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
    const cookie = `oauth_state=${browser.cookie('oauth_state')}; eep_session=${two.token}`
    const response = await client(app).get(`${back.pathname}${back.search}`, { cookie })
    expect(response.headers.location).toBe(`${PUBLIC_URL}${failure('invalid_state')}`)
  })

  it('links nothing when another site sends its browser to the provider', async () => {
    const made = await signUpVerified()
    const begin = (site: string) =>
      client(app).get('/auth/oauth/oidc', {
        cookie: `eep_session=${made.token}`,
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
    browser.keep('eep_session', token)
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
    browser.keep('eep_session', made.token)
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
      auth: {
        oauthProviders: [
          githubProvider({ clientId: 'x', clientSecret: 'wrong', baseUrl: github.url, apiUrl: github.url }),
        ],
      },
    })
    expect(await createBrowser(wrong).signIn('github')).toBe(failure('callback_failed'))
  })
})
