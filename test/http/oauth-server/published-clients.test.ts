import { createHash } from 'node:crypto'
import { toFetchHandler } from '@eep/core'
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client-6-9'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { sendConsent } from '../../support/consent.ts'
import { browserOf } from '../../support/console.ts'
import { createAppSite, grantOf } from '../../support/oauth-server.ts'

// The clients are used as they are published. Their requests go to the service through its fetch-style handler.

const SECRET_OF_SERVER = 'a secret of the resource server'
const REDIRECT = 'http://127.0.0.1:4711/callback'
const issuer = new URL(PUBLIC_URL)

let site: Awaited<ReturnType<typeof createAppSite>>
let service: Awaited<ReturnType<typeof createTestApp>>
let ada: Person
let browser: Awaited<ReturnType<typeof browserOf>>
let key: CryptoKey
let fetching: { readonly [oauth.customFetch]: (url: string, options: object) => Promise<Response> }
/** How far the clock of the service is ahead. */
let aheadMs = 0
const now = () => new Date(Date.now() + aheadMs)
beforeAll(async () => {
  site = await createAppSite()
  service = await createTestApp({
    clock: now,
    http: { allowPrivateHosts: [site.host] },
    oauthServer: {
      resourceServers: [{ id: 'files', secretHash: createHash('sha256').update(SECRET_OF_SERVER).digest('hex') }],
    },
  })
  ada = await signUp(service.app)
  browser = await browserOf(service.app, ada)
  const handle = toFetchHandler(service.app, { clientAddress: () => '192.0.2.1' })
  fetching = { [oauth.customFetch]: (url, options) => handle(new Request(url, options)) }
  const pair = await generateKeyPair('ES256')
  key = pair.privateKey
  site.serve('/jwks.json', { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

/** Opens an authorization request in the browser of the person, who allows it. Returns the address of the answer. */
async function allowInBrowser(address: URL): Promise<URL> {
  const page = await browser.open(address.pathname + address.search)
  if (page.statusCode !== 200) throw new Error(`There is no page: ${page.statusCode} ${page.headers.location}`)
  const answer = await sendConsent(browser, service.app, page, { scopes: ['read:profiles', 'read:content'] })
  return new URL(String(answer.headers.location))
}

/** A person enters the code of a device and allows it. The page is tested elsewhere. */
const allowDevice = (userCode: string, clientId: string) =>
  service.storage.transaction((tx) =>
    tx.connectedApps.decideDevice(
      createHash('sha256').update(userCode.replace('-', '')).digest('hex'),
      grantOf(ada, { clientId }),
      now(),
    ),
  )

describe('oauth4webapi', () => {
  const discover = async () => {
    const found = await oauth.processResourceDiscoveryResponse(
      issuer,
      await oauth.resourceDiscoveryRequest(issuer, fetching),
    )
    expect(found.authorization_servers).toEqual([PUBLIC_URL])
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...fetching })
    return oauth.processDiscoveryResponse(issuer, response)
  }

  /** The address of an authorization request with PKCE, and what the client keeps of it. */
  async function authorization(as: oauth.AuthorizationServer, client: oauth.Client, redirectUri = REDIRECT) {
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const address = new URL(as.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope: 'read:profiles read:content',
      resource: PUBLIC_URL,
      state,
    }).toString()
    const parameters = oauth.validateAuthResponse(as, client, await allowInBrowser(address), state)
    return { parameters, verifier }
  }

  it('discovers the server from the resource, registers, gets a code, refreshes and revokes', async () => {
    const as = await discover()
    expect(as.pushed_authorization_request_endpoint).toBeUndefined()
    const registered = await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: 'oauth4webapi', redirect_uris: [REDIRECT] },
      fetching,
    )
    const client = await oauth.processDynamicClientRegistrationResponse(registered)
    const { parameters, verifier } = await authorization(as, client)
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, REDIRECT, verifier, fetching),
    )
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope: 'read:profiles read:content' })

    const read = (token: string) =>
      oauth.protectedResourceRequest(token, 'GET', new URL(`${PUBLIC_URL}/auth/me`), undefined, undefined, fetching)
    expect(await (await read(tokens.access_token)).json()).toMatchObject({ username: ada.account.username })

    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token ?? '', fetching),
    )
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)

    const introspected = await oauth.processIntrospectionResponse(
      as,
      { client_id: 'files' },
      await oauth.introspectionRequest(
        as,
        { client_id: 'files' },
        oauth.ClientSecretBasic(SECRET_OF_SERVER),
        refreshed.access_token,
        fetching,
      ),
    )
    expect(introspected).toMatchObject({ active: true, client_id: client.client_id, iss: PUBLIC_URL })

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, oauth.None(), refreshed.refresh_token ?? '', fetching),
    )
    await expect(read(refreshed.access_token)).rejects.toThrow(oauth.WWWAuthenticateChallengeError)
  })

  it('proves itself by private_key_jwt with the keys of its document', async () => {
    const as = await discover()
    const clientId = site.at('/oauth4webapi')
    const redirectUri = 'https://assistant.example/callback'
    site.serve('/oauth4webapi', {
      client_id: clientId,
      client_name: 'Assistant',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: site.at('/jwks.json'),
    })
    const client = { client_id: clientId }
    const { parameters, verifier } = await authorization(as, client, redirectUri)
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(
        as,
        client,
        oauth.PrivateKeyJwt({ key, kid: 'one' }),
        parameters,
        redirectUri,
        verifier,
        fetching,
      ),
    )
    expect(tokens.refresh_token).toBeDefined()
  })

  it('connects a device', async () => {
    const as = await discover()
    const registered = await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: [REDIRECT] }, fetching)
    const client = await oauth.processDynamicClientRegistrationResponse(registered)
    const codes = await oauth.processDeviceAuthorizationResponse(
      as,
      client,
      await oauth.deviceAuthorizationRequest(as, client, oauth.None(), new URLSearchParams(), fetching),
    )
    const poll = async () =>
      oauth.processDeviceCodeResponse(
        as,
        client,
        await oauth.deviceCodeGrantRequest(as, client, oauth.None(), codes.device_code, fetching),
      )
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' })
    await allowDevice(codes.user_code, client.client_id)
    aheadMs += 10_000
    expect((await poll()).token_type).toBe('bearer')
  })
})

describe('openid-client', () => {
  const configuration = async () => {
    const config = await openid.dynamicClientRegistration(
      issuer,
      { client_name: 'openid-client', redirect_uris: [REDIRECT] },
      openid.None(),
      { algorithm: 'oauth2', [openid.customFetch]: fetching[oauth.customFetch] },
    )
    config[openid.customFetch] = fetching[oauth.customFetch]
    return config
  }

  it('registers, gets a code and refreshes', async () => {
    const config = await configuration()
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: 'read:profiles read:content',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    const tokens = await openid.authorizationCodeGrant(config, await allowInBrowser(address), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(tokens.scope).toBe('read:profiles read:content')
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.access_token).not.toBe(tokens.access_token)
    await openid.tokenRevocation(config, refreshed.refresh_token ?? '')
    await expect(openid.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('connects a device', async () => {
    const config = await configuration()
    const codes = await openid.initiateDeviceAuthorization(config, {})
    await allowDevice(codes.user_code, config.clientMetadata().client_id)
    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...codes, interval: 1 })
    expect(tokens.token_type).toBe('bearer')
  })
})
