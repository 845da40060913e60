import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../../kernel/digest.ts'
import type { App } from './app.ts'
import { createClientAuthentication, readCredentials, type SentCredentials } from './client-authentication.ts'
import { configuredApps } from './configured.ts'
import { createResolveClient } from './resolve-client.ts'

const SECRET = 'a secret of the app, made by the operator'
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
const redirectUris = ['https://app.example/cb']
const configured = configuredApps([
  { id: 'public-app', name: 'Public', redirectUris },
  { id: 'secret app:1'.replaceAll(/[ :]/g, '-'), name: 'Secret', redirectUris, secretHash: sha256(SECRET) },
  { id: 'signing-app', name: 'Signing', redirectUris, jwksUri: 'https://app.example/jwks' },
])
const documented: App = {
  kind: 'cimd',
  clientId: 'https://app.example/client',
  name: 'App',
  host: 'app.example',
  verified: true,
  redirectUris,
  authentication: 'private_key_jwt',
  listedHosts: ['app.example'],
}

const authenticate = createClientAuthentication({
  resolveClient: createResolveClient({
    configured,
    documents: { get: async () => documented },
    registrations: undefined,
    ownHosts: new Set(['eep.example']),
    blockedHosts: ['evil.example'],
  }),
  verifyAssertion: async () => {},
  blockedHosts: ['evil.example'],
})
const codeOf = async (sent: SentCredentials, context = { address: '192.0.2.1' }) => {
  try {
    return (await authenticate(readCredentials(sent), context)).clientId
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

describe('the credentials of an app', () => {
  it('are a secret in the header or in the body, for an app that has one', async () => {
    expect(await codeOf({ authorization: basic('secret-app-1', SECRET) })).toBe('secret-app-1')
    expect(await codeOf({ client_id: 'secret-app-1', client_secret: SECRET })).toBe('secret-app-1')
    expect(await codeOf({ client_id: 'secret-app-1', client_secret: `${SECRET}x` })).toBe('invalid_client')
    expect(await codeOf({ authorization: basic('secret-app-1', '') })).toBe('invalid_client')
  })

  it('are demanded of each app by the method that it has, and no other is accepted', async () => {
    expect(await codeOf({ client_id: 'public-app' })).toBe('public-app')
    expect(await codeOf({ client_id: 'public-app', client_secret: SECRET })).toBe('invalid_client')
    expect(await codeOf({ client_id: 'secret-app-1' })).toBe('invalid_client')
    expect(await codeOf({ client_id: 'signing-app' })).toBe('invalid_client')
    expect(await codeOf({ client_id: 'signing-app', client_secret: '' })).toBe('invalid_client')
    expect(await codeOf({ client_id: documented.clientId })).toBe('invalid_client')
  })

  it('are refused when there are two, or when they name two apps', async () => {
    const authorization = basic('secret-app-1', SECRET)
    expect(await codeOf({ authorization, client_secret: SECRET })).toBe('invalid_request')
    expect(await codeOf({ authorization, client_assertion: 'x.y.z' })).toBe('invalid_request')
    expect(await codeOf({ authorization, client_id: 'public-app' })).toBe('invalid_request')
    expect(await codeOf({ client_id: 'public-app', client_assertion: 'x.y.z' })).toBe('invalid_request')
  })

  it('need an id of the right form', async () => {
    expect(await codeOf({})).toBe('invalid_client')
    expect(await codeOf({ client_id: '' })).toBe('invalid_client')
    expect(await codeOf({ client_id: 'unknown' })).toBe('invalid_client')
    expect(await codeOf({ client_id: 'https://x.evil.example/client' })).toBe('invalid_client')
  })

  it('lead to no fetch for a request without an account and an address', async () => {
    expect(await codeOf({ client_id: documented.clientId }, {} as { address: string })).toBe('invalid_client')
  })

  it('answer Basic credentials with a challenge of that scheme', () => {
    expect(() => readCredentials({ authorization: 'Basic !' })).toThrow(
      expect.objectContaining({ code: 'invalid_client', challenges: [expect.objectContaining({ scheme: 'Basic' })] }),
    )
  })

  it('are read back from Basic credentials whatever they contain', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40 }), fc.string({ maxLength: 60 }), (id, secret) => {
        expect(readCredentials({ authorization: basic(id.toWellFormed(), secret.toWellFormed()) })).toEqual({
          clientId: id.toWellFormed(),
          method: 'secret',
          secret: secret.toWellFormed(),
          isBasic: true,
        })
      }),
    )
  })

  it('are read from any header without another error', () => {
    fc.assert(
      fc.property(fc.string(), (authorization) => {
        try {
          readCredentials({ authorization })
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_client' })
        }
      }),
    )
  })

  it('knows no app by a document on this service, where users publish files', async () => {
    expect(await codeOf({ client_id: 'https://eep.example/files/client.json' })).toBe('invalid_client')
  })
})
