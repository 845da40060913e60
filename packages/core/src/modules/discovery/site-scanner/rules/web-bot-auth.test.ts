import { describe, expect, it } from 'vitest'
import { siteOf, type TestAnswer } from './site-fixture.ts'
import { webBotAuth } from './web-bot-auth.ts'

const type = 'application/http-message-signatures-directory+json'
const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }

describe('web-bot-auth', () => {
  it.each<[string, TestAnswer, string]>([
    ['public keys', { type, body: { keys: [key] } }, 'pass'],
    ['another media type', { body: { keys: [key] } }, 'warn'],
    ['no directory', { status: 404 }, 'skip'],
    ['no keys', { type, body: { keys: [] } }, 'fail'],
    ['a private key', { type, body: { keys: [{ ...key, d: 'secret' }] } }, 'fail'],
    ['another kind of key', { type, body: { keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] } }, 'fail'],
    ['a short key', { type, body: { keys: [{ ...key, x: 'AA' }] } }, 'fail'],
  ])('gives $2 for %s', async (_, answer, status) => {
    const site = siteOf({ '/.well-known/http-message-signatures-directory': answer })
    expect((await webBotAuth.check(site)).status).toBe(status)
  })
})
