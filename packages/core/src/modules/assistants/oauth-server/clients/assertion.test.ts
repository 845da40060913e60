import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { App } from './app.ts'
import { createAppKeys } from './app-keys.ts'
import { createAssertionVerifier, subjectOf } from './assertion.ts'

const ISSUER = 'https://profiles.example'
const ID = 'https://app.example/client.json'
const NOW = new Date('2026-01-01T12:00:00Z')
const seconds = Math.floor(NOW.getTime() / 1_000)

let key: CryptoKey
let other: CryptoKey
let jwks: NonNullable<App['jwks']>
beforeAll(async () => {
  const pair = await generateKeyPair('ES256')
  key = pair.privateKey
  other = (await generateKeyPair('ES256')).privateKey
  jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }] }
})

const app = (more: Partial<App> = {}): App => ({
  kind: 'cimd',
  clientId: ID,
  name: 'App',
  host: 'app.example',
  verified: true,
  redirectUris: ['https://app.example/cb'],
  authentication: 'private_key_jwt',
  listedHosts: ['app.example'],
  jwks,
  ...more,
})

const claims = { iss: ID, sub: ID, aud: ISSUER as string | string[], exp: seconds + 60, iat: seconds, jti: 'one' }
const signed = (more: Record<string, unknown> = {}, by = key, header = {}) =>
  new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header }).sign(by)

/** A verifier whose nonces are kept in memory. */
function open() {
  const known = new Set<string>()
  const nonces = {
    claim: async ({ scope, nonce }: { readonly scope: string; readonly nonce: string }) => {
      const isNew = !known.has(`${scope} ${nonce}`)
      known.add(`${scope} ${nonce}`)
      return isNew
    },
  }
  const verify = createAssertionVerifier({
    keys: createAppKeys({ fetch: () => Promise.reject(new Error('no network')), clock: () => NOW }),
    // The verifier uses this store alone.
    write: ((work: (tx: object) => unknown) => work({ nonces })) as never,
    clock: () => NOW,
    audiences: [ISSUER, `${ISSUER}/oauth/token`],
  })
  return async (assertion: string, of = app()) =>
    verify(assertion, of).then(
      () => 'accepted',
      ({ code, message }) => `${code}: ${message}`,
    )
}

describe('a client assertion', () => {
  it('is accepted once', async () => {
    const verify = open()
    const assertion = await signed()
    expect(await verify(assertion)).toBe('accepted')
    expect(await verify(assertion)).toMatch(/^invalid_client: .*used before/)
    expect(await verify(await signed({ jti: 'two', aud: `${ISSUER}/oauth/token` }))).toBe('accepted')
  })

  it.each<[string, Record<string, unknown>]>([
    ['another issuer', { iss: 'https://evil.example/client' }],
    ['another subject', { sub: 'https://evil.example/client' }],
    ['another audience', { aud: 'https://other.example' }],
    ['two audiences', { aud: [ISSUER, 'https://other.example'] }],
    ['the audience in a list', { aud: [ISSUER] }],
    ['an audience with a slash', { aud: `${ISSUER}/` }],
    ['no audience', { aud: undefined }],
    ['no expiry', { exp: undefined }],
    ['an expiry in the past', { exp: seconds - 10 }],
    ['an expiry in 11 minutes', { exp: seconds + 660 }],
    ['no jti', { jti: undefined }],
    ['an empty jti', { jti: '' }],
    ['a long jti', { jti: 'x'.repeat(256) }],
    ['a time before which it is not valid', { nbf: seconds + 60 }],
  ])('is refused with %s', async (_what, more) => {
    expect(await open()(await signed(more))).toMatch(/^invalid_client/)
  })

  it('tolerates clocks that differ by 5 seconds', async () => {
    expect(await open()(await signed({ exp: seconds - 4 }))).toBe('accepted')
    expect(await open()(await signed({ nbf: seconds + 5 }))).toBe('accepted')
  })

  it('is refused when another key signed it, or none', async () => {
    expect(await open()(await signed({}, other))).toMatch(/^invalid_client/)
    const [, payload] = (await signed()).split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    expect(await open()(none)).toMatch(/^invalid_client/)
  })

  it('is refused with a shared secret, also one made from the public key', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(jwks))
    const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
    expect(await open()(assertion)).toMatch(/^invalid_client/)
    expect(await open()(assertion, app({ jwks: { keys: [{ kty: 'oct', k: 'AAAA', alg: 'HS256' }] } }))).toMatch(
      /^invalid_client/,
    )
  })

  it('names its app before it is verified', async () => {
    expect(subjectOf(await signed())).toBe(ID)
    expect(subjectOf('x.y.z')).toBeUndefined()
    expect(subjectOf('x'.repeat(10_000))).toBeUndefined()
  })
})

describe('the keys of an app', () => {
  const URI = 'https://app.example/jwks.json'

  it('are fetched every 10 minutes, and once a minute for a key that is missing', async () => {
    let now = 0
    let fetched = 0
    const keys = createAppKeys({
      clock: () => new Date(now),
      fetch: async () => {
        fetched += 1
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify(jwks)),
        }
      },
    })
    const find = (kid: string) =>
      Promise.resolve(keys.keysOf({ jwksUri: URI })({ alg: 'ES256', kid }, { payload: '', signature: '' })).then(
        () => true,
        () => false,
      )
    expect(await find('one')).toBe(true)
    expect(await find('one')).toBe(true)
    expect(fetched).toBe(1)
    expect(await find('two')).toBe(false)
    expect(fetched).toBe(1)
    now = 60_000
    for (let attempt = 0; attempt < 5; attempt += 1) await find('two')
    expect(fetched).toBe(2)
    now = 12 * 60_000
    expect(await find('one')).toBe(true)
    expect(fetched).toBe(3)
  })

  it('are kept while their address fails', async () => {
    let now = 0
    let fails = false
    const keys = createAppKeys({
      clock: () => new Date(now),
      fetch: async () => {
        if (fails) throw new Error('unreachable')
        return {
          status: 200,
          headers: { 'content-type': 'application/jwk-set+json' },
          body: Buffer.from(JSON.stringify(jwks)),
        }
      },
    })
    const find = () => keys.keysOf({ jwksUri: URI })({ alg: 'ES256', kid: 'one' }, { payload: '', signature: '' })
    await find()
    fails = true
    now = 60 * 60_000
    await expect(find()).resolves.toBeDefined()
  })
})
