import { createHash } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client, type Response } from '../../support/client.ts'
import {
  type Allowed,
  allow,
  connect,
  createAppSite,
  credentialText,
  oauthErrorOf,
  redeem,
  refresh,
  registerApp,
  sendForm,
  type Tokens,
  VERIFIER,
} from '../../support/oauth-server.ts'

const SECRET_OF_APP = 'a secret that the operator made for the app'
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback'
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const CODE_GRANT = {
  grant_type: 'authorization_code',
  redirect_uri: 'https://app.example/cb',
  code_verifier: VERIFIER,
}

let site: Awaited<ReturnType<typeof createAppSite>>
let service: Awaited<ReturnType<typeof createTestApp>>
let ada: Person
let key: CryptoKey
beforeAll(async () => {
  site = await createAppSite()
  service = await createTestApp({
    http: { allowPrivateHosts: [site.host] },
    oauthServer: {
      clients: [
        {
          id: 'confidential',
          name: 'Confidential',
          redirectUris: ['https://app.example/cb'],
          secretHash: createHash('sha256').update(SECRET_OF_APP).digest('hex'),
        },
      ],
    },
  })
  ada = await signUp(service.app)
  const pair = await generateKeyPair('ES256')
  key = pair.privateKey
  site.serve('/jwks.json', { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

/** Serves a document of an app, and returns its id. */
function publish(path: string, more: object = {}): string {
  const id = site.at(path)
  site.serve(path, { client_id: id, client_name: 'App', redirect_uris: ['https://app.example/cb'], ...more })
  return id
}

const codeFor = (clientId: string, redirectUri: string, kind: Allowed['kind'] = 'cimd') =>
  allow(service, ada, { clientId, redirectUri, kind })

async function redeemFor(clientId: string, redirectUri: string, more: Record<string, string> = {}): Promise<Response> {
  const code = await codeFor(clientId, redirectUri)
  return redeem(service.app, { code, client_id: clientId, redirect_uri: redirectUri, ...more })
}

const assertion = (clientId: string, more: object = {}) =>
  new SignJWT({ iss: clientId, sub: clientId, aud: PUBLIC_URL, jti: crypto.randomUUID(), ...more })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setExpirationTime('1m')
    .sign(key)

describe('an app with a document', () => {
  it('redeems codes without a secret, as Claude does', async () => {
    const redirectUri = 'https://claude.ai/api/mcp/auth_callback'
    const id = publish('/claude', {
      client_name: 'Claude',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    })
    expect((await redeemFor(id, redirectUri)).statusCode).toBe(200)
  })

  it('redeems codes on any port of this computer, as Claude Code does', async () => {
    const id = publish('/claude-code', { redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'] })
    expect((await redeemFor(id, 'http://localhost:54321/callback')).statusCode).toBe(200)
  })

  it('gets no token without the proof that its document names, as ChatGPT', async () => {
    const redirectUri = 'https://chatgpt.com/connector_platform_oauth_redirect'
    const id = publish('/chatgpt', {
      client_name: 'ChatGPT',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: site.at('/jwks.json'),
    })
    expect(oauthErrorOf(await redeemFor(id, redirectUri))).toBe('invalid_client')
    const proof = { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion(id) }
    const granted = await redeemFor(id, redirectUri, proof)
    expect(granted.statusCode).toBe(200)
    expect(oauthErrorOf(await redeemFor(id, redirectUri, proof))).toBe('invalid_client')

    const { refresh_token } = granted.json<Tokens>()
    expect(oauthErrorOf(await refresh(service.app, refresh_token, { client_id: id }))).toBe('invalid_client')
    const again = { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion(id) }
    expect((await refresh(service.app, refresh_token, again)).statusCode).toBe(200)
  })

  it.each<[string, object]>([
    ['another issuer', { iss: 'https://evil.example/client' }],
    ['another audience', { aud: 'https://evil.example' }],
    ['two audiences', { aud: [PUBLIC_URL, 'https://evil.example'] }],
    ['no jti', { jti: undefined }],
  ])('is refused with an assertion for %s', async (_what, more) => {
    const id = publish('/signing', {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: site.at('/jwks.json'),
    })
    const response = await redeemFor(id, 'https://app.example/cb', {
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await assertion(id, more),
    })
    expect([response.statusCode, oauthErrorOf(response)]).toEqual([401, 'invalid_client'])
  })

  it('goes on with its connection when its document changes', async () => {
    const id = publish('/changing')
    const { refresh_token } = (await redeemFor(id, 'https://app.example/cb')).json<Tokens>()
    publish('/changing', { client_name: 'Other', redirect_uris: ['https://app.example/other'] })
    expect((await refresh(service.app, refresh_token, { client_id: id })).statusCode).toBe(200)
  })

  it.each<[string, object, { status?: number; headers?: Record<string, string> }]>([
    ['redirects', {}, { status: 302, headers: { location: '/claude' } }],
    ['is not JSON', {}, { headers: { 'content-type': 'text/html' } }],
    ['has another client_id', { client_id: 'https://app.example/other' }, {}],
    ['names a secret', { client_secret: 'x' }, {}],
    ['names a method with a secret', { token_endpoint_auth_method: 'client_secret_post' }, {}],
    ['is larger than 32 KiB', { padding: 'x'.repeat(33_000) }, {}],
  ])('is refused when its document %s', async (what, more, answer) => {
    const path = `/refused-${what.replaceAll(' ', '-')}`
    const id = site.at(path)
    site.serve(path, { client_id: id, redirect_uris: ['https://app.example/cb'], ...more }, answer)
    const response = await redeemFor(id, 'https://app.example/cb')
    expect([response.statusCode, oauthErrorOf(response)]).toEqual([401, 'invalid_client'])
  })

  it('is never fetched from a private address', async () => {
    for (const host of ['127.0.0.2', 'localhost', '10.0.0.1', '169.254.169.254', '[::1]', 'metadata.internal']) {
      const response = await redeemFor(`https://${host}/client`, 'https://app.example/cb')
      expect([host, response.statusCode, oauthErrorOf(response)]).toEqual([host, 401, 'invalid_client'])
    }
  })

  it('is not fetched for a caller that has no refresh token of it', async () => {
    const id = publish('/not-fetched')
    const before = site.requests.length
    const response = await refresh(service.app, `eepr_x.1.${'A'.repeat(43)}`, { client_id: id })
    expect(oauthErrorOf(response)).toBe('invalid_grant')
    expect(site.requests).toHaveLength(before)
  })

  it.each<[string, string, Record<string, string>, number]>([
    ['code', '/oauth/token', { ...CODE_GRANT, code: credentialText('eepc_') }, 400],
    ['code of another app', '/oauth/token', CODE_GRANT, 400],
    ['device code', '/oauth/token', { grant_type: DEVICE_GRANT, device_code: credentialText('eepg_') }, 400],
    ['token to revoke', '/oauth/revoke', { token: credentialText('eepa_') }, 200],
  ])('is not fetched for a client who has no %s', async (what, path, parameters, status) => {
    const id = publish(`/not-fetched-${what.replaceAll(' ', '-')}`)
    const code = await codeFor('confidential', 'https://app.example/cb', 'configured')
    const before = site.requests.length
    const response = await sendForm(service.app, path, { code, ...parameters, client_id: id })
    expect([response.statusCode, response.json().error]).toEqual([status, status === 200 ? undefined : 'invalid_grant'])
    expect(site.requests).toHaveLength(before)
  })
})

describe('an app that registers', () => {
  const register = (body: object) => client(service.app).post('/oauth/register', body)

  it('gets an id without a secret, and its names as they are shown', async () => {
    const response = await register({
      client_name: 'My\u202e assistant\u200b',
      redirect_uris: ['http://localhost:6274/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'read:content openid',
    })
    expect(response.statusCode).toBe(201)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json()).toEqual({
      client_id: expect.stringMatching(/^eepd_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'My assistant',
      redirect_uris: ['http://localhost:6274/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'read:content',
    })
  })

  it('keeps the private-use address that the operator permits, and no other', async () => {
    const response = await register({ redirect_uris: [CURSOR, 'vscode://x/cb', 'https://www.cursor.com/cb'] })
    expect(response.json()).toMatchObject({ redirect_uris: [CURSOR, 'https://www.cursor.com/cb'] })
  })

  it.each<[string, object, string]>([
    ['no redirect URIs', {}, 'invalid_client_metadata'],
    ['an empty list', { redirect_uris: [] }, 'invalid_client_metadata'],
    ['a text', { redirect_uris: 'https://app.example/' }, 'invalid_client_metadata'],
    ['http on another computer', { redirect_uris: ['http://app.example/'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://app.example/#a'] }, 'invalid_redirect_uri'],
    ['a wildcard', { redirect_uris: ['https://*.example/'] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['only private schemes', { redirect_uris: ['vscode://x/cb'] }, 'invalid_redirect_uri'],
    [
      'eleven redirect URIs',
      { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://app.example/${index}`) },
      'invalid_redirect_uri',
    ],
  ])('is refused with %s', async (_what, body, error) => {
    const response = await register(body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ error, error_description: expect.any(String), code: error })
  })

  it('stores nothing', async () => {
    const before = await database()
    for (let index = 0; index < 20; index += 1) await registerApp(service.app, { client_name: `App ${index}` })
    expect(await database()).toEqual(before)
  })

  it('registers again when the secret of its id is gone, and refreshes meanwhile', async () => {
    const { clientId, refresh_token } = await connect(service, ada)
    const rotated = await createTestApp({
      storage: service.storage,
      secret: ['another secret of thirty-two characters'],
    })
    const code = await allow(service, ada, { clientId })
    expect(oauthErrorOf(await redeem(rotated.app, { code, client_id: clientId }))).toBe('invalid_client')
    await rotated.app.close()
    expect((await refresh(service.app, refresh_token, { client_id: clientId })).statusCode).toBe(200)
  })
})

/** The live connections of the account. */
const database = () =>
  service.storage.transaction((tx) =>
    tx.connectedApps.listOfAccount(ada.account.id, { now: new Date() }, { limit: 100 }),
  )

describe('an app that the operator configured', () => {
  const redirectUri = 'https://app.example/cb'
  const basic = `Basic ${Buffer.from(`confidential:${encodeURIComponent(SECRET_OF_APP)}`).toString('base64')}`

  it('proves itself by its secret, in the header or in the body', async () => {
    const code = await codeFor('confidential', redirectUri, 'configured')
    const without = await redeem(service.app, { code, client_id: 'confidential', redirect_uri: redirectUri })
    expect(oauthErrorOf(without)).toBe('invalid_client')
    const wrong = await redeem(service.app, {
      code,
      client_id: 'confidential',
      client_secret: 'wrong',
      redirect_uri: redirectUri,
    })
    expect(oauthErrorOf(wrong)).toBe('invalid_client')
    const response = await redeem(service.app, {
      code,
      client_id: 'confidential',
      client_secret: SECRET_OF_APP,
      redirect_uri: redirectUri,
    })
    expect(response.statusCode).toBe(200)
    const refreshed = await client(service.app).post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: response.json<Tokens>().refresh_token,
      }).toString(),
      { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
    )
    expect(refreshed.statusCode).toBe(200)
  })

  it('gets the scheme of its challenge when its credentials are refused', async () => {
    const response = await client(service.app).post('/oauth/token', 'grant_type=refresh_token&refresh_token=x', {
      authorization: `Basic ${Buffer.from('confidential:wrong').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(response.statusCode).toBe(400)
    const code = await codeFor('confidential', redirectUri, 'configured')
    const refused = await client(service.app).post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: 'x'.repeat(43),
      }).toString(),
      {
        authorization: `Basic ${Buffer.from('confidential:wrong').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    )
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['www-authenticate']).toMatch(/^Basic /)
  })
})

describe('an app that the operator blocks', () => {
  it('loses its connections with the next refresh, and gets no new ones', async () => {
    const id = publish('/blocked', { redirect_uris: ['https://blocked.example/cb'] })
    const { refresh_token } = (await redeemFor(id, 'https://blocked.example/cb')).json<Tokens>()
    const blocking = await createTestApp({
      storage: service.storage,
      http: { allowPrivateHosts: [site.host] },
      oauthServer: { blockedClients: ['blocked.example'] },
    })
    expect(oauthErrorOf(await refresh(blocking.app, refresh_token, { client_id: id }))).toBe('invalid_grant')
    await blocking.app.close()
    expect(oauthErrorOf(await refresh(service.app, refresh_token, { client_id: id }))).toBe('invalid_grant')
  })
})
