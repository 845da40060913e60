import { eep } from '@eep/core'
import { oauthServer } from '@eep/core/oauth-server'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { BASIC_SCOPES } from '../../support/oauth-server.ts'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'
const HASH = 'a'.repeat(64)

let service: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  service = await createTestApp()
})
afterAll(() => service.close())

/** A service on its own server, with its own storage. */
async function open(
  options: { readonly publicUrl: string; readonly prefix?: string; readonly logger?: object },
  feature: Parameters<typeof oauthServer>[0] = {},
) {
  const database = await openStorage()
  const { prefix, publicUrl, logger } = options
  const app: FastifyInstance = Fastify({ ...(logger && { logger }) })
  await app.register(eep, {
    publicUrl,
    secret: SECRET,
    storage: database.storage,
    modules: [oauthServer(feature)],
    ...(prefix === undefined ? {} : { prefix }),
  })
  return {
    app,
    async close() {
      await app.close()
      await database.close()
    },
  }
}

describe('the metadata of the authorization server', () => {
  it('name the issuer exactly, and what it supports', async () => {
    const response = await client(service.app).get(SERVER)
    expect(response.statusCode).toBe(200)
    const metadata = response.json<Record<string, unknown>>()
    expect(metadata).toMatchObject({
      issuer: PUBLIC_URL,
      authorization_endpoint: `${PUBLIC_URL}/oauth/authorize`,
      token_endpoint: `${PUBLIC_URL}/oauth/token`,
      registration_endpoint: `${PUBLIC_URL}/oauth/register`,
      revocation_endpoint: `${PUBLIC_URL}/oauth/revoke`,
      device_authorization_endpoint: `${PUBLIC_URL}/oauth/device_authorization`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'EdDSA'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    expect(metadata).not.toHaveProperty('introspection_endpoint')
    expect(metadata).not.toHaveProperty('jwks_uri')
    const scopes = metadata.scopes_supported as readonly string[]
    for (const scope of [...BASIC_SCOPES, 'spend:payments']) expect(scopes).toContain(scope)
    for (const scope of ['manage:keys', 'read:audit', 'write:subscriptions', 'offline_access', 'openid'])
      expect(scopes).not.toContain(scope)
  })

  it('do not include metadata of OpenID Connect', async () => {
    expect((await client(service.app).get('/.well-known/openid-configuration')).statusCode).toBe(404)
  })

  it('follow what the operator switches off and configures', async () => {
    const other = await createTestApp({
      oauthServer: {
        registration: false,
        device: false,
        cimd: false,
        clients: [{ id: 'app', name: 'App', redirectUris: ['https://app.example/cb'], secretHash: HASH }],
        resourceServers: [{ id: 'files', secretHash: HASH }],
        grantableScopes: ['read:content'],
        paths: { token: '/oauth2/token' },
      },
    })
    const metadata = (await client(other.app).get(SERVER)).json<Record<string, unknown>>()
    expect(metadata).toMatchObject({
      token_endpoint: `${PUBLIC_URL}/oauth2/token`,
      introspection_endpoint: `${PUBLIC_URL}/oauth/introspect`,
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt', 'client_secret_basic', 'client_secret_post'],
      scopes_supported: ['read:content'],
      client_id_metadata_document_supported: false,
      grant_types_supported: ['authorization_code', 'refresh_token'],
    })
    expect(metadata).not.toHaveProperty('registration_endpoint')
    expect(metadata).not.toHaveProperty('device_authorization_endpoint')
    for (const path of ['/oauth/register', '/oauth/device_authorization', '/oauth/token'])
      expect((await client(other.app).post(path, {})).statusCode).toBe(404)
    await other.close()
  })

  it('are cached by their ETag, and read by pages of any origin', async () => {
    for (const path of [SERVER, RESOURCE]) {
      const { headers } = await client(service.app).get(path, { origin: 'https://anywhere.example' })
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        etag: expect.stringMatching(/^"[^"]+"$/),
      })
      const again = await client(service.app).get(path, { 'if-none-match': String(headers.etag) })
      expect(again.statusCode).toBe(304)
    }
  })
})

describe('the metadata of the service as a resource', () => {
  it('name the address that they describe, and few scopes', async () => {
    expect((await client(service.app).get(RESOURCE)).json()).toMatchObject({
      resource: PUBLIC_URL,
      authorization_servers: [PUBLIC_URL],
      scopes_supported: BASIC_SCOPES,
      bearer_methods_supported: ['header'],
    })
  })
})

describe('a service below a path', () => {
  const publicUrl = 'https://host.example/eep'

  it('has its metadata at the root of the host, with the path inserted', async () => {
    const { app, close } = await open({ publicUrl, prefix: '/eep' })
    await app.register(app.eep.oauthServer.wellKnown)
    await app.ready()
    const server = await client(app).get(`${SERVER}/eep`)
    expect(server.json()).toMatchObject({ issuer: publicUrl, token_endpoint: `${publicUrl}/oauth/token` })
    expect(server.headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
    })
    const again = await client(app).get(`${SERVER}/eep`, { 'if-none-match': String(server.headers.etag) })
    expect(again.statusCode).toBe(304)
    expect((await client(app).get(`${RESOURCE}/eep`)).json()).toMatchObject({ resource: publicUrl })
    expect((await client(app).post('/eep/oauth/token', {})).statusCode).toBe(415)
    await close()
  })

  it('warns at the start while the root of the host does not have them', async () => {
    const warnedBy = async (add?: (app: FastifyInstance) => void) => {
      const lines: string[] = []
      const stream = { write: (line: string) => void lines.push(line) }
      const { app, close } = await open({ publicUrl, prefix: '/eep', logger: { level: 'warn', stream } })
      add?.(app)
      await app.ready()
      await close()
      return lines.filter((line) => line.includes('oauthServer.wellKnown'))
    }
    const [warning, ...others] = await warnedBy()
    expect(others).toEqual([])
    for (const path of [`${SERVER}/eep`, `${RESOURCE}/eep`]) expect(warning).toContain(`https://host.example${path}`)
    expect(await warnedBy((app) => void app.register(app.eep.oauthServer.wellKnown))).toEqual([])
  })

  it('returns 404 with the right address below another prefix', async () => {
    const { app, close } = await open({ publicUrl: 'https://host.example', prefix: '/api' })
    await app.ready()
    for (const method of ['GET', 'POST'] as const) {
      const response = await client(app).send(method, '/api/oauth/token')
      expect(response.statusCode).toBe(404)
      expect(response.body).toContain('https://host.example/oauth/token')
    }
    expect((await client(app).get(`/api${SERVER}`)).json()).toMatchObject({ issuer: 'https://host.example' })
    await close()
  })
})

describe('a service without https', () => {
  it('refuses to start with the server, which names the reason', async () => {
    await expect(open({ publicUrl: 'http://host.example' })).rejects.toThrow(/oauth-server.*https/)
  })

  it('has the server on this computer', async () => {
    const { app, close } = await open({ publicUrl: 'http://localhost:3000' })
    await app.ready()
    expect((await client(app).get(SERVER)).json()).toMatchObject({ issuer: 'http://localhost:3000' })
    await close()
  })

  it('goes without it among all features, and advertises nothing', async () => {
    const plain = await createTestApp({ publicUrl: 'http://host.example' })
    expect((await client(plain.app).get(SERVER)).statusCode).toBe(404)
    expect((await client(plain.app).post('/oauth/token')).statusCode).toBe(404)
    const { headers } = await client(plain.app).get('/auth/me')
    expect(String(headers['www-authenticate'])).not.toContain('resource_metadata')
    await plain.close()
  })
})
