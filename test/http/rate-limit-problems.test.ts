import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { codeOf } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client, type Response } from '../support/client.ts'

// The form is that of EEP 0.1, in zod, and is not shared with the service: it would not find its mistakes.
const rateLimitedSchema = z.strictObject({
  type: z.literal('https://eep.dev/problems/rate-limited'),
  title: z.literal('Too Many Requests'),
  status: z.literal(429),
  detail: z.string().optional(),
  instance: z.string().optional(),
  error: z.literal('rate_limited'),
  did_rate_limit_key: z.string().regex(/^did:[a-z0-9]+:.+$/),
  retry_after_seconds: z.int().min(1).max(86_400),
  window_reset_at: z.iso.datetime(),
  signed_challenge: z.string().min(16).max(512),
  limit_per_window: z.int().min(0).optional(),
  requests_made: z.int().min(0).optional(),
  message: z.string().max(256).optional(),
})

const PROBLEM = 'application/problem+json'
const AGENT = 'did:web:agent.example'
const EEP_PATH = '/eep/content/u/unknown-name/content/welcome'

/** The service after its only request in the group of the test. */
const service = await createTestApp({ limits: { rateLimit: { multiplier: 0.01 } } })
afterAll(service.close)
const { get } = client(service.app)
await get(EEP_PATH)

const typeOf = (response: Response) => String(response.headers['content-type']).split(';')[0]

it('answers a refused agent on an EEP path in the closed form', async () => {
  const refused = await get(EEP_PATH, { 'eep-agent-did': AGENT })
  expect([refused.statusCode, typeOf(refused)]).toEqual([429, PROBLEM])
  const problem = rateLimitedSchema.parse(refused.json())
  expect(problem).toMatchObject({ did_rate_limit_key: AGENT, limit_per_window: 1 })
  expect(Object.keys(refused.json()).slice(0, 4)).toEqual(['type', 'title', 'status', 'detail'])
  expect(problem.requests_made).toBeGreaterThan(1)
  expect(String(problem.retry_after_seconds)).toBe(refused.headers['retry-after'])
  const reset = new Date(problem.window_reset_at).getTime()
  expect(Math.ceil(reset / 1000)).toBe(Number(refused.headers['x-ratelimit-reset']))
})

it('answers a refused agent that accepts problem documents in the closed form on any path', async () => {
  const refused = await get('/u/ada', { accept: PROBLEM, 'x-eep-agent-did': AGENT })
  expect(refused.statusCode).toBe(429)
  expect(rateLimitedSchema.parse(refused.json()).did_rate_limit_key).toBe(AGENT)
})

it('signs the challenge of a refusal with a published key', async () => {
  const refused = await get(EEP_PATH, { 'eep-agent-did': AGENT })
  const { signed_challenge: challenge } = rateLimitedSchema.parse(refused.json())
  const [version, claims = '', signature = ''] = challenge.split('.')
  const { did, exp, nonce } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  expect([version, did]).toEqual(['v1', AGENT])
  expect(exp).toBeGreaterThan(Date.now() / 1000)
  expect(nonce).toHaveLength(22)

  // Another instance, which has not reached its limit.
  const other = await createTestApp({ storage: service.storage })
  const { keys } = (await client(other.app).get('/.well-known/jwks.json')).json<{ keys: JsonWebKey[] }>()
  await other.close()
  const [jwk = {}] = keys
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${version}.${claims}`)
  expect(verify(null, signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
})

it('keeps the challenge of the longest DID within the limit of EEP', async () => {
  const did = `did:${'m'.repeat(32)}:${'a'.repeat(180)}`
  const refused = await get(EEP_PATH, { 'eep-agent-did': did })
  expect(rateLimitedSchema.parse(refused.json()).did_rate_limit_key).toBe(did)
})

const NAMES = ['', 'agent', 'did:web:', `did:web:${'a'.repeat(500)}`, `did:${'a'.repeat(9_000)}:x`, 'did:web:\\\\"']
it.each(NAMES)('answers a refused client that names itself %j with a problem of the service', async (did) => {
  const refused = await get(EEP_PATH, { 'eep-agent-did': did })
  expect([refused.statusCode, typeOf(refused)]).toEqual([429, PROBLEM])
  expect(refused.json()).toMatchObject({ type: expect.stringMatching(/\/docs\/errors\/rate_limited$/), status: 429 })
})

it('answers a refused agent that accepts JSON in the format of the service', async () => {
  const refused = await get('/u/ada', { accept: 'application/json', 'eep-agent-did': AGENT })
  expect([refused.statusCode, typeOf(refused)]).toEqual([429, 'application/json'])
  expect(codeOf(refused)).toBe('rate_limited')
})
