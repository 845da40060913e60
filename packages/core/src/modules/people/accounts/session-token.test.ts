import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import fastCheck from 'fast-check'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createKeyring } from '../../../kernel/keyring.ts'
import { createSessionTokens, SESSION_SECONDS, sessionEnd } from './session-token.ts'

const publicUrl = 'https://profiles.example'
const secret = 'a secret of the tests, thirty-two characters'
const older = 'an older secret, also of thirty-two characters'
const now = new Date('2026-05-01T12:00:00Z')
const accountId = '6f1c7c3e-0d3c-4a54-9f5c-2c9d6f1f0a11'
const session = { id: randomUUID(), accountId, createdAt: now, expiresAt: sessionEnd(now) }

const bearer = { sessionId: session.id, accountId, tokenVersion: 3, use: 'bearer' }

const keyring = createKeyring([secret])
const [{ kid, key }] = keyring.shared('session')
const tokensAt = (at: Date, secrets: [string, ...string[]] = [secret], url = publicUrl) =>
  createSessionTokens({ keyring: createKeyring(secrets), clock: () => at, publicUrl: url })
const tokens = tokensAt(now)

const invalid = expect.objectContaining({ code: 'invalid_token', status: 401 })
const good = {
  ver: 3,
  iat: now.getTime() / 1000,
  exp: now.getTime() / 1000 + 60,
  jti: 'j',
  sub: accountId,
  sid: 's',
  use: 'bearer',
}
const claims = { ...good, iss: publicUrl, aud: publicUrl }

/** A token as an attacker, or a careless colleague who knows the key, would make it. */
const forge = (header: object, payload: object = claims, secretKey: Uint8Array | string = key) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part(header)}.${part(payload)}`
  return `${signed}.${createHmac('sha256', secretKey).update(signed).digest('base64url')}`
}

describe('a session token', () => {
  it('contains its account, expiry, issuer and audience', async () => {
    const { token, expiresAt } = await tokens.issue(session, 3)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid })
    const seconds = now.getTime() / 1000
    expect(decodeJwt(token)).toEqual({
      sub: accountId,
      ver: 3,
      sid: session.id,
      use: 'bearer',
      jti: expect.any(String),
      iss: publicUrl,
      aud: publicUrl,
      iat: seconds,
      exp: seconds + SESSION_SECONDS,
    })
    expect(expiresAt).toEqual(new Date('2026-05-08T12:00:00Z'))
    expect(await tokens.read(token)).toEqual(bearer)
  })

  it('has a companion for the cookie, with the same session and another id', async () => {
    const { token, cookie } = await tokens.issue(session, 3)
    expect(await tokens.read(cookie)).toEqual({ ...bearer, use: 'cookie' })
    expect(decodeJwt(cookie).jti).not.toBe(decodeJwt(token).jti)
  })

  it.each(['sid', 'use'])('is refused without its member %s', async (missing) => {
    const forged = forge({ alg: 'HS256', typ: 'JWT', kid }, { ...claims, [missing]: undefined })
    await expect(tokens.read(forged)).rejects.toEqual(invalid)
  })

  it('ends after seven days, to the second', async () => {
    const { token } = await tokens.issue(session, 3)
    await expect(tokensAt(new Date('2026-05-08T11:59:59Z')).read(token)).resolves.toBeDefined()
    await expect(tokensAt(new Date('2026-05-08T12:00:00Z')).read(token)).rejects.toEqual(invalid)
  })

  it('ends at its time when it was read before', async () => {
    let at = now
    const service = createSessionTokens({ keyring, clock: () => at, publicUrl })
    const { token } = await service.issue(session, 3)
    await service.read(token)
    at = new Date('2026-05-08T11:59:59.999Z')
    expect(await service.read(token)).toEqual(bearer)
    at = new Date('2026-05-08T12:00:00Z')
    await expect(service.read(token)).rejects.toEqual(invalid)
  })

  it('is refused with another signature when it was read before', async () => {
    const { token } = await tokens.issue(session, 3)
    await tokens.read(token)
    const [header, payload, signature = ''] = token.split('.')
    const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    await expect(tokens.read([header, payload, other].join('.'))).rejects.toEqual(invalid)
  })

  it('is read when more tokens were read before than are kept', async () => {
    const { token } = await tokens.issue(session, 3)
    await tokens.read(token)
    for (let count = 0; count < 1_001; count++) {
      const next = await tokens.issue({ ...session, id: randomUUID() }, 3)
      await tokens.read(next.token)
    }
    expect(await tokens.read(token)).toEqual(bearer)
  })

  it('remains valid after a new secret is added, which signs new tokens', async () => {
    const old = await tokensAt(now, [older]).issue(session, 3)
    const rotated = tokensAt(now, [secret, older])
    await expect(rotated.read(old.token)).resolves.toEqual(bearer)
    const { token } = await rotated.issue(session, 3)
    expect(decodeProtectedHeader(token).kid).toBe(kid)
    expect(decodeProtectedHeader(token).kid).not.toBe(decodeProtectedHeader(old.token).kid)
    await expect(tokens.read(old.token)).rejects.toEqual(invalid)
  })

  it('is rejected when another service with the same secret issued it', async () => {
    const { token } = await tokensAt(now, [secret], 'https://other.example').issue(session, 3)
    await expect(tokens.read(token)).rejects.toEqual(invalid)
  })

  it('is accepted when the test builds one with all valid members', async () => {
    await expect(tokens.read(forge({ alg: 'HS256', typ: 'JWT', kid }))).resolves.toBeDefined()
  })

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const header = { alg: 'HS256', typ: 'JWT', kid }
  it.each([
    ['without a signature', forge({ ...header, alg: 'none' }).replace(/[^.]*$/, '')],
    ['that declares no signature algorithm', forge({ ...header, alg: 'none' })],
    ['with another algorithm of the same family', forge({ ...header, alg: 'HS512' })],
    ['that pretends a public key is the secret', forge({ ...header, alg: 'RS256' }, claims, pem)],
    ['with a foreign key id', forge({ ...header, kid: 'foreign' })],
    ['without a key id', forge({ alg: 'HS256', typ: 'JWT' })],
    ['with a path as key id', forge({ ...header, kid: '../../dev/null' }, claims, '')],
    ['with a key id of objects', forge({ ...header, kid: '__proto__' })],
    ['that brings its own key', forge({ ...header, kid: 'mine', jwk: { kty: 'oct', k: 'AAAA' } }, claims, '\0\0\0')],
    ['that names a URL of a key', forge({ ...header, kid: 'mine', jku: 'https://evil.example/jwks' }, claims, 'x')],
    ['signed with another key', forge(header, claims, 'another key')],
    ['signed with the key of another purpose', forge(header, claims, keyring.shared('payer')[0].key)],
    ['of another type', forge({ ...header, typ: 'timeline+jwt' })],
    ['without a type', forge({ alg: 'HS256', kid })],
    ['with an unknown critical header', forge({ ...header, crit: ['b64'], b64: false })],
    ['of another issuer', forge(header, { ...claims, iss: 'https://evil.example' })],
    ['for another audience', forge(header, { ...claims, aud: ['https://evil.example'] })],
    ['without an issuer', forge(header, { ...good, aud: publicUrl })],
    ['without an audience', forge(header, { ...good, iss: publicUrl })],
    ['that is not good yet', forge(header, { ...claims, nbf: good.iat + 10 })],
    ['that never ends', forge(header, { ...claims, exp: undefined })],
    ['that ends in a text', forge(header, { ...claims, exp: '9999999999' })],
    ['of an unknown use', forge(header, { ...claims, use: 'both' })],
    ['without a subject', forge(header, { ...claims, sub: undefined })],
    ['of a number', forge(header, { ...claims, sub: 7 })],
    ['without a version', forge(header, { ...claims, ver: undefined })],
    ['whose version is a text', forge(header, { ...claims, ver: '3' })],
    ['without an id', forge(header, { ...claims, jti: undefined })],
    ['that is empty', ''],
    ['that is not a token', 'abc'],
    ['that has three empty parts', '..'],
    ['that is encrypted', 'a.b.c.d.e'],
  ])('%s is refused', async (_what, token) => {
    await expect(tokens.read(token)).rejects.toEqual(invalid)
  })

  it('signed with a real RSA key is refused', async () => {
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid }).sign(rsa.privateKey)
    await expect(tokens.read(token)).rejects.toEqual(invalid)
  })

  it('is refused whichever character was changed', async () => {
    const { token } = await tokens.issue(session, 3)
    const changes = fastCheck.record({
      at: fastCheck.nat(token.length - 2),
      to: fastCheck.constantFrom(...'aZ09-_.%é'),
    })
    await fastCheck.assert(
      fastCheck.asyncProperty(changes, async ({ at, to }) => {
        fastCheck.pre(token[at] !== to)
        await expect(tokens.read(`${token.slice(0, at)}${to}${token.slice(at + 1)}`)).rejects.toEqual(invalid)
      }),
    )
  })
})
