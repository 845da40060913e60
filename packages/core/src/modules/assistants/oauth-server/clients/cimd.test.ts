import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshMsOf, isJsonType, readDocument } from './cimd.ts'

const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback'
const options = { privateUseRedirects: [CURSOR], blockedHosts: ['evil.example'] }
const ID = 'https://app.example/client.json'
const document = { client_id: ID, client_name: 'App', redirect_uris: ['https://app.example/cb'] }
const read = (value: unknown, id = ID) => readDocument(id, JSON.stringify(value), options)
const refusal = (value: unknown) => {
  const result = read(value)
  return 'refused' in result ? result.refused : undefined
}

describe('a document of an app', () => {
  it('describes an app without a secret as Claude publishes it', () => {
    const id = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
    const app = read(
      {
        client_id: id,
        client_name: 'Claude',
        client_uri: 'https://claude.ai',
        redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      id,
    )
    expect(app).toMatchObject({
      kind: 'cimd',
      name: 'Claude',
      host: 'claude.ai',
      verified: true,
      authentication: 'none',
      listedHosts: ['claude.ai', 'claude.com'],
    })
  })

  it('describes an app that signs as ChatGPT publishes it', () => {
    const app = read({
      ...document,
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    })
    expect(app).toMatchObject({
      authentication: 'private_key_jwt',
      jwksUri: 'https://chatgpt.com/oauth/jwks.json',
    })
  })

  it('describes a local program as Claude Code publishes it, with loopback addresses without a port', () => {
    const redirectUris = ['http://localhost/callback', 'http://127.0.0.1/callback']
    const app = read({ ...document, client_name: 'Claude Code', redirect_uris: redirectUris })
    expect(app).toMatchObject({ redirectUris, listedHosts: [] })
  })

  it('describes a program with its own scheme as Cursor does, without addresses that no app may use', () => {
    const app = read({
      ...document,
      redirect_uris: [CURSOR, 'vscode://other/cb', 'http://app.example/cb', 'https://evil.example/cb'],
    })
    expect(app).toMatchObject({ redirectUris: [CURSOR] })
  })

  it('may name nothing but its id and redirect URIs', () => {
    const { client_name: _, ...least } = document
    expect(read(least)).toMatchObject({ name: 'app.example', authentication: 'none' })
    expect(read({ ...document, client_name: '\u200b\u202e' })).toMatchObject({ name: 'app.example' })
  })

  it.each([
    ['another client_id', { ...document, client_id: 'https://app.example/other.json' }, /another one/],
    ['a client_id in another spelling', { ...document, client_id: 'https://APP.example/client.json' }, /another one/],
    ['no client_id', { ...document, client_id: undefined }, /not a JSON object/],
    ['no redirect URIs', { ...document, redirect_uris: undefined }, /not a JSON object/],
    ['an empty list of redirect URIs', { ...document, redirect_uris: [] }, /not a JSON object/],
    ['redirect URIs that no app may use', { ...document, redirect_uris: ['http://app.example/'] }, /no redirect URI/],
    ['a secret', { ...document, client_secret: 'x' }, /client secret/],
    ['the expiry of a secret', { ...document, client_secret_expires_at: 0 }, /client secret/],
    ['client_secret_basic', { ...document, token_endpoint_auth_method: 'client_secret_basic' }, /auth_method/],
    ['client_secret_post', { ...document, token_endpoint_auth_method: 'client_secret_post' }, /auth_method/],
    ['client_secret_jwt', { ...document, token_endpoint_auth_method: 'client_secret_jwt' }, /auth_method/],
    ['private_key_jwt without keys', { ...document, token_endpoint_auth_method: 'private_key_jwt' }, /jwks/],
    [
      'keys at an address without https',
      { ...document, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://app.example/jwks' },
      /jwks_uri/,
    ],
    ['a list', [document], /not a JSON object/],
    ['null', null, /not a JSON object/],
  ])('is refused with %s', (_what, value, reason) => expect(refusal(value)).toMatch(reason))

  it('is read from any text without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect('refused' in readDocument(ID, text, options)).toBe(true)
      }),
    )
  })
})

describe('the cache of documents', () => {
  it.each([
    ['', 3_600],
    ['max-age=10', 300],
    ['public, max-age=7200', 7_200],
    ['max-age=999999999', 86_400],
    ['no-store', 300],
    ['no-cache, max-age=7200', 300],
    ['s-maxage=7200', 3_600],
  ])('follows %j within 5 minutes and a day', (header, seconds) => expect(freshMsOf(header)).toBe(seconds * 1_000))

  it.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['Application/JSON', true],
    ['application/oauth-client+json', true],
    ['text/html', false],
    ['text/json', false],
    ['application/jsonp', false],
    ['', false],
  ])('takes %j as JSON: %s', (type, isJson) => expect(isJsonType(type)).toBe(isJson))
})
