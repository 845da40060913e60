import { randomUUID, sign } from 'node:crypto'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Person, signUp } from '../support/accounts.ts'
import { keyAgent } from '../support/agents.ts'
import { isSigned } from '../support/archives.ts'
import { type Client, client, type Response } from '../support/client.ts'
import { openDeal } from '../support/deals.ts'
import {
  acknowledgementSchema,
  auditLogSchema,
  did,
  envelopeSchema,
  eventType,
  forbiddenSchema,
  manifestSchema,
  paymentRequiredSchema,
  registrySchema,
  restrictedSchema,
  sessionSchema,
  subscriptionSchema,
  version,
  versionSchema,
} from '../support/eep-schemas.ts'
import { header, openShop, type Shop } from '../support/shop.ts'
import { listen } from '../support/streams.ts'
import { LONG } from '../support/wait.ts'
import { openWebhooks } from '../support/webhooks.ts'

// What a checker of EEP 0.1 asks a server at the levels Core, Standard and Full.

const PROBLEM = 'application/problem+json'
const typeOf = (response: Response) => header(response, 'content-type').split(';')[0]

const cashWallets = createCashWallets()
const { app, setUp, receiver } = await openWebhooks({
  payments: { rails: [cashRail({ cashWallets })] },
  hooks: {
    legalRestriction: ({ resource }) =>
      resource.endsWith('looms') ? { reason: 'A court said so.', jurisdiction: 'DE' } : undefined,
  },
  discovery: {
    registry: {
      name: 'Profiles of the example',
      scope: { geography: ['DE'] },
      conformanceTierRequired: 'Standard',
      federationCredentialUrl: 'https://profiles.example/federation.json',
    },
    dpvPurpose: 'dpv:ServiceProvision',
    dpvRetention: 'P30D',
  },
})
const get = (url: string, headers: Record<string, string> = {}) => client(app).get(url, headers)
let shop: Shop
beforeAll(async () => {
  shop = await openShop(app, 'checked')
})

describe('Core', () => {
  it('has a manifest of the closed form, whose layers are absolute URLs of this service', async () => {
    const manifest = manifestSchema.parse((await get('/.well-known/eep.json')).json())
    for (const url of Object.values(manifest.layers)) expect(url).toMatch(/^(https|wss):\/\/profiles\.example\//)
  })

  it.each(['application/json', 'text/markdown'])('serves an entity as %s with the headers of EEP', async (type) => {
    const response = await get(shop.profile, { accept: type })
    expect(response.statusCode).toBe(200)
    expect(header(response, 'content-type')).toContain(type)
    expect(header(response, 'eep-version')).toBe('0.1')
    expect(header(response, 'eep-entity-did')).toBe(shop.did)
    expect(header(response, 'etag')).toMatch(/^(W\/)?".+"$/)
    expect(header(response, 'cache-control')).not.toBe('')
    for (const rel of ['subscribe', 'monitor', 'agent-card', 'eep']) {
      expect(header(response, 'link')).toContain(`rel="${rel}"`)
    }
  })

  it('describes the entity in the member eep', async () => {
    const { eep } = (await get(shop.profile, { accept: 'application/json' })).json()
    z.looseObject({
      version,
      endpoint: z.url(),
      supported_delivery: z.array(z.string()),
      supported_event_types: z.array(eventType),
      identity: z.looseObject({ did, verification_endpoint: z.string() }),
    }).parse(eep)
  })

  it('answers conditional requests by weak comparison, lists and the star, and never without a condition', async () => {
    const tag = header(await get(shop.profile), 'etag')
    for (const condition of [tag, `W/${tag.replace(/^W\//, '')}`, `"other", ${tag}`, '*']) {
      const response = await get(shop.profile, { 'if-none-match': condition })
      expect([response.statusCode, response.body, header(response, 'etag')]).toEqual([304, '', tag])
      expect(header(response, 'cache-control')).not.toBe('')
    }
    expect((await get(shop.profile, { 'if-none-match': '"other"' })).statusCode).toBe(200)
    expect((await get(shop.paid, { 'if-none-match': '*' })).statusCode).toBe(402)
  })

  it('returns 505 for an unsupported version, and accepts one of several', async () => {
    const response = await get(shop.profile, { 'eep-version': '9.9', accept: PROBLEM })
    expect(response.statusCode).toBe(505)
    versionSchema.parse(response.json())
    expect((await get(shop.profile, { 'eep-version': '9.9, 0.1' })).statusCode).toBe(200)
  })

  it('announces rate limits in both forms', async () => {
    const response = await get(shop.profile)
    expect(header(response, 'ratelimit')).toMatch(/^".+";\s*r=\d+;\s*t=\d+$/)
    expect(header(response, 'ratelimit-policy')).toMatch(/^".+";\s*q=\d+;\s*w=\d+$/)
    expect(header(response, 'x-ratelimit-limit')).toMatch(/^\d+$/)
  })

  it('names itself and its events in the agent card', async () => {
    const card = (await get('/.well-known/agent.json')).json()
    z.looseObject({
      source_did: did,
      subscribe_url: z.url(),
      stream_url: z.url(),
      supported_events: z.array(eventType).min(1),
      anp_compatible: z.boolean(),
      dpv_purpose: z.literal('dpv:ServiceProvision'),
      dpv_retention: z.literal('P30D'),
    }).parse(card['x-eep'])
  })

  it.each(['/.well-known/jwks.json', '/.well-known/did.json', '/health'])('serves %s', async (url) => {
    expect((await get(url)).statusCode).toBe(200)
  })
})

describe('Standard', () => {
  it('streams events as one-line envelopes', async () => {
    const base = await listen(app)
    const ending = new AbortController()
    const response = await fetch(`${base}/eep/stream?source=${shop.did}`, {
      headers: shop.headers,
      signal: ending.signal,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('cache-control')).toContain('no-cache')
    const page = { profile_id: shop.profileId, title: 'Streamed', status: 'published', body: 'News.' }
    await shop.post('/manage/pages', page)
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      if (/^data: .*content\.published.*\n\n/m.test(text)) break
    }
    ending.abort()
    const [, data = ''] = /^data: (.*content\.published.*)$/m.exec(text) ?? []
    const envelope = envelopeSchema.parse(JSON.parse(data))
    expect(text).toContain(`id: ${envelope.id}`)
    expect(text).toContain(`event: ${envelope.type}`)
  })

  it('leads a subscription through its life', async () => {
    const { ada, made: hook } = await setUp()
    const act = async (who: Person, action: string) => (await who.post(`${hook.path}/${action}`)).statusCode
    const shown = (await ada.get(hook.path)).json()
    expect(subscriptionSchema.parse(shown).status).toBe('active')
    expect(shown).not.toHaveProperty('delivery_secret')
    const { subscriptions } = (await ada.get('/eep/subscriptions')).json()
    z.array(subscriptionSchema).min(1).parse(subscriptions)
    expect((await shop.get(hook.path)).statusCode).toBe(404)
    expect([await act(ada, 'resume'), await act(ada, 'pause'), await act(ada, 'pause')]).toEqual([409, 200, 409])
    expect([await act(ada, 'test'), await act(ada, 'resume'), await act(ada, 'test')]).toEqual([409, 200, 202])
    const log = (await ada.get(`${hook.path}/delivery-log`)).json()
    z.looseObject({ subscription_id: z.string(), attempts: z.array(z.looseObject({})) }).parse(log)
    expect([(await ada.delete(hook.path)).statusCode, (await ada.delete(hook.path)).statusCode]).toEqual([204, 204])
  })

  it('lists past events as envelopes', async () => {
    const response = await get(`/eep/events?source=${shop.did}&limit=5`, shop.headers)
    z.looseObject({ events: z.array(envelopeSchema).min(1) }).parse(response.json())
  })

  it('returns 426 for a request for the pulse without an upgrade', async () => {
    const response = await get('/eep/pulse')
    expect(response.statusCode).toBe(426)
  })

  it('serves open content, and the whole of it', async () => {
    const response = await get(`/eep/content${shop.open}`)
    expect([response.statusCode, header(response, 'eep-entity-did')]).toEqual([200, shop.did])
    expect(response.body).toContain('Everybody may read this.')
    expect((await get(`/eep/content${shop.open}`, { 'if-none-match': header(response, 'etag') })).statusCode).toBe(304)
  })

  it('returns 402 in the closed form, with an offer that opens the content', async () => {
    const response = await get(`/eep/content${shop.paid}`)
    expect([response.statusCode, typeOf(response)]).toEqual([402, PROBLEM])
    expect(paymentRequiredSchema.parse(response.json())).toMatchObject({
      resource: 'content.notes.engines',
      required_tier: 'reader',
      unmet_requirements: [{ type: 'payment' }],
    })
    const payment = cashWallets.answer(header(response, 'payment-required'))
    const paid = await get(`/eep/content${shop.paid}`, payment)
    expect([paid.statusCode, header(paid, 'payment-response') !== '']).toEqual([200, true])
    expect(paid.body).toContain('Paid reading.')
  })

  it('serves content by the DID of its entity and the name of the resource', async () => {
    const response = await get(`/eep/content/${shop.did}/content.welcome`)
    expect([response.statusCode, header(response, 'eep-entity-did')]).toEqual([200, shop.did])
    expect(response.body).toContain('Everybody may read this.')
  })

  it.each(['content.notes.engines', 'content.notes.looms'])(
    'refuses %s below the DID of its entity in the closed form of EEP',
    async (resource) => {
      const response = await get(`/eep/content/${shop.did}/${resource}`)
      expect(typeOf(response)).toBe(PROBLEM)
      const [status, schema] = resource.endsWith('looms') ? [451, restrictedSchema] : [402, paymentRequiredSchema]
      expect(response.statusCode).toBe(status)
      expect(schema.parse(response.json())).toMatchObject({ resource })
    },
  )

  it.each(['content.nothing', 'content.*', 'profile', 'content.notes/engines', 'Content.welcome'])(
    'returns 404 for %s below the DID of an entity',
    async (resource) => {
      const response = await get(`/eep/content/${shop.did}/${resource}`)
      expect([response.statusCode, typeOf(response)]).toEqual([404, PROBLEM])
    },
  )

  describe('a subscription to a tier', () => {
    const sign = async (who: Client, to: Pick<Shop, 'did'>, fields: object) =>
      who.post('/eep/subscribe', {
        source_did: to.did,
        event_types: ['content.published'],
        delivery_method: 'webhook',
        delivery_url: (await receiver()).url,
        ...fields,
      })

    it('returns 402 in the closed form until the subscriber bought it', async () => {
      const ada = await signUp(app)
      const refused = await sign(ada, shop, { tier: 'reader' })
      expect([refused.statusCode, typeOf(refused)]).toEqual([402, PROBLEM])
      expect(paymentRequiredSchema.parse(refused.json())).toMatchObject({
        resource: 'content.notes.*',
        required_tier: 'reader',
        unmet_requirements: [{ type: 'payment' }],
      })
      const wallet = 'wallet:tier-buyer'
      const payment = cashWallets.answer(header(await get(shop.paid), 'payment-required'), { wallet })
      expect((await get(shop.paid, payment)).statusCode).toBe(200)
      const payer = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
      const taken = await sign(client(app).with({ ...ada.headers, ...payer }), shop, { tier: 'reader' })
      expect([taken.statusCode, taken.json().tier]).toEqual([201, 'reader'])
    })

    it('returns 403 in the closed form for a tier that no payment opens, and takes its proofs', async () => {
      const club = await openShop(app, 'signed-club')
      await club.put(`/eep/gates/${club.did}`, {
        default_tier: 'public',
        tiers: {
          public: { requirements: [], access: ['*'] },
          members: { requirements: [{ type: 'capability', required_capabilities: ['cite'] }], access: ['content.*'] },
        },
      })
      const ada = await signUp(app)
      const refused = await sign(ada, club, { tier: 'members' })
      expect([refused.statusCode, typeOf(refused)]).toEqual([403, PROBLEM])
      forbiddenSchema.parse(refused.json())

      const agent = keyAgent()
      const body = JSON.stringify({
        source_did: club.did,
        event_types: ['content.published'],
        delivery_method: 'webhook',
        delivery_url: (await receiver()).url,
        tier: 'members',
        gate_proofs: [{ type: 'capability', declared_capabilities: ['cite'], nonce: randomUUID() }],
      })
      const send = () =>
        client(app).post('/eep/subscribe', body, {
          ...ada.headers,
          'content-type': 'application/json',
          ...agent.sign({ method: 'POST', path: '/eep/subscribe', body }),
        })
      expect((await send()).statusCode).toBe(201)
      expect((await send()).json().error.code).toBe('proof_replayed')
    })

    it.each([
      ['the default tier', 'public', 201],
      ['an unknown tier', 'golden', 400],
      ['a name that every object has', 'constructor', 400],
    ])('answers a request for %s, %s, with status %i', async (_what, tier, status) => {
      expect((await sign(await signUp(app), shop, { tier })).statusCode).toBe(status)
    })

    it('lets the owner of the source have every tier', async () => {
      expect((await sign(shop, shop, { tier: 'reader' })).statusCode).toBe(201)
    })

    it('keeps other errors in the format of the service', async () => {
      const refused = await sign(await signUp(app), shop, { tier: 'golden' })
      expect([typeOf(refused), refused.json().error.code]).toEqual(['application/json', 'validation_failed'])
    })
  })

  it('returns 451 in the closed form', async () => {
    const response = await get(`/eep/content${shop.other}`)
    expect([response.statusCode, typeOf(response)]).toEqual([451, PROBLEM])
    restrictedSchema.parse(response.json())
  })

  it('returns 403 in the closed form when no payment opens the content', async () => {
    const closed = await openShop(app, 'closed-club')
    await closed.put(`/eep/gates/${closed.did}`, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        members: { requirements: [{ type: 'identity', method: 'did_verified' }], access: ['content.*'] },
      },
    })
    const response = await get(`/eep/content${closed.open}`)
    expect([response.statusCode, typeOf(response)]).toEqual([403, PROBLEM])
    forbiddenSchema.parse(response.json())
  })

  it.each([
    '/u/checked/content/nothing',
    '/u/unknown-name/content/welcome',
    '/u/checked',
    '/u/checked/messages/1',
    '/x/checked/content/welcome',
    '/..%2f..%2fadmin',
    '/u/checked/content/notes%2Fengines',
  ])('returns 404 as a problem for %s', async (path) => {
    const response = await get(`/eep/content${path}`)
    expect([response.statusCode, typeOf(response)]).toEqual([404, PROBLEM])
  })
})

describe('Full', () => {
  it('has a signed audit log of the closed form', async () => {
    const { seller } = await openDeal(app)
    const log = await vi.waitFor(async () => auditLogSchema.parse((await seller.get('/eep/audit-log')).json()), LONG)
    expect(log.entries[0]?.event_type).toBe('commerce.offer')
  })

  it('renews and revokes the session token of an agent, whose form is closed', async () => {
    const gated = await openShop(app, 'session-club')
    await gated.put(`/eep/gates/${gated.did}`, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        members: { requirements: [{ type: 'capability', required_capabilities: ['cite'] }], access: ['content.*'] },
      },
    })
    const agent = keyAgent()
    const post = (path: string, body: string, headers: Record<string, string> = {}) =>
      client(app).post(path, body, {
        ...(body && { 'content-type': 'application/json' }),
        ...agent.sign({ method: 'POST', path, body }),
        ...headers,
      })
    const proofs = [{ type: 'capability', declared_capabilities: ['cite'] }]
    const body = JSON.stringify({ resource: 'content.*', proofs })
    const proven = await post(`/eep/gates/${gated.did}/verify-proof`, body)
    const { session_token: token } = proven.json()
    const session = sessionSchema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()))
    expect(session).toMatchObject({ agent_did: agent.did, issuer_did: 'did:web:profiles.example', tiers: ['members'] })
    expect(session.refresh_threshold).toBeLessThan(session.exp)

    const carried = { authorization: `EEP-Session ${token}` }
    const read = async () => (await get(gated.open, { ...carried, 'eep-agent-did': agent.did })).statusCode
    expect(await read()).toBe(200)
    const early = await post('/eep/sessions/renew', '', carried)
    expect([early.statusCode, early.headers['retry-after']]).toEqual([409, expect.stringMatching(/^\d+$/)])
    const revoked = await post('/eep/sessions/revoke', '', carried)
    expect(revoked.json()).toMatchObject({ agent_did: agent.did, publisher_did: gated.did, re_auth_required: true })
    expect(await read()).toBe(403)
    expect((await post('/eep/sessions/renew', '', carried)).statusCode).toBe(401)
  })

  it('acknowledges the withdrawal of a claim in the closed form, once for each signed request', async () => {
    const agent = keyAgent()
    const claim = 'claim-7'
    const withdraw = async (changes: object = {}) => {
      const request = {
        agent_did: agent.did,
        claim_id: claim,
        issued_at: new Date().toISOString(),
        nonce: randomUUID(),
        reason: 'revoke_consent',
        ...changes,
      }
      const sorted = Object.fromEntries(Object.entries(request).sort(([left], [right]) => (left < right ? -1 : 1)))
      const signature = sign(null, Buffer.from(JSON.stringify(sorted)), agent.key).toString('base64url')
      const payload = { ...request, signature }
      return { payload, answer: await client(app).send('DELETE', `/data/claims/${claim}`, payload) }
    }
    const { payload, answer } = await withdraw()
    expect(answer.statusCode, answer.body).toBe(202)
    expect(acknowledgementSchema.parse(answer.json())).toMatchObject({ claim_id: claim, status: 'completed' })
    const { publisher_signature: signature, ...acknowledged } = answer.json()
    const { keys } = (await get('/.well-known/jwks.json')).json()
    expect(isSigned(acknowledged, signature, keys[0])).toBe(true)
    const status = await get(`/data/claims/${claim}/status`)
    expect([status.statusCode, status.json()]).toEqual([200, { claim_id: claim, status: 'completed' }])

    const refused = [
      await client(app).send('DELETE', `/data/claims/${claim}`, payload),
      (await withdraw({ issued_at: new Date(Date.now() - 61_000).toISOString() })).answer,
      (await withdraw({ agent_did: keyAgent().did })).answer,
    ]
    expect(refused.map((one) => one.json().error.code)).toEqual(refused.map(() => 'invalid_signature'))
    const sentTo = async (did: string) => (await withdraw({ publisher_did: did })).answer
    expect((await sentTo('did:web:profiles.example')).statusCode).toBe(202)
    expect((await sentTo('did:web:profiles.example:u:ada')).statusCode).toBe(202)
    for (const did of ['did:web:other.example', 'did:web:other.example:u:ada', 'did:key:z6Mk']) {
      const elsewhere = await sentTo(did)
      expect([elsewhere.statusCode, elsewhere.json().error.code]).toEqual([400, 'unknown_publisher'])
    }
    expect((await withdraw({ claim_id: 'another' })).answer.statusCode).toBe(400)
    expect((await withdraw({ reason: 'mood' })).answer.statusCode).toBe(400)
  })

  it('describes the registry that the host configured, in the closed form', async () => {
    const registry = registrySchema.parse((await get('/.well-known/eep-registry.json')).json())
    expect(registry).toMatchObject({ did: 'did:web:profiles.example', registry_name: 'Profiles of the example' })
  })

  it('answers a delegation in the closed forms', async () => {
    const response = await client(app).post('/eep/delegation/verify', { credential: 'not.a.credential' })
    expect(response.statusCode).toBe(403)
    z.strictObject({ valid: z.literal(false), errors: z.array(z.string()).min(1) }).parse(response.json())
  })
})
