import { defineError } from '@eep/core'
import { githubProvider, oidcProvider } from '@eep/core/oauth'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { codeOf, login, newName, PASSWORD, signUp } from '../support/accounts.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { client } from '../support/client.ts'
import { failure, newUser, openOAuth, registration } from '../support/oauth.ts'
import { startIssuer } from '../support/providers.ts'

const { app, database, instance, issuer, providers, signUpVerified } = await openOAuth()

describe('GET /auth/oauth/{provider}', () => {
  it('redirects to the provider with a state in a cookie', async () => {
    const response = await client(app).get('/auth/oauth/oidc', { host: 'evil.example' })
    expect(response.statusCode).toBe(302)
    expect(response.headers['cache-control']).toBe('no-store')
    const url = new URL(String(response.headers.location))
    expect(url.href.startsWith(`${issuer.url}/authorize?`)).toBe(true)
    const parameters = Object.fromEntries(url.searchParams)
    expect(parameters).toEqual({
      response_type: 'code',
      client_id: registration.clientId,
      redirect_uri: `${PUBLIC_URL}/auth/oauth/oidc/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(response.cookies).toEqual([
      {
        name: 'oauth_state',
        value: parameters.state,
        path: '/auth/oauth',
        httpOnly: true,
        sameSite: 'Lax',
        secure: true,
        maxAge: 600,
      },
    ])
  })

  it('stores the URL to return to', async () => {
    const response = await client(app).get('/auth/oauth/oidc?next=%2Fsettings%3Ftab%3Dkeys')
    expect(response.cookies).toContainEqual(
      expect.objectContaining({ name: 'oauth_next', path: '/auth/oauth', httpOnly: true, sameSite: 'Lax' }),
    )
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'https:evil',
    '/a\u0000b',
    '/\tb',
    'x'.repeat(9_000),
  ])('ignores %j as a URL to return to', async (next) => {
    const response = await client(app).get(`/auth/oauth/oidc?next=${encodeURIComponent(next)}`)
    expect(response.statusCode).toBe(302)
    expect(response.cookies.map(({ name }) => name)).toEqual(['oauth_state'])
  })

  it('returns 501 for the three names when they are not configured, and 404 for others', async () => {
    const without = await instance()
    for (const name of ['github', 'google', 'oidc']) {
      for (const path of [name, `${name}/callback?code=a&state=b`]) {
        const response = await client(without).get(`/auth/oauth/${path}`)
        expect(response.statusCode).toBe(501)
        expect(codeOf(response)).toBe('provider_not_configured')
      }
    }
    const response = await client(without).get('/auth/oauth/somewhere')
    expect(response.statusCode).toBe(404)
    expect(codeOf(response)).toBe('unknown_provider')
  })

  it('serves a provider under whatever name a host gives it', async () => {
    const other = await instance({
      oauth: { providers: [oidcProvider({ ...registration, issuer: issuer.url, name: 'campus-login' })] },
    })
    issuer.user(newUser())
    expect(await createBrowser(other).signIn('campus-login')).toBe('/dashboard')
  })

  it('authenticates the client with the method of the provider', async () => {
    const strict = await startIssuer()
    strict.service.on('beforeWellKnownOpenIdConfiguration', ({ body }) => {
      body.token_endpoint_auth_methods_supported = ['client_secret_basic']
    })
    // In a header the name of a client is escaped, but for letters and digits.
    const named = await instance({
      oauth: { providers: [oidcProvider({ clientId: 'client1', clientSecret: 'secret', issuer: strict.url })] },
    })
    strict.user(newUser())
    expect(await createBrowser(named).signIn('oidc')).toBe('/dashboard')
    await strict.stop()
  })

  it('returns 500 while the provider is unavailable, and works again afterwards', async () => {
    const away = await startIssuer()
    await away.stop()
    const waiting = await instance({ oauth: { providers: [oidcProvider({ ...registration, issuer: away.url })] } })
    const response = await client(waiting).get('/auth/oauth/oidc')
    expect(response.statusCode).toBe(500)
    expect(codeOf(response)).toBe('oauth_start_failed')
    expect(response.body).not.toContain('ECONNREFUSED')
    expect(response.cookies).toEqual([])
  })

  it('rejects a provider without TLS at start', () => {
    expect(() => oidcProvider({ ...registration, issuer: 'http://issuer.example' })).toThrow('https')
    expect(() => githubProvider({ ...registration, baseUrl: 'http://github.example' })).toThrow('https')
    expect(() => oidcProvider({ ...registration, issuer: 'issuer' })).toThrow('https')
  })
})

describe('a user of an OpenID Connect issuer', () => {
  it('gives a new user of the issuer an account, and the same one at each later login', async () => {
    const user = newUser({ name: 'Ada Lovelace' })
    issuer.user(user)
    const browser = createBrowser(app)
    expect(await browser.signIn('oidc')).toBe('/dashboard')
    const me = await browser.me()
    expect(me).toMatchObject({ email: user.email, email_verified: true, full_name: 'Ada Lovelace' })
    expect(me.profiles).toMatchObject([{ profile_type: 'person', username: me.username, role: 'owner' }])
    expect(browser.cookie('oauth_state')).toBeUndefined()

    // The email address may change at the provider. The subject does not.
    issuer.user({ ...user, email: 'new@provider.example', email_verified: false })
    const again = createBrowser(app)
    expect(await again.signIn('oidc')).toBe('/dashboard')
    expect((await again.me()).id).toBe(me.id)
    expect((await login(app, user.email, PASSWORD)).statusCode).toBe(401)
  })

  it('redirects a user to the stored URL', async () => {
    issuer.user(newUser())
    expect(await createBrowser(app).signIn('oidc', '/u/ada?tab=über#top')).toBe('/u/ada?tab=%C3%BCber#top')
    expect(await createBrowser(app).signIn('oidc', '//evil.example')).toBe('/dashboard')
  })

  it('redirects to the frontend of the host', async () => {
    const elsewhere = await instance({ oauth: { providers: providers() }, frontendUrl: 'https://app.example' })
    issuer.user(newUser())
    const browser = createBrowser(elsewhere)
    const { location } = await browser.visit(await browser.leave('oidc', '/inbox'))
    expect(location).toBe('https://app.example/inbox')
  })

  it('gives a user the account with their email address when provider and service have verified it', async () => {
    const { account } = await signUpVerified()
    issuer.user(newUser({ email: account.email.toUpperCase() }))
    const browser = createBrowser(app)
    expect(await browser.signIn('google')).toBe('/dashboard')
    expect((await browser.me()).id).toBe(account.id)
    expect((await login(app, account.email)).statusCode).toBe(200)
  })

  it('never gives a user an account whose email address is not verified', async () => {
    const { account } = await signUp(app)
    issuer.user(newUser({ email: account.email }))
    const browser = createBrowser(app)
    expect(await browser.signIn('oidc')).toBe(failure('email_linked_other'))
    expect(await browser.me()).toBeUndefined()
    expect(await database.storage.read.identities.listOfAccount(account.id)).toEqual([])
  })

  it.each([
    ['has none', { email: undefined }],
    ['has not verified it', { email_verified: false }],
    ['does not say whether it is verified', { email_verified: undefined }],
    ['verified an invalid address', { email: 'not an address' }],
  ])('gives a user no account by email address when the provider %s', async (_what, part) => {
    const { account } = await signUpVerified()
    for (const email of [account.email, `${newName()}@provider.example`]) {
      issuer.user(newUser({ email, ...part }))
      const browser = createBrowser(app)
      expect(await browser.signIn('oidc')).toBe(failure('invalid_email'))
      expect(browser.cookie('__Host-eep_session')).toBeUndefined()
    }
  })

  it('reads the email address of a user from the user info endpoint if necessary', async () => {
    const { email, email_verified, ...rest } = newUser()
    issuer.user(rest, { email, email_verified: 'true' })
    const browser = createBrowser(app)
    expect(await browser.signIn('oidc')).toBe('/dashboard')
    expect((await browser.me()).email).toBe(email)
  })

  it('gives a new user a free username similar to their own', async () => {
    const { account } = await signUp(app)
    for (const [email, username] of [
      [`${account.username}@a.example`, new RegExp(`^${account.username}-[0-9a-f]{8}$`)],
      ['admin@b.example', /^grace-hopper$/],
    ] as const) {
      issuer.user(newUser({ email, name: 'Grace Hopper' }))
      const browser = createBrowser(app)
      await browser.signIn('oidc')
      expect((await browser.me()).username).toMatch(username)
    }
  })

  it('gives a user one account when twenty browsers sign them in concurrently', async () => {
    const user = newUser()
    issuer.user(user)
    const browsers = Array.from({ length: 20 }, () => createBrowser(app))
    const ends = await Promise.all(browsers.map((browser) => browser.signIn('oidc')))
    expect(new Set(ends)).toEqual(new Set(['/dashboard']))
    const ids = await Promise.all(browsers.map(async (browser) => (await browser.me()).id))
    expect(new Set(ids).size).toBe(1)
  })

  it('lets the hook of the host reject a user before anything is stored', async () => {
    const membersOnly = defineError('only_members', 403, 'Only members may register')
    const guarded = await instance({
      oauth: { providers: providers() },
      hooks: {
        beforeRegister() {
          throw membersOnly()
        },
      },
    })
    const user = newUser()
    issuer.user(user)
    expect(await createBrowser(guarded).signIn('oidc')).toBe(`${failure('callback_failed')}&oauth_detail=only_members`)
    expect(await database.storage.read.accounts.get({ email: user.email })).toBeUndefined()
  })

  it('does not sign a user in to a banned account', async () => {
    const user = newUser()
    issuer.user(user)
    const browser = createBrowser(app)
    await browser.signIn('oidc')
    const { id } = await browser.me()
    await database.storage.transaction((tx) => tx.accounts.save(id, { bannedAt: new Date() }))
    const later = createBrowser(app)
    expect(await later.signIn('oidc')).toBe(`${failure('callback_failed')}&oauth_detail=account_banned`)
    expect(later.cookie('__Host-eep_session')).toBeUndefined()
  })

  it('cancels a deletion by signing in', async () => {
    const user = newUser()
    issuer.user(user)
    const browser = createBrowser(app)
    await browser.signIn('oidc')
    const { id, username } = await browser.me()
    const soon = new Date(Date.now() + 60_000)
    await database.storage.transaction(async (tx) => {
      await tx.accounts.save(id, { deletionScheduledAt: soon })
      await tx.profiles.withdrawOfAccount(id, new Date())
    })
    const later = createBrowser(app)
    expect(await later.signIn('oidc')).toBe('/dashboard')
    expect(await later.me()).toMatchObject({ id, deletion_scheduled_at: null })
    expect((await client(app).get(`/u/${username}`)).statusCode).toBe(200)
  })

  it.each<[string, (payload: Record<string, unknown>) => void]>([
    ['for another client', (payload) => Object.assign(payload, { aud: 'another' })],
    ['of another issuer', (payload) => Object.assign(payload, { iss: 'https://evil.example' })],
    ['with another nonce', (payload) => Object.assign(payload, { nonce: 'another' })],
    ['that has expired', (payload) => Object.assign(payload, { exp: 1 })],
    ['without a subject', (payload) => Object.assign(payload, { sub: undefined })],
  ])('rejects a token %s', async (_what, change) => {
    issuer.user(newUser())
    issuer.tokens(({ payload }) => change(payload))
    const browser = createBrowser(app)
    expect(await browser.signIn('oidc')).toBe(failure('callback_failed'))
    expect(browser.cookie('__Host-eep_session')).toBeUndefined()
  })
})

describe('GET /auth/oauth/{provider}/callback', () => {
  const begin = async (): Promise<{ browser: Browser; back: string }> => {
    issuer.user(newUser())
    const browser = createBrowser(app)
    return { browser, back: await browser.leave('oidc') }
  }
  const endOf = async (browser: Browser, url: string) => (await browser.visit(url)).location.slice(PUBLIC_URL.length)

  it('accepts a state once', async () => {
    const { browser, back } = await begin()
    const state = browser.cookie('oauth_state') ?? ''
    expect(await endOf(browser, back)).toBe('/dashboard')
    browser.keep('oauth_state', state)
    expect(await endOf(browser, back)).toBe(failure('invalid_state'))
  })

  it('keeps the path to return to when the sign-in fails, also without its state', async () => {
    const next = '/team/invite?token=abc&x=1'
    const failedWith = async (change: (back: URL, browser: Browser) => void, wanted: string | undefined = next) => {
      issuer.user(newUser())
      const browser = createBrowser(app)
      const back = new URL(await browser.leave('oidc', wanted))
      change(back, browser)
      return endOf(browser, back.href)
    }
    const denied = await failedWith((back) => back.searchParams.set('error', 'access_denied'))
    expect(denied).toBe(`${failure('access_denied')}&next=${encodeURIComponent(next)}`)
    const unknown = await failedWith((back) => back.searchParams.set('state', 'another'))
    expect(unknown).toBe(`${failure('invalid_state')}&next=${encodeURIComponent(next)}`)
    const outside = await failedWith((back, browser) => {
      back.searchParams.set('error', 'access_denied')
      browser.keep('oauth_next', encodeURIComponent('//evil.example'))
    }, '')
    expect(outside).toBe(failure('access_denied'))
  })

  it('signs in once when twenty requests bring the same state concurrently', async () => {
    const { browser, back } = await begin()
    const { pathname, search } = new URL(back)
    const cookie = `oauth_state=${browser.cookie('oauth_state')}`
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client(app).get(`${pathname}${search}`, { cookie })),
    )
    const ends = responses.map(({ headers }) => String(headers.location).slice(PUBLIC_URL.length))
    expect(ends.filter((end) => end === '/dashboard')).toHaveLength(1)
    expect(ends.filter((end) => end === failure('invalid_state'))).toHaveLength(19)
    expect(
      responses.flatMap(({ cookies }) => cookies.filter(({ name }) => name === '__Host-eep_session')),
    ).toHaveLength(1)
  })

  it('refuses the state of another browser, and leaves it to that one', async () => {
    const { browser, back } = await begin()
    const victim = createBrowser(app)
    expect(await endOf(victim, back)).toBe(failure('invalid_state'))
    await victim.leave('oidc')
    expect(await endOf(victim, back)).toBe(failure('invalid_state'))
    expect(victim.cookie('__Host-eep_session')).toBeUndefined()
    expect(await endOf(browser, back)).toBe('/dashboard')
  })

  it('finishes the sign-ins of two tabs in either order, each with its own path to return to', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      issuer.user(newUser())
      const browser = createBrowser(app)
      const tabs = [await browser.leave('oidc', '/first'), await browser.leave('oidc', '/second')]
      const ends: string[] = []
      for (const tab of order) ends.push(await endOf(browser, tabs[tab] ?? ''))
      expect(ends).toEqual(order.map((tab) => ['/first', '/second'][tab]))
      expect(browser.cookie('oauth_state')).toBeUndefined()
    }
  })

  it('returns to the path of the tab whose sign-in the provider refused, and leaves the other tab alone', async () => {
    issuer.user(newUser())
    const browser = createBrowser(app)
    const first = new URL(await browser.leave('oidc', '/first'))
    const second = await browser.leave('oidc', '/second')
    first.searchParams.set('error', 'access_denied')
    expect(await endOf(browser, first.href)).toBe(`${failure('access_denied')}&next=%2Ffirst`)
    expect(await endOf(browser, second)).toBe('/second')
  })

  it('changes nothing when a forged callback comes first', async () => {
    const { browser, back } = await begin()
    const forged = new URL(back)
    forged.searchParams.set('state', 'forged')
    expect(await endOf(browser, forged.href)).toBe(failure('invalid_state'))
    expect(await endOf(browser, back)).toBe('/dashboard')
  })

  it('keeps the five newest sign-ins of a browser', async () => {
    issuer.user(newUser())
    const browser = createBrowser(app)
    const tabs: string[] = []
    for (let tab = 0; tab < 6; tab++) tabs.push(await browser.leave('oidc'))
    expect(browser.cookie('oauth_state')?.split('.')).toHaveLength(5)
    expect(await endOf(browser, tabs[0] ?? '')).toBe(failure('invalid_state'))
    expect(await endOf(browser, tabs[1] ?? '')).toBe('/dashboard')
  })

  it('forgets the path of an older sign-in when a new one names none', async () => {
    issuer.user(newUser())
    const browser = createBrowser(app)
    await browser.leave('oidc', '/older')
    const back = new URL(await browser.leave('oidc'))
    back.searchParams.set('error', 'access_denied')
    expect(await endOf(browser, back.href)).toBe(failure('access_denied'))
  })

  it('refuses the state of another provider, and one that is too old', async () => {
    const { browser, back } = await begin()
    expect(await endOf(browser, back.replace('/oidc/', '/google/'))).toBe(failure('invalid_state'))

    const past = await instance({
      oauth: { providers: providers() },
      clock: () => new Date(Date.now() - 11 * 60_000),
    })
    const late = createBrowser(past)
    expect(await endOf(late, await late.leave('oidc'))).toBe(failure('invalid_state'))
  })

  it.each(['', '?', '?code=a', '?state=a', '?code=a&state=b', '?state=a&state=b', '?code=%00&state=%00', '?code=%ff'])(
    'answers %j with invalid_state',
    async (query) => {
      const response = await client(app).get(`/auth/oauth/oidc/callback${query}`, { cookie: 'oauth_state=c' })
      expect(response.statusCode).toBe(302)
      expect(response.headers.location).toBe(`${PUBLIC_URL}${failure('invalid_state')}`)
    },
  )

  it('rejects a callback without a code', async () => {
    const { browser } = await begin()
    expect(await endOf(browser, `/auth/oauth/oidc/callback?state=${browser.cookie('oauth_state')}`)).toBe(
      failure('missing_code'),
    )
  })

  it('rejects a code that the provider does not know', async () => {
    const { browser, back } = await begin()
    const url = new URL(back)
    url.searchParams.set('code', 'invented')
    expect(await endOf(browser, url.href)).toBe(failure('callback_failed'))
  })

  it('passes on the error code of the provider if it is a plain word', async () => {
    for (const [error, reason] of [
      ['access_denied', 'access_denied'],
      ['login_required', 'login_required'],
      ['Access denied&x=1', 'callback_failed'],
      ['<script>', 'callback_failed'],
      ['a'.repeat(65), 'callback_failed'],
      ['//evil.example', 'callback_failed'],
    ] as const) {
      const { browser } = await begin()
      const query = new URLSearchParams({ error, state: browser.cookie('oauth_state') ?? '', error_description: 'x' })
      expect(await endOf(browser, `/auth/oauth/oidc/callback?${query}`)).toBe(failure(reason))
      expect(browser.cookie('oauth_state')).toBeUndefined()
    }
  })

  it('stores the data of a sign-in encrypted', async () => {
    const { browser } = await begin()
    const state = browser.cookie('oauth_state') ?? ''
    const dump = await database.dump?.()
    if (dump) expect(dump.join('\n')).not.toContain(state)
  })
})

describe('the gateway listener', () => {
  it('redirects to the provider and accepts the callback, with the public URL', async () => {
    const gateway = Fastify()
    onTestFinished(() => gateway.close())
    await gateway.register(app.eep.http, { prefix: '/api' })
    issuer.user(newUser())
    const begun = await client(gateway).get('/api/auth/oauth/oidc')
    const [cookie] = begun.cookies
    expect(cookie).toMatchObject({ name: 'oauth_state', path: '/auth/oauth' })
    const there = await fetch(String(begun.headers.location), { redirect: 'manual' })
    const back = new URL(there.headers.get('location') ?? '')
    expect(`${back.origin}${back.pathname}`).toBe(`${PUBLIC_URL}/auth/oauth/oidc/callback`)
    const response = await client(gateway).get(`/api${back.pathname}${back.search}`, {
      cookie: `oauth_state=${cookie?.value}`,
    })
    expect(response.headers.location).toBe(`${PUBLIC_URL}/dashboard`)
  })
})
