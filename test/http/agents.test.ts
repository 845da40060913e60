import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { keyAgent, webAgent } from '../support/agents.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

let service: Awaited<ReturnType<typeof createTestApp>>
let web: Awaited<ReturnType<typeof webAgent>>
let bearer: Record<string, string>

beforeAll(async () => {
  web = await webAgent()
  service = await createTestApp({ http: { allowPrivateHosts: [web.host] } })
  bearer = (await signUp(service.app, 'ada')).headers
})
afterAll(async () => {
  await service.close()
  await web.close()
})

const path = '/u/ada?format=json'
const read = (headers: Record<string, string>, url = path) => client(service.app).get(url, headers)

describe('an agent that signs', () => {
  it.each(['ed25519', 'secp256k1'] as const)('accepts a signature with a key of %s', async (curve) => {
    expect((await read(keyAgent(curve).sign({ path }))).statusCode).toBe(200)
  })

  it('accepts a signature with a key of a did:web document, which is fetched once', async () => {
    expect((await read(web.sign({ path }))).statusCode).toBe(200)
    expect((await read(web.sign({ path }))).statusCode).toBe(200)
    expect(web.asked()).toBe(1)
  })

  it('covers the body by the signature', async () => {
    const agent = keyAgent()
    const body = JSON.stringify({ name: 'a key' })
    const signed = agent.sign({ method: 'POST', path: '/api-keys', body })
    const send = (payload: string) =>
      client(service.app).post('/api-keys', payload, { ...bearer, ...signed, 'content-type': 'application/json' })
    const changed = await send(JSON.stringify({ name: 'another' }))
    expect([changed.statusCode, codeOf(changed)]).toEqual([401, 'invalid_signature'])
    expect((await send(body)).statusCode).toBe(201)
  })

  it('accepts a nonce once of twenty concurrent requests', async () => {
    const signed = keyAgent().sign({ path })
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(signed)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)])
  })

  it('does not let an agent consume the nonces of another', async () => {
    const [one, other] = [keyAgent(), keyAgent()]
    const nonce = randomUUID()
    expect((await read(one.sign({ path, nonce }))).statusCode).toBe(200)
    expect((await read({ ...one.sign({ path, nonce: 'another-one' }), 'eep-agent-did': other.did })).statusCode).toBe(
      401,
    )
    expect((await read(other.sign({ path, nonce }))).statusCode).toBe(200)
  })

  it.each<[string, (agent: ReturnType<typeof keyAgent>) => Record<string, string>]>([
    ['of another path', (agent) => agent.sign({ path: '/u/ada' })],
    ['of another method', (agent) => agent.sign({ path, method: 'POST' })],
    ['of another agent', (agent) => ({ ...agent.sign({ path }), 'eep-agent-did': keyAgent().did })],
    ['without an agent', (agent) => ({ ...agent.sign({ path }), 'eep-agent-did': '' })],
    ['without a nonce', (agent) => ({ ...agent.sign({ path }), 'eep-nonce': '' })],
    ['with a short nonce', (agent) => agent.sign({ path, nonce: 'seven77' })],
    ['with a long nonce', (agent) => agent.sign({ path, nonce: 'n'.repeat(129) })],
    ['with a nonce of another time', (agent) => agent.sign({ path, nonce: '1700000000-abcdefgh' })],
    ['that is garbage', (agent) => ({ ...agent.sign({ path }), 'eep-signature': 'garbage' })],
    ['that is all zeros', (agent) => ({ ...agent.sign({ path }), 'eep-signature': 'A'.repeat(86) })],
    ['of a method that is not known', (agent) => ({ ...agent.sign({ path }), 'eep-agent-did': 'did:example:one' })],
    [
      'of a key that is none',
      (agent) => ({ ...agent.sign({ path }), 'eep-agent-did': `did:key:z6Mk${'1'.repeat(44)}` }),
    ],
    [
      'of a site that must not be requested',
      (agent) => ({ ...agent.sign({ path }), 'eep-agent-did': 'did:web:localhost' }),
    ],
    ['of an inward address', (agent) => ({ ...agent.sign({ path }), 'eep-agent-did': 'did:web:169.254.169.254' })],
  ])('rejects a signature %s', async (_what, headersOf) => {
    const answer = await read(headersOf(keyAgent()))
    expect([answer.statusCode, codeOf(answer)]).toEqual([401, 'invalid_signature'])
  })

  it('does not fetch documents of agents on routes without a rate limit', async () => {
    const before = web.asked()
    const other = web.did.replace(':one', ':two')
    const headers = { ...web.sign({ path: '/health' }), 'eep-agent-did': other }
    expect((await read(headers, '/health')).statusCode).toBe(200)
    expect(web.asked()).toBe(before)
    expect((await read(headers)).statusCode).toBe(401)
    expect(web.asked()).toBe(before + 1)
  })

  it('accepts a nonce that starts with the time', async () => {
    const nonce = `${Math.floor(Date.now() / 1000)}-${randomUUID()}`
    expect((await read(keyAgent().sign({ path, nonce }))).statusCode).toBe(200)
  })
})
