import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { codeOf, didOf, newName, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { keyAgent } from '../support/agents.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { advice, catalogueOf, listService, NEGOTIATIONS, openDeal, price } from '../support/deals.ts'
import { openInstances } from '../support/instances.ts'
import { countingIn } from '../support/rate-limits.ts'
import { join, newMember, newOrganization } from '../support/teams.ts'

/** The hits of each key so far. Tests raise them to come close to a limit. */
const hits = new Map<string, number>()
const { instance } = await openInstances({ limits: { rateLimit: { store: countingIn(hits), multiplier: 1_000 } } })
const app = await instance()

const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const text = (maxLength: number, minLength = 0) => ({ type: 'string', minLength, maxLength })
const atLeast0 = { type: 'number', minimum: 0 }
const time = { type: 'string', format: 'date-time' }
const hours = {
  type: 'array',
  items: closed({
    start: { type: 'string', pattern: '^[0-2][0-9]:[0-5][0-9]$' },
    end: { type: 'string', pattern: '^[0-2][0-9]:[0-5][0-9]$' },
  }),
}

/** `service.listing.json` of EEP v0.1. */
const listingSchema = closed(
  {
    entity_did: { type: 'string', pattern: '^did:[a-z0-9]+:.+$' },
    services: {
      type: 'array',
      maxItems: 100,
      items: closed(
        {
          id: { type: 'string', pattern: '^svc_[a-zA-Z0-9_]{1,64}$' },
          name: text(256, 1),
          category: text(64, 1),
          pricing: {
            type: 'object',
            required: ['model', 'currency'],
            properties: {
              model: {
                type: 'string',
                pattern: '^(fixed|per_request|per_event|subscription|metered|tiered_volume|free|x-[a-z][a-z0-9_-]*)$',
              },
              currency: { type: 'string', pattern: '^[a-z]{3}$' },
              amount: atLeast0,
              period: { enum: ['hour', 'day', 'week', 'month', 'year'] },
              unit: { type: 'string' },
              rate: atLeast0,
            },
          },
          delivery: { enum: ['realtime', 'async', 'scheduled', 'sse', 'webhook', 'download', 'a2a_task'] },
          description: text(4096),
          tags: { type: 'array', maxItems: 20, items: text(64) },
          availability: closed({
            type: { enum: ['always', 'schedule', 'on_demand', 'limited'] },
            timezone: { type: 'string' },
            schedule: closed(
              Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, hours])),
            ),
            slots_remaining: { type: 'integer', minimum: 0 },
            next_available: time,
          }),
          gate_requirements: { type: 'array', maxItems: 5, items: { type: 'object', required: ['type'] } },
          negotiable: { type: 'boolean' },
          rating: closed({ score: { type: 'number', minimum: 1, maximum: 5 }, count: atLeast0 }),
          status: { enum: ['active', 'paused', 'sold_out', 'coming_soon'] },
          created_at: time,
          updated_at: time,
          metadata: { type: 'object', maxProperties: 20 },
        },
        ['id', 'name', 'category', 'pricing', 'delivery'],
      ),
    },
  },
  ['entity_did', 'services'],
)
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
const isListing = ajv.compile(listingSchema)

const everything = {
  name: 'Data feed',
  category: 'data_feed',
  pricing: { model: 'metered', currency: 'eur', unit: 'row', rate: 0.01, minimum_charge: 1 },
  delivery: 'webhook',
  description: 'Rows.\n\nMany rows.',
  tags: ['rows', 'data'],
  availability: {
    type: 'schedule',
    timezone: 'Europe/Vienna',
    schedule: { mon: [{ start: '09:00', end: '17:30' }] },
    slots_remaining: 3,
    next_available: '2027-01-01T00:00:00Z',
  },
  gate_requirements: [{ type: 'trust', min_score: 20 }],
  negotiable: true,
  status: 'coming_soon',
  metadata: { origin: 'Vienna', rows: 7, live: true },
}

const read = async (person: Person, headers: Record<string, string> = {}) =>
  client(app).get(catalogueOf(person), headers)
const deal = async (buyer: Person, seller: Person, service: string) => {
  const made = await openDeal(app, { buyer, seller }, { service, pricing: undefined })
  await made.play('seller accept', 'buyer complete')
}

describe('a catalogue', () => {
  it('sends a catalog that is valid by the schema of EEP, empty and full', async () => {
    const seller = await signUp(app)
    const empty = (await read(seller)).json()
    expect(empty).toEqual({ entity_did: didOf(seller), services: [] })
    expect([isListing(empty), isListing.errors]).toEqual([true, null])
    const first = await listService(seller)
    await listService(seller, everything)
    const full = (await read(seller)).json()
    expect([isListing(full), isListing.errors]).toEqual([true, null])
    expect(full.services[0]).toEqual({
      id: first,
      ...advice(),
      negotiable: false,
      status: 'active',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(full.services[1]).toMatchObject(everything)
  })

  it('changes the ETag of a catalogue with its content, also on another instance', async () => {
    const other = await instance()
    const seller = await signUp(app)
    const id = await listService(seller)
    const first = await read(seller)
    expect(first.headers['cache-control']).toBe('public, max-age=60')
    const etag = String(first.headers.etag)
    const again = await read(seller, { 'if-none-match': etag })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    expect((await client(other).get(catalogueOf(seller))).headers.etag).toBe(etag)
    const path = `${catalogueOf(seller)}/${id}`
    expect((await seller.put(path, advice({ name: 'Two hours' }))).json().name).toBe('Two hours')
    const changed = await read(seller, { 'if-none-match': etag })
    expect([changed.statusCode, changed.json().services[0].name]).toEqual([200, 'Two hours'])
    await expect
      .poll(async () => (await client(other).get(catalogueOf(seller))).headers.etag)
      .toBe(changed.headers.etag)
    expect((await seller.delete(path)).json()).toEqual({ success: true })
    expect((await read(seller)).json().services).toEqual([])
    expect(codeOf(await seller.delete(path))).toBe('service_not_found')
    expect(codeOf(await seller.put(path, advice()))).toBe('service_not_found')
  })

  it('links a catalogue in the profile while it is not empty', async () => {
    const seller = await signUp(app)
    const record = async () => (await client(app).get(`/u/${seller.account.username}?format=json`)).json()
    expect((await record()).eep).not.toHaveProperty('commerce')
    const id = await listService(seller)
    const { eep, links } = await record()
    expect(eep).toMatchObject({ commerce: true, services_url: `https://profiles.example${catalogueOf(seller)}` })
    expect(links.services).toBe(eep.services_url)
    expect((await client(app).get(new URL(eep.services_url).pathname)).statusCode).toBe(200)
    await seller.delete(`${catalogueOf(seller)}/${id}`)
    expect((await record()).eep).not.toHaveProperty('services_url')
  })

  it('shows a catalog to readers who may see the profile', async () => {
    const seller = await signUp(app)
    await listService(seller)
    await seller.put(`/profiles/${seller.account.active_profile_id}/visibility`, { visibility: 'private' })
    expect(codeOf(await read(seller))).toBe('profile_not_found')
    const own = await read(seller, seller.headers)
    expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect((await client(app).get('/eep/services/did:web:elsewhere.example:u:ada')).statusCode).toBe(404)
  })

  it('lets owner, administrators and keys with the scope change a catalogue', async () => {
    const shop = await newOrganization(app)
    const url = `/eep/services/did:web:profiles.example:o:${shop.username}`
    const [admin, editor] = [await newMember(app, shop, 'admin'), await newMember(app, shop, 'editor')]
    expect((await admin.post(url, advice())).statusCode).toBe(201)
    expect(codeOf(await editor.post(url, advice()))).toBe('not_profile_owner')
    expect(codeOf(await (await signUp(app)).post(url, advice()))).toBe('not_profile_owner')
    const key = await newKey(app, shop.owner.headers, { scopes: ['write:services'] })
    const byKey = await client(app).as(key).post(url, advice())
    expect(byKey.statusCode).toBe(201)
  })

  it('limits a catalog to a hundred services, also under concurrent requests', async () => {
    const seller = await signUp(app)
    for (let round = 0; round < 7; round++) {
      await Promise.all(Array.from({ length: 14 }, () => listService(seller)))
    }
    const last = await Promise.all(Array.from({ length: 6 }, () => seller.post(catalogueOf(seller), advice())))
    expect(last.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409, 409, 409])
    expect((await read(seller)).json().services).toHaveLength(100)
  })

  it.each([
    ['a subscription without a period', { pricing: { model: 'subscription', currency: 'usd' } }, '/pricing/period'],
    ['a currency of four letters', { pricing: { model: 'free', currency: 'usdc' } }, '/pricing/currency'],
    ['a tag too many', { tags: Array(21).fill('x') }, '/tags'],
    ['too much metadata', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, n])) }, '/metadata'],
    ['a day of no week', { availability: { schedule: { someday: [] } } }, '/availability/schedule'],
  ])('refuses %s', async (_, wrong, path) => {
    const seller = await signUp(app)
    const response = await seller.post(catalogueOf(seller), advice(wrong))
    expect(codeOf(response)).toBe('validation_failed')
    expect(response.json().error.details.issues[0].path).toBe(path)
  })
})

describe('a review', () => {
  const review = (who: Person, seller: Person, service: string, score: number, more: object = {}) =>
    who.post(`${catalogueOf(seller)}/reviews`, { service_id: service, score, ...more })

  it('accepts one review per completed deal for the service', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const service = await listService(seller)
    const other = await listService(seller)
    expect(codeOf(await review(buyer, seller, service, 5))).toBe('no_deal_to_review')
    await openDeal(app, { buyer, seller }, { service, pricing: undefined })
    expect(codeOf(await review(buyer, seller, service, 5))).toBe('no_deal_to_review')
    await deal(buyer, seller, service)
    expect(codeOf(await review(buyer, seller, other, 5))).toBe('no_deal_to_review')
    expect(codeOf(await review(await signUp(app), seller, service, 5))).toBe('no_deal_to_review')
    expect(codeOf(await review(seller, seller, service, 5))).toBe('no_deal_to_review')
    expect(codeOf(await review(buyer, seller, 'svc_none', 5))).toBe('service_not_found')
    for (const score of [0, 6, 2.5])
      expect(codeOf(await review(buyer, seller, service, score))).toBe('validation_failed')
    const made = await review(buyer, seller, service, 4, { comment: 'Sound advice' })
    expect(made.statusCode, made.body).toBe(201)
    const expected = { service_id: service, reviewer_did: didOf(buyer), score: 4, comment: 'Sound advice' }
    expect(made.json()).toMatchObject(expected)
    expect(codeOf(await review(buyer, seller, service, 1))).toBe('no_deal_to_review')
    const list = (await client(app).get(`${catalogueOf(seller)}/reviews?service_id=${service}`)).json()
    expect(list).toMatchObject({ data: [expected], pagination: { total: 1, has_more: false } })
    expect((await client(app).get(`${catalogueOf(seller)}/reviews?service_id=${other}`)).json().data).toEqual([])
  })

  it('names its reviewer only while lists show the reviewing profile, by its current name', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const service = await listService(seller)
    await deal(buyer, seller, service)
    await review(buyer, seller, service, 4, { comment: 'Sound advice' })
    const listed = async () => (await client(app).get(`${catalogueOf(seller)}/reviews`)).json().data
    const profileId = buyer.account.active_profile_id
    const shown = { score: 4, comment: 'Sound advice' }

    for (const visibility of ['unlisted', 'private']) {
      await buyer.put(`/profiles/${profileId}/visibility`, { visibility })
      expect(await listed()).toMatchObject([{ ...shown, reviewer_did: 'did:eep:erased' }])
    }
    const renamed = newName()
    await buyer.put(`/profiles/u/${buyer.account.username}`, { username: renamed })
    await buyer.put(`/profiles/${profileId}/visibility`, { visibility: 'public' })
    expect(await listed()).toMatchObject([{ ...shown, reviewer_did: `did:web:profiles.example:u:${renamed}` }])

    const leaves = await buyer.send('DELETE', '/auth/account', { password: PASSWORD })
    expect(leaves.statusCode, leaves.body).toBe(200)
    const [left] = await listed()
    expect(left).toMatchObject({ score: 4, reviewer_did: 'did:eep:erased' })
    expect(left).not.toHaveProperty('comment')
  })

  it('rejects a buyer who joined the team of the seller after the deal', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const service = await listService(seller)
    await deal(buyer, seller, service)
    const id = seller.account.active_profile_id
    await join({ owner: seller, id, team: `/profiles/${id}/team` }, buyer, 'viewer')
    expect(codeOf(await review(buyer, seller, service, 5))).toBe('no_deal_to_review')
  })

  it('updates the rating of the listing immediately', async () => {
    const seller = await signUp(app)
    const service = await listService(seller)
    for (const score of [5, 4, 4]) {
      const buyer = await signUp(app)
      await deal(buyer, seller, service)
      expect((await review(buyer, seller, service, score)).statusCode).toBe(201)
    }
    const listing = (await read(seller)).json()
    expect(listing.services[0].rating).toEqual({ score: 4.3, count: 3 })
    expect(isListing(listing)).toBe(true)
  })

  it('stores one review per deal under concurrent requests', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const service = await listService(seller)
    await deal(buyer, seller, service)
    const sent = await Promise.all(Array.from({ length: 5 }, () => review(buyer, seller, service, 5)))
    expect(sent.map(({ statusCode }) => statusCode).filter((status) => status === 201)).toHaveLength(1)
    expect((await read(seller)).json().services[0].rating).toEqual({ score: 5, count: 1 })
  })

  it('limits the number of reviews', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const service = await listService(seller)
    for (let count = 0; count < 6; count++) await deal(buyer, seller, service)
    const codes: number[] = []
    for (let count = 0; count < 6; count++) codes.push((await review(buyer, seller, service, 5)).statusCode)
    expect(codes).toEqual([201, 201, 201, 201, 201, 429])
  })

  it('accepts at most 100 reviews of one profile per day, from any number of buyers', async () => {
    const [seller, other] = [await signUp(app), await signUp(app)]
    const [service, elsewhere] = [await listService(seller), await listService(other)]
    hits.set(`reviews:${seller.account.active_profile_id}`, 99)
    const [last, late] = [await signUp(app), await signUp(app)]
    await deal(last, seller, service)
    await deal(late, seller, service)
    await deal(late, other, elsewhere)
    expect((await review(last, seller, service, 5)).statusCode).toBe(201)
    const refused = await review(late, seller, service, 5)
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_reviews'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_600)
    expect((await read(seller)).json().services[0].rating.count).toBe(1)
    expect((await review(late, other, elsewhere, 5)).statusCode).toBe(201)
  })

  it('accepts a review by an agent that bought', async () => {
    const seller = await signUp(app)
    const service = await listService(seller)
    const agent = keyAgent()
    const signed = (path: string, body?: object) => {
      const payload = body === undefined ? '' : JSON.stringify(body)
      const headers = { ...agent.sign({ method: 'POST', path, body: payload }), 'content-type': 'application/json' }
      return client(app).post(path, payload, headers)
    }
    const made = await signed(NEGOTIATIONS, { seller_did: didOf(seller), service, pricing: price(100) })
    expect(made.statusCode, made.body).toBe(201)
    const path = `${NEGOTIATIONS}/${made.json().negotiation_id}`
    expect(made.json()).toMatchObject({ buyer_did: agent.did, role: 'buyer', pricing_mode: 'fixed' })
    await seller.post(`${path}/accept`)
    expect((await signed(`${path}/complete`)).json().state).toBe('completed')
    const reviewed = await signed(`${catalogueOf(seller)}/reviews`, { service_id: service, score: 3 })
    expect(reviewed.json()).toMatchObject({ reviewer_did: agent.did, score: 3 })
  })
})
