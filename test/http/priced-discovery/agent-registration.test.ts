import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { railOf, recordingFacilitator } from '../../support/recording-facilitator.ts'
import { header } from '../../support/shop.ts'

const PATH = '/agent/scout/agent-registration.json'
const REGISTRATION = { agentId: 22, agentRegistry: `eip155:1:0x${'ab'.repeat(20)}` }
let test: Awaited<ReturnType<typeof createTestApp>>
let owner: Person
let profileId: number
let now = new Date()
/** Whether an agent sells is kept for a minute. */
const later = () => {
  now = new Date(now.getTime() + 61_000)
}

beforeAll(async () => {
  test = await createTestApp({
    clock: () => now,
    discovery: { agentRegistration: true },
    payments: { rails: [railOf(recordingFacilitator().facilitator)] },
  })
  owner = await signUp(test.app)
  const made = await owner.post('/profiles', { profile_type: 'agent', username: 'scout', type_data: {} })
  expect(made.statusCode, made.body).toBe(200)
  const { profiles } = (await owner.get('/dashboard/profiles')).json()
  profileId = profiles.find(({ username }: { username: string }) => username === 'scout').id
  const page = { profile_id: profileId, title: 'Reports', body: 'Sold', status: 'published' }
  expect((await owner.post('/manage/pages', page)).statusCode).toBe(201)
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const change = async (body: object) => {
  const saved = await owner.put('/profiles/agent/scout', body)
  expect(saved.statusCode, saved.body).toBe(200)
  later()
}
const state = (registrations: readonly unknown[]) =>
  owner.put('/profiles/agent/scout', { type_data: { registrations } })

it('is what the owner states, with the endpoints that exist', async () => {
  expect((await get(PATH)).statusCode).toBe(404)
  await change({ full_name: 'Scout', bio: 'Finds <things>', type_data: { registrations: [REGISTRATION] } })
  const response = await get(PATH)
  expect(response.statusCode, response.body).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
  })
  const document = response.json()
  expect(document).toEqual({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Scout',
    description: 'Finds <things>',
    services: [
      { name: 'web', endpoint: `${PUBLIC_URL}/agent/scout` },
      { name: 'A2A', endpoint: `${PUBLIC_URL}/agent/scout/agent-card.json`, version: '0.3.0' },
      { name: 'DID', endpoint: 'did:web:profiles.example:agent:scout' },
    ],
    x402Support: false,
    active: true,
    registrations: [REGISTRATION],
    supportedTrust: [],
    'x-eep': { verified: false },
  })
  for (const { endpoint } of document.services.slice(0, 2)) {
    expect((await get(String(endpoint).slice(PUBLIC_URL.length))).statusCode, endpoint).toBe(200)
  }
  expect((await get(PATH, { 'if-none-match': header(response, 'etag') })).statusCode).toBe(304)
})

it('states x402 only while something is sold by it', async () => {
  await change({ type_data: { registrations: [REGISTRATION] } })
  const gate = (access: string, price?: object) => ({
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*', 'content.*'] },
      paid: { requirements: [price ?? { type: 'trust', min_score: 90 }], access: [access] },
    },
  })
  const price = { type: 'payment', amount: 0.05, currency: 'usdc', per: 'request' }
  const use = async (config: object) => {
    const saved = await owner.put('/eep/gates/did:web:profiles.example:agent:scout', config)
    expect(saved.statusCode, saved.body).toBe(200)
    later()
  }
  await use(gate('content.reports', price))
  expect((await get('/agent/scout/content/reports')).statusCode).toBe(402)
  expect((await get(PATH)).json().x402Support).toBe(true)
  await use(gate('content.reports'))
  expect((await get(PATH)).json().x402Support).toBe(false)
  // A field that not everyone may read is not in it.
  await use(gate('profile.type_data', price))
  expect((await get(PATH)).statusCode).toBe(404)
  await use(gate('content.reports', price))
})

it('is refused with a reason when it is not a registration', async () => {
  for (const bad of [
    { ...REGISTRATION, agentId: -1 },
    { ...REGISTRATION, agentId: '22' },
    { ...REGISTRATION, agentRegistry: 'eip155:1:0x00' },
    { ...REGISTRATION, agentRegistry: `eip155:0:0x${'ab'.repeat(20)}` },
    { ...REGISTRATION, more: true },
  ]) {
    expect((await state([bad])).statusCode, JSON.stringify(bad)).toBe(400)
  }
  expect((await state(Array.from({ length: 11 }, () => REGISTRATION))).statusCode).toBe(400)
})

it('has the address of the service while it has one public agent only', async () => {
  const only = '/.well-known/agent-registration.json'
  await change({ type_data: { registrations: [REGISTRATION] } })
  const found = await get(only)
  expect(found.statusCode, found.body).toBe(200)
  expect(found.json()).toEqual((await get(PATH)).json())
  expect(found.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
  const second = await signUp(test.app)
  const more = { profile_type: 'agent', username: 'second', bio: 'Another agent', type_data: {} }
  const made = await second.post('/profiles', more)
  expect(made.statusCode, made.body).toBe(200)
  later()
  expect((await get(only)).statusCode).toBe(404)
  const { profiles } = (await second.get('/dashboard/profiles')).json()
  const other = profiles.find(({ username }: { username: string }) => username === 'second')
  await second.put(`/profiles/${other.id}/visibility`, { visibility: 'unlisted' })
  later()
  expect((await get(only)).statusCode).toBe(200)
})

it('does not exist for other profiles, without a registration, and by default', async () => {
  await change({ type_data: { registrations: [] } })
  expect((await get(PATH)).statusCode).toBe(404)
  expect((await get('/agent/unknown-name/agent-registration.json')).statusCode).toBe(404)
  expect((await get(`/u/${owner.account.username}/agent-registration.json`)).statusCode).toBe(404)
  await change({ type_data: { registrations: [REGISTRATION] } })
  expect((await get(PATH)).statusCode).toBe(200)
  const hidden = await owner.put(`/profiles/${profileId}/visibility`, { visibility: 'private' })
  expect(hidden.statusCode).toBe(200)
  expect((await get(PATH)).statusCode).toBe(404)
  later()
  expect((await get('/.well-known/agent-registration.json')).statusCode).toBe(404)
  const off = await createTestApp()
  const other = await signUp(off.app)
  const type_data = { registrations: [REGISTRATION] }
  await other.post('/profiles', { profile_type: 'agent', username: 'scout', type_data })
  expect((await client(off.app).get('/agent/scout')).statusCode).toBe(200)
  expect((await client(off.app).get(PATH)).statusCode).toBe(404)
  await off.close()
})
