import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import {
  allow,
  BASIC_SCOPES,
  bearer,
  connect,
  credentialText,
  oauthErrorOf,
  redeem,
  refresh,
  registerApp,
  sendForm,
  type Tokens,
  VERIFIER,
} from '../../support/oauth-server.ts'

let service: Awaited<ReturnType<typeof createTestApp>>
let ada: Person
let clientId: string
beforeAll(async () => {
  service = await createTestApp()
  ada = await signUp(service.app)
  clientId = await registerApp(service.app)
})
afterAll(() => service.close())

const me = (token: string) => client(service.app).get('/auth/me', bearer(token))

describe('the token endpoint', () => {
  it('redeems a code for tokens that act for the account within their scopes', async () => {
    const code = await allow(service, ada, { clientId })
    const response = await redeem(service.app, { code, client_id: clientId })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['access-control-allow-origin']).toBe('*')
    const tokens = response.json<Tokens>()
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^eepa_[0-9A-Za-z]{49}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^eepr_/),
      scope: BASIC_SCOPES.join(' '),
    })
    const profile = await me(tokens.access_token)
    expect(profile.statusCode).toBe(200)
    expect(profile.json()).toMatchObject({ username: ada.account.username })
    expect(profile.body).not.toContain(ada.account.email)
  })

  it('refuses what does not belong to the code, and the code is still good afterwards', async () => {
    const other = await registerApp(service.app, { client_name: 'Other' })
    const code = await allow(service, ada, { clientId })
    const wrong = [
      { client_id: other },
      { client_id: clientId, redirect_uri: 'http://127.0.0.1:4000/callback' },
      { client_id: clientId, code_verifier: `${VERIFIER}x` },
      { client_id: clientId, code_verifier: 'short' },
      { client_id: clientId, code: credentialText('eepc_') },
      { client_id: clientId, code: credentialText('eepa_') },
    ]
    for (const each of wrong) {
      const response = await redeem(service.app, { code, ...each })
      expect([response.statusCode, oauthErrorOf(response)]).toEqual([400, 'invalid_grant'])
    }
    expect((await redeem(service.app, { code, client_id: clientId })).statusCode).toBe(200)
  })

  it('ends the connection when its code is redeemed again', async () => {
    const code = await allow(service, ada, { clientId })
    const { access_token, refresh_token } = (await redeem(service.app, { code, client_id: clientId })).json<Tokens>()
    expect(oauthErrorOf(await redeem(service.app, { code, client_id: clientId }))).toBe('invalid_grant')
    expect((await me(access_token)).statusCode).toBe(401)
    expect(oauthErrorOf(await refresh(service.app, refresh_token, { client_id: clientId }))).toBe('invalid_grant')
  })

  it('keeps the connection when another app sends the redeemed code', async () => {
    const other = await registerApp(service.app, { client_name: 'Other' })
    const code = await allow(service, ada, { clientId })
    const { access_token } = (await redeem(service.app, { code, client_id: clientId })).json<Tokens>()
    expect(oauthErrorOf(await redeem(service.app, { code, client_id: other }))).toBe('invalid_grant')
    expect((await me(access_token)).statusCode).toBe(200)
  })

  it('gives one pair of tokens to 20 redemptions of one code, and ends its connection', async () => {
    const code = await allow(service, ada, { clientId })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => redeem(service.app, { code, client_id: clientId })),
    )
    const granted = responses.filter(({ statusCode }) => statusCode === 200)
    expect(granted).toHaveLength(1)
    const [first] = granted
    expect((await me(first?.json<Tokens>().access_token ?? '')).statusCode).toBe(401)
  })

  it('refuses a code that expired, and one whose session ended', async () => {
    const expired = await allow(service, ada, { clientId, seconds: -1 })
    expect(oauthErrorOf(await redeem(service.app, { code: expired, client_id: clientId }))).toBe('invalid_grant')
    const ended = await allow(service, ada, { clientId, sessionId: '00000000-0000-4000-8000-000000000000' })
    expect(oauthErrorOf(await redeem(service.app, { code: ended, client_id: clientId }))).toBe('invalid_grant')
  })

  it('refuses a banned account', async () => {
    const banned = await signUp(service.app)
    const tokens = await connect(service, banned)
    const code = await allow(service, banned, { clientId })
    await service.storage.transaction((tx) => tx.accounts.save(banned.account.id, { bannedAt: new Date() }))
    expect((await me(tokens.access_token)).statusCode).toBe(401)
    expect(oauthErrorOf(await redeem(service.app, { code, client_id: clientId }))).toBe('invalid_grant')
    const refreshed = await refresh(service.app, tokens.refresh_token, { client_id: tokens.clientId })
    expect(oauthErrorOf(refreshed)).toBe('invalid_grant')
  })

  it.each<[string, Record<string, string | string[] | undefined>, number, string]>([
    ['no grant type', { grant_type: undefined }, 400, 'invalid_request'],
    ['a grant that does not exist', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['client credentials', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['no code', { code: undefined }, 400, 'invalid_request'],
    ['an empty code', { code: '' }, 400, 'invalid_request'],
    ['no verifier', { code_verifier: undefined }, 400, 'invalid_request'],
    ['a repeated code', { code: [credentialText('eepc_'), credentialText('eepc_')] }, 400, 'invalid_request'],
    ['a repeated client', { client_id: ['a', 'b'] }, 400, 'invalid_request'],
    ['no client', { client_id: undefined }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['a secret of an app without one', { client_secret: 'x' }, 401, 'invalid_client'],
    ['a resource of another service', { resource: 'https://other.example' }, 400, 'invalid_target'],
  ])('answers %s with the body of RFC 6749', async (_what, parameters, status, error) => {
    const response = await redeem(service.app, { code: credentialText('eepc_'), client_id: clientId, ...parameters })
    expect(response.statusCode).toBe(status)
    expect(response.json()).toEqual({ error, error_description: expect.any(String), code: error })
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['access-control-allow-origin']).toBe('*')
  })

  it('takes forms only', async () => {
    const response = await client(service.app).post('/oauth/token', { grant_type: 'refresh_token' })
    expect([response.statusCode, oauthErrorOf(response)]).toEqual([415, 'invalid_request'])
  })

  it('ignores parameters that it does not know', async () => {
    const code = await allow(service, ada, { clientId })
    const response = await redeem(service.app, { code, client_id: clientId, audience: 'x', __proto__x: 'y' })
    expect(response.statusCode).toBe(200)
  })

  it('is read by pages of any origin, without their cookies', async () => {
    const response = await sendForm(service.app, '/oauth/token', {}, { origin: 'https://anywhere.example' })
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('a refresh token', () => {
  it('is rotated at each use, and gets the same successor within a minute', async () => {
    const { refresh_token: first } = await connect(service, ada, { clientId })
    const [one, two] = await Promise.all([
      refresh(service.app, first, { client_id: clientId }),
      refresh(service.app, first, { client_id: clientId }),
    ])
    const tokens = [one, two].map((response) => response.json<Tokens>())
    expect(tokens[0]?.refresh_token).not.toBe(first)
    expect(tokens[1]?.refresh_token).toBe(tokens[0]?.refresh_token)
    expect(tokens[1]?.access_token).not.toBe(tokens[0]?.access_token)
    for (const { access_token } of tokens) expect((await me(access_token)).statusCode).toBe(200)
  })

  it('ends the connection when a generation before the last is used', async () => {
    const { refresh_token: first } = await connect(service, ada, { clientId })
    const second = (await refresh(service.app, first, { client_id: clientId })).json<Tokens>()
    const third = (await refresh(service.app, second.refresh_token, { client_id: clientId })).json<Tokens>()
    expect(oauthErrorOf(await refresh(service.app, first, { client_id: clientId }))).toBe('invalid_grant')
    expect((await me(third.access_token)).statusCode).toBe(401)
    expect(oauthErrorOf(await refresh(service.app, third.refresh_token, { client_id: clientId }))).toBe('invalid_grant')
  })

  it('is refused when it was forged, and then nothing ends', async () => {
    const tokens = await connect(service, ada, { clientId })
    const parts = tokens.refresh_token.split('.')
    const forged = [
      `${parts[0]}.9.${parts[2]}`,
      `${parts[0]}.${parts[1]}.${'A'.repeat(43)}`,
      `eepr_00000000-0000-4000-8000-000000000000.1.${parts[2]}`,
      'eepr_nothing',
    ]
    for (const each of forged) {
      expect(oauthErrorOf(await refresh(service.app, each, { client_id: clientId }))).toBe('invalid_grant')
    }
    expect((await me(tokens.access_token)).statusCode).toBe(200)
  })

  it('is refused to another app, and then nothing ends', async () => {
    const tokens = await connect(service, ada, { clientId })
    const other = await registerApp(service.app, { client_name: 'Other' })
    expect(oauthErrorOf(await refresh(service.app, tokens.refresh_token, { client_id: other }))).toBe('invalid_grant')
    expect((await refresh(service.app, tokens.refresh_token, { client_id: clientId })).statusCode).toBe(200)
  })

  it('narrows the scope of an access token, and never widens it', async () => {
    const tokens = await connect(service, ada, { clientId, scopes: ['read:profiles', 'read:content'] })
    const wider = await refresh(service.app, tokens.refresh_token, {
      client_id: clientId,
      scope: 'read:profiles write:content',
    })
    expect(oauthErrorOf(wider)).toBe('invalid_scope')
    const narrower = (
      await refresh(service.app, tokens.refresh_token, { client_id: clientId, scope: 'read:content' })
    ).json<Tokens>()
    expect(narrower.scope).toBe('read:content')
    const again = (await refresh(service.app, narrower.refresh_token, { client_id: clientId })).json<Tokens>()
    expect(again.scope).toBe('read:profiles read:content')
  })
})

describe('an access token', () => {
  it('is refused on every route once its connection ended, public ones included', async () => {
    const tokens = await connect(service, ada, { clientId })
    await sendForm(service.app, '/oauth/revoke', { token: tokens.refresh_token, client_id: clientId })
    for (const path of ['/auth/me', `/u/${ada.account.username}`, '/search?q=x']) {
      const response = await client(service.app).get(path, bearer(tokens.access_token))
      expect([path, response.statusCode]).toEqual([path, 401])
      expect(response.headers['www-authenticate']).toContain('error="invalid_token"')
    }
  })

  it('is refused where only a session may act', async () => {
    const { access_token } = await connect(service, ada, { clientId, scopes: [...BASIC_SCOPES, 'write:profiles'] })
    for (const path of ['/auth/sessions', '/auth/passkeys']) {
      expect((await client(service.app).get(path, bearer(access_token))).statusCode).toBe(403)
    }
  })

  it('is read from the header alone, and a refused one does not fall back to the session', async () => {
    const { access_token } = await connect(service, ada, { clientId })
    const inQuery = await client(service.app).get(`/auth/me?access_token=${access_token}`)
    expect(inQuery.statusCode).toBe(401)
    const cookie = `__Host-eep_session=${ada.token}`
    const both = await client(service.app).get('/auth/me', { ...bearer(credentialText('eepa_')), cookie })
    expect(both.statusCode).toBe(401)
    const asCookie = await client(service.app).get('/auth/me', { cookie: `__Host-eep_session=${access_token}` })
    expect(asCookie.statusCode).toBe(401)
  })

  it('names where to connect when it is missing or refused', async () => {
    const metadata = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource"`
    const missing = await client(service.app).get('/auth/me')
    expect(missing.headers['www-authenticate']).toContain(metadata)
    expect(missing.headers['www-authenticate']).not.toContain('error=')
    const refused = await me(credentialText('eepa_'))
    expect(refused.headers['www-authenticate']).toContain(metadata)
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"')
  })
})
