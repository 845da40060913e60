import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { createCashApp, header } from '../support/shop.ts'

const did = 'did:web:profiles.example:u:noether'

let service: Awaited<ReturnType<typeof createCashApp>>
let owner: Writer

beforeAll(async () => {
  service = await createCashApp()
  owner = await createWriter(service.app, 'noether')
  const notes = await owner.newCategory({ name: 'Notes' })
  for (const slug of ['1', 'n1', 'nn1']) await owner.newPage({ title: `Page ${slug}`, slug, body: 'Sold.' })
  await owner.newPage({ title: 'My page', slug: 'my-page', category_id: notes.id, body: 'Sold.' })
  await owner.newPage({ title: 'Welcome', body: 'Open.' })
  const price = (amount: number) => ({ type: 'payment', amount, currency: 'usdc', per: 'day' })
  const tiers = {
    public: { requirements: [], access: ['profile.*', 'content.*'] },
    first: { requirements: [price(1)], access: ['content.n1'] },
    second: { requirements: [price(2)], access: ['content.nn1'] },
    notes: { requirements: [price(3)], access: ['content.notes.*'] },
    signed: { requirements: [{ type: 'identity', method: 'did_verified' }], access: ['content.signed.*'] },
  }
  const stored = await owner.put(`/eep/gates/${did}`, { default_tier: 'public', tiers })
  expect(stored.statusCode, stored.body).toBe(200)
})
afterAll(() => service.close())

const { get, post } = client(() => service.app)

describe('pages whose slugs look alike', () => {
  it('gives similar pages different resource names, listed for the team', async () => {
    const list = await get(`/manage/pages?profile_id=${owner.profileId}`, owner.headers)
    const pages: { slug: string; resource: string }[] = list.json().data
    expect(Object.fromEntries(pages.map(({ slug, resource }) => [slug, resource]))).toMatchObject({
      1: 'content.n1',
      n1: 'content.nn1',
      nn1: 'content.nnn1',
      'my-page': 'content.notes.my_page',
    })
  })

  it('does not open a page by a payment for a similar one', async () => {
    const offer = await get(`${owner.contents}/1`)
    expect(offer.statusCode).toBe(402)
    const payment = service.cashWallets.answer(header(offer, 'payment-required'))
    const paid = await get(`${owner.contents}/1`, payment)
    expect(paid.statusCode).toBe(200)
    const payer = {
      'x-eep-payer-wallet': header(paid, 'x-eep-payer-wallet'),
      'x-eep-payer-network': header(paid, 'x-eep-payer-network'),
    }
    expect((await get(`${owner.contents}/1`, payer)).statusCode).toBe(200)
    const other = await get(`${owner.contents}/n1`, payer)
    expect([other.statusCode, Object.keys(other.json().available_tiers)]).toEqual([402, ['second']])
    expect((await get(`${owner.contents}/nn1`)).statusCode).toBe(200)
  })
})

describe('a resource that a request names', () => {
  const verify = (resource: string) => post(`/eep/gates/${did}/verify-proof`, { resource })
  const challenge = (resource: string, amount: number) =>
    post('/eep/payment/challenge', { pay_to_did: did, resource, amount, currency: 'usdc' })

  it('accepts a resource with hyphens and leading digits, and returns its name', async () => {
    const open = await verify('content.wel-come')
    expect([open.statusCode, open.json()]).toEqual([
      200,
      { access: 'granted', granted: true, resource: 'content.wel_come', tier: 'public' },
    ])
    const closed = await verify('content.notes.my-page')
    expect([closed.statusCode, closed.json().resource]).toEqual([402, 'content.notes.my_page'])
    expect((await verify('content.1')).json().required_tier).toBe('first')
    const price = await challenge('content.notes.my-page', 3)
    expect([price.statusCode, price.json().resource_url]).toEqual([
      201,
      `https://profiles.example${owner.contents}/notes/my-page`,
    ])
  })

  it('accepts a wildcard, which is granted when all of it is open', async () => {
    const open = await verify('content.welcome.*')
    expect([open.statusCode, open.json()]).toEqual([
      200,
      { access: 'granted', granted: true, resource: 'content.welcome.*', tier: 'public' },
    ])
    const paid = await verify('content.notes.*')
    expect([paid.statusCode, paid.json().required_tier]).toEqual([402, 'notes'])
    for (const all of ['content.*', '*']) {
      const refused = await verify(all)
      expect(refused.statusCode).toBe(402)
      expect(Object.keys(refused.json().available_tiers).sort()).toEqual(['first', 'notes', 'second', 'signed'])
    }
    expect((await verify('content.signed.*')).statusCode).toBe(403)
    for (const resource of ['content.*.x', 'content.**', 'Content.*', '']) {
      expect((await verify(resource)).statusCode).toBe(400)
    }
  })

  it('accepts a wildcard in a signed price, for a tier that opens all of it', async () => {
    const price = await challenge('content.notes.*', 3)
    expect(price.statusCode, price.body).toBe(201)
    expect(price.json()).toMatchObject({
      amount: '3',
      resource_url: `https://profiles.example${owner.contents}/notes`,
    })
    const facts = JSON.parse(Buffer.from(String(price.json().challenge).split('.')[1] ?? '', 'base64url').toString())
    expect(facts).toMatchObject({ resource: 'content.notes.*', tier: 'notes' })
    const partly = await challenge('content.*', 3)
    expect([partly.statusCode, partly.json().error.code]).toEqual([400, 'not_sold_there'])
    expect((await challenge('content.nowhere.*', 3)).statusCode).toBe(404)
    const other = await post('/eep/payment/x402/payment-required', { did, resource: 'content.notes.*' })
    expect(other.statusCode).toBe(404)
  })

  it('accepts a proof of intent whose scope has only an expiry', async () => {
    const intent = {
      intent_id: 'one',
      agent_did: 'did:key:z6Mk',
      principal_did: 'did:key:z6Mk',
      action: 'read',
      scope: { expires_at: '2030-01-01T00:00:00Z' },
      principal_signature: 'x'.repeat(88),
      created_at: '2026-01-01T00:00:00Z',
    }
    const proofs = (scope: object) => [{ type: 'proof_of_intent', intent_document: { ...intent, scope } }]
    const url = `/eep/gates/${did}/verify-proof`
    const asked = await post(url, { resource: 'content.welcome', proofs: proofs(intent.scope) })
    expect(asked.statusCode, asked.body).toBe(200)
    expect((await post(url, { resource: 'content.welcome', proofs: proofs({}) })).statusCode).toBe(400)
  })
})

describe('the resolver', () => {
  it('returns the entity and links to it', async () => {
    const answer = await get(`/resolve?did=${did}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['eep-entity-did']).toBe(did)
    const link = header(answer, 'link')
    expect(link).toContain('</u/noether>; rel="describes"')
    expect(link).toContain('</.well-known/eep.json>; rel="eep"')
    const own = await get('/resolve?did=did:web:profiles.example')
    expect([own.headers['eep-entity-did'], header(own, 'link')]).toEqual([
      'did:web:profiles.example',
      expect.stringContaining('rel="eep"'),
    ])
  })
})

describe('the manifest', () => {
  it('lists the signature algorithms that agents may use, and event types by their names on the wire', async () => {
    const manifest = (await get('/.well-known/eep.json')).json()
    expect(manifest.signing_algorithms).toEqual(['EdDSA', 'ES256K', 'ES256'])
    expect(manifest.event_types).toContainEqual({ type: 'entity.created', description: 'A profile became public' })
    const guide = (await get('/.well-known/eep/agent-guide.md')).body
    expect(guide).not.toContain('profiles.profile_created')
  })
})
