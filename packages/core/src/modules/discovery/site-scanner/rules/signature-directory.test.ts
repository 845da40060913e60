import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureDirectory } from './signature-directory.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const type = 'application/http-message-signatures-directory+json'
const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ format: 'jwk' })
const small = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' })

describe('signature-directory', () => {
  it.each<[string, TestAnswer, string]>([
    ['public keys', { type, body: { keys: [key, rsa] } }, 'pass'],
    [
      'a key under its thumbprint',
      { type, body: { keys: [{ ...key, kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' }] } },
      'pass',
    ],
    ['a key under another id', { type, body: { keys: [{ ...key, kid: 'key-1' }] } }, 'fail'],
    ['another media type', { body: { keys: [key] } }, 'warn'],
    ['no directory', { status: 404 }, 'skip'],
    ['no keys', { type, body: { keys: [] } }, 'fail'],
    ['a private key', { type, body: { keys: [{ ...key, d: 'secret' }] } }, 'fail'],
    ['a private RSA key', { type, body: { keys: [{ ...rsa, p: 'secret' }] } }, 'fail'],
    ['another kind of key', { type, body: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] } }, 'fail'],
    ['a short key', { type, body: { keys: [{ ...key, x: 'AA' }] } }, 'fail'],
    ['a small RSA key', { type, body: { keys: [small] } }, 'fail'],
  ])('gives $2 for %s', async (_, answer, status) => {
    const site = siteOf({ '/.well-known/http-message-signatures-directory': answer })
    expect((await signatureDirectory.check(site)).status).toBe(status)
  })
})
