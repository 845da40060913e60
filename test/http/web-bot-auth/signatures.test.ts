import type { webcrypto as Node } from 'node:crypto'
import { component, webcrypto } from 'http-message-sig'
import { exportJWK, importJWK } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { signatureHeaders } from 'web-bot-auth'
import { signerFromJWK } from 'web-bot-auth/crypto'
import { PUBLIC_URL } from '../../support/app.ts'
import { botModule } from '../../support/bot-module.ts'
import { client } from '../../support/client.ts'
import { openInstances } from '../../support/instances.ts'
import { exchange } from '../../support/raw-http.ts'
import { newSigningKey, openDirectory, type SigningOptions, signedHeaders } from '../../support/signers.ts'

const key = await newSigningKey()
const rsa = await newSigningKey(2_048)
const directory = await openDirectory([key, rsa])
const other = await openDirectory([await newSigningKey()])
afterAll(() => Promise.all([directory.close(), other.close()]))
const hosts = { http: { allowPrivateHosts: [directory.host, other.host] }, modules: [botModule()] }
const { instance } = await openInstances(hosts)
const app = await instance()
const strict = await instance({ webBotAuth: { onInvalid: 'reject' } })

const agent = directory.origin
const now = Math.floor(Date.now() / 1_000)
const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'
const verified = { state: 'verified', identifier: `${agent}${DIRECTORY_PATH}`, origin: agent, keyId: key.keyId }

async function botOf(headers: Readonly<Record<string, string>>, path = '/shown-bots/settled') {
  const response = await client(app).get(path, { host: new URL(PUBLIC_URL).host, ...headers })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().bot
}
const botSignedBy = async (options: Partial<SigningOptions>) => botOf(await signedHeaders({ key, agent, ...options }))

describe('a request with a signature of a program', () => {
  it('is verified in the dictionary form', async () => {
    expect(await botSignedBy({})).toEqual(verified)
    expect(await botSignedBy({ agent: `${agent}/` })).toEqual(verified)
  })

  it('is verified in the older form, with a bare string', async () => {
    const legacy = { signatureAgent: `"${agent}"`, components: ['@authority', 'signature-agent'] }
    expect(await botSignedBy(legacy)).toEqual(verified)
  })

  it('is verified with RSA-PSS', async () => {
    expect(await botSignedBy({ key: rsa })).toEqual({ ...verified, keyId: rsa.keyId })
  })

  it('is verified as web-bot-auth signs it', async () => {
    const jwk = (await exportJWK(key.privateKey)) as Node.JsonWebKey
    const signatureAgent = `"${agent}"`
    const request = new Request(`${PUBLIC_URL}/shown-bots/settled`, { headers: { 'signature-agent': signatureAgent } })
    const times = { created: new Date(), expires: new Date(Date.now() + 300_000) }
    const signed = await signatureHeaders(request, await signerFromJWK(jwk), times)
    const headers = { signature: signed.Signature, 'signature-input': signed['Signature-Input'] }
    expect(await botOf({ ...headers, 'signature-agent': signatureAgent })).toEqual(verified)
  })

  it('is verified as http-message-sig signs it with a key of WebCrypto', async () => {
    const webKey = (await importJWK(await exportJWK(key.privateKey), 'Ed25519')) as Node.CryptoKey
    expect(await botSignedBy({ signer: webcrypto.signer(webKey) })).toEqual(verified)
  })

  it('is verified when it covers the target URI, the method and the path', async () => {
    const path = '/shown-bots/settled'
    const agentMember = component('signature-agent', { key: 'sig1' })
    expect(await botSignedBy({ path, components: ['@target-uri', agentMember] })).toEqual(verified)
    expect(await botSignedBy({ path, components: ['@method', '@authority', '@path', agentMember] })).toEqual(verified)
    const elsewhere = await botSignedBy({ path: '/other', components: ['@target-uri', agentMember] })
    expect(elsewhere).toEqual({ state: 'invalid', reason: 'bad_signature' })
  })

  it.each([
    ['is verified', PUBLIC_URL, verified],
    ['is invalid', 'http://evil.example', { state: 'invalid', reason: 'authority_mismatch' }],
  ])('%s when the request line has an absolute URL of %s', async (_case, base, expected) => {
    const listening = await instance()
    await listening.listen({ port: 0, host: '127.0.0.1' })
    const path = '/shown-bots/settled'
    const components = ['@target-uri', component('signature-agent', { key: 'sig1' })]
    const headers = { host: new URL(PUBLIC_URL).host, ...(await signedHeaders({ key, agent, path, components })) }
    const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
    const response = await exchange(listening, `GET ${base}${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    expect(JSON.parse(response.body).bot).toEqual(expected)
  })

  it('is verified when an intermediary gave it another label', async () => {
    const headers = await signedHeaders({ key, agent, label: 'agent2' })
    const relabeled = (text = '') => text.replace(/^agent2=/, 'sig9=')
    const sent = { signature: relabeled(headers.signature), 'signature-input': relabeled(headers['signature-input']) }
    expect(await botOf({ ...headers, ...sent })).toEqual(verified)
  })

  it('is named by the URL of its key set without the query, and without an origin', async () => {
    const signatureAgent = `sig1="${agent}/keys.json?v=2";type=jwks_uri`
    expect(await botSignedBy({ signatureAgent })).toEqual({
      state: 'verified',
      identifier: `${agent}/keys.json`,
      keyId: key.keyId,
    })
    expect(directory.requested).toContain('/keys.json?v=2')
  })

  it('proves nothing when it names its keys in a way that is not supported', async () => {
    const signatureAgent = `sig1="${agent}/card";type=cimd`
    expect(await botSignedBy({ signatureAgent })).toEqual({ state: 'unverified', reason: 'unsupported' })
    const without = await signedHeaders({ key, agent, components: ['@authority'] })
    expect(await botOf({ ...without, 'signature-agent': '' })).toMatchObject({ state: 'invalid' })
    const { 'signature-agent': _, ...unnamed } = without
    expect(await botOf(unnamed)).toEqual({ state: 'unverified', reason: 'unsupported' })
  })

  it('is absent when it is signed for another purpose', async () => {
    expect(await botSignedBy({ parameters: { tag: 'other' } })).toEqual({ state: 'absent' })
    expect(await botOf({})).toEqual({ state: 'absent' })
  })

  const agentMember = component('signature-agent', { key: 'sig1' })
  it.each<[string, string, Partial<SigningOptions>]>([
    ['another authority', 'bad_signature', { target: 'https://other.example' }],
    ['no authority', 'component_missing', { components: ['@path', agentMember] }],
    ['no Signature-Agent', 'component_missing', { components: ['@authority'] }],
    ['an expired signature', 'expired', { now: now - 1_000 }],
    ['a signature of the future', 'not_yet_valid', { now: now + 200 }],
    ['a lifetime of 25 hours', 'lifetime_too_long', { parameters: { expires: now + 90_000 } }],
    [
      'a shared secret',
      'algorithm',
      { signer: { ...key.signer, algorithm: 'hmac-sha256' }, parameters: { alg: 'hmac-sha256' } },
    ],
    ['the algorithm of another key', 'algorithm', { key: rsa, signer: key.signer, parameters: { alg: 'ed25519' } }],
    ['the key of another directory', 'key_unknown', { agent: other.origin }],
    ['a member of another label', 'malformed', { signatureAgent: `sig2="${agent}", sig1="x"` }],
    ['a path in place of an origin', 'malformed', { agent: `${agent}/keys` }],
    ['a directory over http', 'malformed', { agent: agent.replace('https', 'http') }],
    ['a key id that is not a thumbprint', 'malformed', { parameters: { keyid: 'key-1' } }],
  ])('is invalid with %s: %s', async (_case, reason, options) => {
    const headers = await signedHeaders({ key, agent, ...options })
    expect(await botOf(headers)).toEqual({ state: 'invalid', reason })
    const refused = await client(strict)
      .with({ host: new URL(PUBLIC_URL).host })
      .get('/shown-bots/settled', headers)
    expect(refused.statusCode, refused.body).toBe(400)
    expect(refused.json().error).toMatchObject({ code: 'invalid_bot_signature', details: { reason } })
  })

  it('has another reason when it was signed for another authority that the request names', async () => {
    const headers = await signedHeaders({ key, agent, target: 'https://other.example' })
    const sent = { ...headers, host: 'other.example' }
    expect(await botOf(sent)).toEqual({ state: 'invalid', reason: 'authority_mismatch' })
  })

  it.each([
    ['more than four kilobytes', { 'signature-input': `sig1=("@authority" "${'x'.repeat(4_096)}")` }],
    ['more than five labels', { 'signature-input': ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}=()`).join() }],
    ['fields that cannot be read', { 'signature-input': 'sig1=("@authority"' }],
    ['a label that only one field has', { signature: 'sig2=:AAAA:' }],
  ])('is malformed with %s', async (_case, changed) => {
    const headers = await signedHeaders({ key, agent })
    expect(await botOf({ ...headers, ...changed })).toEqual({ state: 'invalid', reason: 'malformed' })
  })

  it.each(['constructor', '__proto__', 'toString', '@status', 'x-absent'])(
    'is invalid, and never an error, when it covers %s, which the request has not',
    async (name) => {
      const headers = await signedHeaders({ key, agent })
      const input = headers['signature-input']?.replace('"@authority"', `"@authority" "${name}"`) ?? ''
      expect(await botOf({ ...headers, 'signature-input': input })).toMatchObject({ state: 'invalid' })
    },
  )

  it('is never an error when it cannot be checked, where invalid ones are refused', async () => {
    const headers = await signedHeaders({ key, signatureAgent: `sig1="${agent}/card";type=cimd` })
    expect((await client(strict).get('/shown-bots', headers)).statusCode).toBe(200)
  })
})

describe('a signature that gives access by identity', () => {
  it('gives it to exactly one of 100 requests with one nonce', async () => {
    const headers = await signedHeaders({ key, agent })
    const bots = await Promise.all(Array.from({ length: 100 }, () => botOf(headers, '/shown-bots/granted/page')))
    expect(bots.filter(({ state }) => state === 'verified')).toHaveLength(1)
    expect(bots.filter(({ reason }) => reason === 'replayed')).toHaveLength(99)
  })

  it('can be used once for each resource, and any number of times for the rest', async () => {
    const headers = await signedHeaders({ key, agent })
    expect(await botOf(headers, '/shown-bots/granted/one')).toEqual(verified)
    expect(await botOf(headers, '/shown-bots/granted/two')).toEqual(verified)
    expect(await botOf(headers, '/shown-bots/granted/one')).toEqual({ state: 'invalid', reason: 'replayed' })
    expect(await botOf(headers)).toEqual(verified)
    const refused = await client(strict).get('/shown-bots/granted/one', headers)
    expect([refused.statusCode, refused.json().error.details]).toEqual([400, { reason: 'replayed' }])
  })

  it('is not used up by a HEAD request, which sends no bytes', async () => {
    const headers = await signedHeaders({ key, agent })
    const path = '/shown-bots/granted/head'
    expect((await client(strict).send('HEAD', path, undefined, headers)).statusCode).toBe(200)
    expect((await client(strict).get(path, headers)).json().bot).toEqual(verified)
    expect(await botOf(headers, path)).toEqual({ state: 'invalid', reason: 'replayed' })
  })

  it('needs a short lifetime without a nonce', async () => {
    const short = await signedHeaders({ key, agent, parameters: { nonce: undefined } })
    expect(await botOf(short, '/shown-bots/granted/short')).toEqual(verified)
    expect(await botOf(short, '/shown-bots/granted/short')).toEqual(verified)
    const long = await signedHeaders({ key, agent, parameters: { nonce: undefined, expires: now + 3_600 } })
    expect(await botOf(long)).toEqual(verified)
    expect(await botOf(long, '/shown-bots/granted/long')).toEqual({ state: 'invalid', reason: 'lifetime_too_long' })
  })
})
