import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { proveAddress, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import {
  envelopeSchema,
  eventType,
  manifestSchema,
  paymentRequiredSchema,
  subscriptionSchema,
} from '../support/eep-schemas.ts'
import { openShop } from '../support/shop.ts'
import { openSocket } from '../support/sockets.ts'
import { listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'
import { openWebhooks } from '../support/webhooks.ts'

// The probes of a checker of EEP 0.1 that is given a DID and an API key, and finds everything else itself. It speaks HTTP alone.

const SCOPES = ['read:profiles', 'read:events', 'read:subscriptions', 'write:subscriptions', 'read:gates']
/** A type of EEP's catalogue that this service does not emit. */
const NOT_EMITTED = 'entity.state.changed'
/** The pattern of EEP's schema for the types of a subscription. */
const SUBSCRIBABLE = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*(\.(\*|[a-z][a-z0-9]*))?$/
/** The types of EEP's catalogue that its own pattern does not admit. */
const CATALOGUE = ['gate.config_changed', 'gate.access_granted', 'identity.did_updated']

const { app, database, receiver } = await openWebhooks()
const base = await listen(app)
const hook = await receiver()
let did = ''
let account: Awaited<ReturnType<typeof openShop>>
let key: Record<string, string> = {}

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${base}${path}`, { ...init, headers: { ...key, ...(init.headers as Record<string, string>) } })
const post = (path: string, body?: object) =>
  ask(path, {
    method: 'POST',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
const subscribe = (fields: object = {}) =>
  post('/eep/subscribe', {
    source_did: did,
    event_types: [NOT_EMITTED],
    delivery_method: 'webhook',
    delivery_url: hook.url,
    ...fields,
  })
const act = async (action: string) => (await post(`${subscription.path}/${action}`)).status
/** The JSON of a response. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
const jsonOf = async (response: Response | Promise<Response>): Promise<any> => (await response).json()
/** Reads a `Link` header: the targets by relation. */
const relations = (response: Response) =>
  new Map(
    [...(response.headers.get('link') ?? '').matchAll(/<([^>]*)>((?:;\s*[\w-]+="[^"]*")*)/g)].map(
      ([, target = '', rest = '']) => [
        /rel="([^"]*)"/.exec(rest)?.[1] ?? '',
        { target, type: /type="([^"]*)"/.exec(rest)?.[1] },
      ],
    ),
  )

let subscription = { id: '', path: '', secret: '' }

beforeAll(async () => {
  account = await openShop(app, 'probed')
  did = account.did
  key = (await newKey(app, account.headers, { scopes: SCOPES })).headers
  const made = await jsonOf(subscribe())
  subscription = {
    id: made.subscription_id,
    path: `/eep/subscriptions/${made.subscription_id}`,
    secret: made.delivery_secret,
  }
})

describe('discovery from a DID', () => {
  it('resolves the DID, and names the relations of EEP in Link', async () => {
    const response = await ask(`/resolve?did=${encodeURIComponent(did)}`)
    expect(response.status).toBe(200)
    const links = relations(response)
    expect(links.get('subscribe')).toEqual({ target: '/eep/subscribe', type: 'application/json' })
    expect(links.get('monitor')).toMatchObject({ type: 'text/event-stream' })
    expect([...links.keys()]).toEqual(expect.arrayContaining(['agent-card', 'eep']))
  })

  it('serves a manifest of the closed form where Link names it', async () => {
    const target = relations(await ask(`/resolve?did=${encodeURIComponent(did)}`)).get('eep')?.target
    const response = await ask(String(target))
    expect([response.status, response.headers.get('eep-version')]).toEqual([200, '0.1'])
    manifestSchema.parse(await response.json())
  })

  it('announces only types that the schema for subscriptions admits, or that are of the catalogue of EEP', async () => {
    const manifest = manifestSchema.parse(await jsonOf(ask('/.well-known/eep.json')))
    const types = (manifest.event_types ?? []).map(({ type }) => type)
    expect(types.length).toBeGreaterThan(20)
    expect(types.filter((type) => !SUBSCRIBABLE.test(type) && !CATALOGUE.includes(type))).toEqual([])
  })

  it('announces the same types in the agent card and the catalogue', async () => {
    const manifest = manifestSchema.parse(await jsonOf(ask('/.well-known/eep.json')))
    const names = (items: readonly { type: string }[]) => items.map(({ type }) => type).toSorted()
    const card = await jsonOf(ask('/.well-known/agent.json'))
    expect(z.array(eventType).parse(card['x-eep'].supported_events).toSorted()).toEqual(
      names(manifest.event_types ?? []),
    )
    const catalogue = await jsonOf(ask('/eep/events/types'))
    expect(names(catalogue.items)).toEqual(names(manifest.event_types ?? []))
  })

  it('answers an unconditional read with a tag, and the same tag without a body while nothing changes', async () => {
    const tag = String((await ask('/u/probed')).headers.get('etag'))
    const again = await ask('/u/probed', { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
  })

  it('refuses a version that it does not speak with 505', async () => {
    const response = await ask('/u/probed', { headers: { 'eep-version': '7.0', accept: 'application/problem+json' } })
    const problem = await jsonOf(response)
    expect([response.status, problem.error]).toEqual([505, 'eep_version_not_supported'])
    expect(Object.keys(problem).slice(0, 4)).toEqual(['type', 'title', 'status', 'detail'])
  })
})

describe('a subscription', () => {
  it('is active after the intent check, also for a type that the service does not emit', async () => {
    expect(hook.checks[0]?.get('hub.topic')).toBe(did)
    const shown = subscriptionSchema.parse(await jsonOf(ask(subscription.path)))
    expect(shown).toMatchObject({ status: 'active', event_types: [NOT_EMITTED] })
    expect(shown).not.toHaveProperty('delivery_secret')
    expect(subscription.secret.length).toBeGreaterThanOrEqual(16)
  })

  it('is listed', async () => {
    const { subscriptions } = await jsonOf(ask('/eep/subscriptions'))
    expect(z.array(subscriptionSchema).parse(subscriptions)).toMatchObject([{ subscription_id: subscription.id }])
  })

  it('delivers a test that the text of the secret signs, and writes it to the log of deliveries', async () => {
    const before = hook.received.length
    const tested = await post(`${subscription.path}/test`)
    const answer = await jsonOf(tested)
    expect([tested.status, answer.status, answer.subscription_id]).toEqual([202, 'accepted', subscription.id])
    const { headers, text } = await soon(() => {
      const delivery = hook.received[before]
      if (!delivery) throw new Error('nothing was delivered')
      return delivery
    })
    expect(envelopeSchema.parse(JSON.parse(text))).toMatchObject({ type: 'entity.updated', source: did })
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const expected = `v1,${createHmac('sha256', subscription.secret).update(signed).digest('base64')}`
    expect(String(headers['webhook-signature']).split(' ')).toContain(expected)
    expect(headers).toMatchObject({ 'webhook-id': `msg_${answer.event_id}`, 'eep-version': '0.1' })
    await soon(async () => {
      const { attempts } = await jsonOf(ask(`${subscription.path}/delivery-log`))
      expect(attempts).toContainEqual(
        expect.objectContaining({ event_id: answer.event_id, attempt: 1, final_status: 'delivered', status_code: 204 }),
      )
    })
  })

  it('is paused and resumed, and refuses what its state does not allow', async () => {
    expect(await act('resume')).toBe(409)
    expect([await act('pause'), await act('pause'), await act('test')]).toEqual([200, 409, 409])
    expect([await act('resume'), await act('resume')]).toEqual([200, 409])
  })

  it('redelivers under the same id, and names what is unavailable', async () => {
    const { event_id } = await jsonOf(post(`${subscription.path}/test`))
    const deliveries = () => hook.envelopes().filter(({ id }) => id === event_id)
    await soon(() => expect(deliveries()).toHaveLength(1))
    await soon(async () => expect((await jsonOf(ask(subscription.path))).pending).toBe(0))
    const again = await post(`${subscription.path}/redeliver`, { event_ids: [event_id, 'nothing'] })
    expect([again.status, await again.json()]).toMatchObject([
      202,
      { redelivered: [event_id], unavailable: ['nothing'] },
    ])
    await soon(() => expect(deliveries()).toHaveLength(2))
  })

  it('is renewed under its id by the same request', async () => {
    const response = await subscribe({ lease_seconds: 6_000 })
    expect([response.status, await response.json()]).toMatchObject([200, { subscription_id: subscription.id }])
  })

  it('is unknown to others', async () => {
    const stranger = await signUp(app)
    await proveAddress(database, stranger)
    expect((await stranger.get(subscription.path)).statusCode).toBe(404)
  })

  it.each([
    ['a type of another syntax', { event_types: ['Entity.Updated'] }],
    ['no type', { event_types: [] }],
    ['an address in an internal network', { delivery_url: 'https://10.0.0.1/hook' }],
    ['an address without TLS', { delivery_url: 'http://example.com/hook' }],
    ['a member that EEP does not define', { unknown_member: 1 }],
    ['a filter by a prototype', { filter: { match: 'all', conditions: [{ path: 'a.__proto__', op: 'exists' }] } }],
    ['a lease of a minute', { lease_seconds: 60 }],
    ['a source elsewhere', { source_did: 'did:web:elsewhere.example' }],
  ])('is refused with 400 for %s', async (_what, fields) => {
    expect((await subscribe(fields)).status).toBe(400)
  })

  it('is cancelled, however often', async () => {
    const { subscription_id } = await jsonOf(subscribe({ event_types: ['entity.updated'] }))
    const cancel = async () => (await ask(`/eep/subscriptions/${subscription_id}`, { method: 'DELETE' })).status
    expect([await cancel(), await cancel()]).toEqual([204, 204])
  })
})

describe('events', () => {
  const change = async (bio: string) => {
    const { statusCode, body } = await account.put('/manage/profile', { bio })
    expect(statusCode, body).toBe(200)
  }

  it('are streamed by the target of monitor, from its first bytes on', async () => {
    const monitor = relations(await ask(`/resolve?did=${encodeURIComponent(did)}`)).get('monitor')?.target
    const stream = await openStream(base, String(monitor))
    await soon(() => expect(stream.frames.length).toBeGreaterThan(0))
    await change('Streamed to everybody')
    await soon(() => expect(stream.envelopes().at(-1)).toMatchObject({ type: 'entity.updated', source: did }))
    expect(stream.frames.at(-1)).toMatchObject({ id: stream.envelopes().at(-1)?.id, event: 'entity.updated' })
  })

  it('continue after an id, and an unknown id is not a bad request', async () => {
    await change('To be read again')
    const { events } = await soon(async () => {
      const read = await jsonOf(ask(`/eep/events?source=${encodeURIComponent(did)}&types=entity.updated`))
      expect(z.array(envelopeSchema).parse(read.events).length).toBeGreaterThan(0)
      return read
    })
    await change('After the cursor')
    const after = { ...key, 'last-event-id': events.at(-1).id }
    const stream = await openStream(base, `/eep/stream?source=${encodeURIComponent(did)}&events=entity.*`, after)
    await soon(() => expect(stream.envelopes().length).toBeGreaterThan(0))
    expect(stream.envelopes().map(({ id }) => id)).not.toContain(events.at(-1).id)
    const unknown = await openStream(base, '/eep/stream', { ...key, 'last-event-id': '01HN3QK7GX-1708123456000' })
    await soon(() => expect(unknown.frames).toContainEqual(expect.objectContaining({ event: 'reset' })))
  })

  it('return 410 and the oldest kept id for a cursor that is not kept', async () => {
    const response = await ask(`/eep/events?source=${encodeURIComponent(did)}&since=01HN3QK7GX-1708123456000`)
    expect(response.status).toBe(410)
    expect(JSON.stringify(await response.json())).toContain('oldest_retained_event_id')
  })

  it('need a credential on /eep/stream', async () => {
    expect((await fetch(`${base}/eep/stream`)).status).toBe(401)
  })
})

describe('the pulse', () => {
  const open = () => openSocket(app, '/eep/pulse', { headers: key })

  it('answers a request without an upgrade with 426', async () => {
    expect((await ask('/eep/pulse')).status).toBe(426)
  })

  it('subscribes, numbers events, and replays them', async () => {
    const client = await open()
    expect((await client.next('connected')).data.connection_id).toEqual(expect.any(String))
    client.send('system', 'subscribe', { source_did: did })
    expect(await client.next('subscribed')).toMatchObject({ data: { source_did: did } })
    await account.put('/manage/profile', { bio: 'Pulsed' })
    const { seq } = await client.next('update')
    client.send('system', 'replay', { source_did: did, from_seq: seq })
    expect(await client.next('update')).toMatchObject({ seq, data: { source_did: did } })
    expect(await client.next('replay_complete')).toMatchObject({ data: { source_did: did } })
    client.send('system', 'unsubscribe', { source_did: did })
    await client.next('unsubscribed')
    await client.close()
  })

  it('reports a gap in the numbers of the client', async () => {
    const client = await open()
    client.send('system', 'ping', {}, 1)
    client.send('system', 'ping', {}, 4)
    expect(await client.next('gap_detected')).toMatchObject({ data: { expected_seq: 2, received_seq: 4 } })
    await client.close()
  })

  it('reports after a refresh when the credential expires', async () => {
    const client = await openSocket(app, '/eep/pulse', { headers: account.headers })
    client.send('system', 'auth_refresh', { token: account.token })
    const { data } = await client.next('auth_refreshed')
    expect(Date.parse(data.expires_at)).toBeGreaterThan(Date.now())
    await client.close()
  })

  it('answers a malformed frame with an error, and closes 4002 for another version', async () => {
    const client = await open()
    client.sendText('{"type":')
    expect((await client.next('error')).error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    client.sendText(JSON.stringify({ v: 9, type: 'system', action: 'ping' }))
    expect(await client.closed()).toMatchObject({ code: 4002 })
  })

  it('needs a credential', async () => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/eep/pulse`)
    onTestFinished(() => socket.terminate())
    const status = await new Promise((resolve) => {
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.once('error', () => {})
    })
    expect(status).toBe(401)
  })
})

describe('gates', () => {
  it('has a configuration whose default tier requires nothing', async () => {
    const config = await jsonOf(ask(`/eep/gates/${encodeURIComponent(did)}`))
    expect(config.tiers[config.default_tier].requirements).toEqual([])
  })

  it('answers paid content with the closed 402, before a 304, and never stores it', async () => {
    const response = await ask(`/eep/content${account.paid}`, { headers: { 'if-none-match': '*' } })
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
      402,
      'application/problem+json',
    ])
    expect(response.headers.get('cache-control')).toContain('no-store')
    paymentRequiredSchema.parse(await response.json())
  })

  it('carries rate limits in both forms', async () => {
    const { headers } = await ask('/u/probed')
    expect(headers.get('ratelimit')).toMatch(/^"[^"]+";\s*r=\d+;\s*t=\d+$/)
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(1_700_000_000)
  })
})
