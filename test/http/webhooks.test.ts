import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { type Client, client } from '../support/client.ts'
import type { Receiver } from '../support/receivers.ts'
import { newOrganization, type OwnedProfile } from '../support/teams.ts'
import { soon } from '../support/wait.ts'
import { didOf, openWebhooks, readWebhook, rename, subscribe, subscriptionTo } from '../support/webhooks.ts'

const { app, database, instance, receiver, setUp } = await openWebhooks()

interface Envelope {
  readonly type: string
  readonly source: string
  readonly data: { readonly changed_fields?: readonly string[] }
}

describe('subscribing', () => {
  it('rejects a webhook that its receiver does not confirm', async () => {
    const [profile, ada, hook] = [await newOrganization(app), await signUp(app), await receiver()]
    const hurried = client(await instance({ webhooks: { timeoutMs: 500 } })).as(ada)
    for (const [who, confirm] of [
      [ada, (_query, response) => response.end('something else')],
      [ada, (query, response) => response.writeHead(201).end(query.get('hub.challenge'))],
      [hurried, () => {}],
    ] satisfies [Client, Parameters<Receiver['confirmWith']>[0]][]) {
      hook.confirmWith(confirm)
      const made = await subscribe(who, profile, hook)
      expect(made).toMatchObject({ status: 'rejected', message: expect.stringContaining('intent check') })
      expect(made).not.toHaveProperty('delivery_secret')
    }
  })

  it('renews the lease of the same webhook, under its id', async () => {
    const { profile, ada, hook, made } = await setUp({ lease_seconds: 600 })
    const body = subscriptionTo(profile, hook, { lease_seconds: 6_000 })
    const again = await Promise.all([ada.post('/eep/subscribe', body), ada.post('/eep/subscribe', body)])
    for (const response of again) {
      expect(response.statusCode, response.body).toBe(200)
      expect(response.json()).toMatchObject({ subscription_id: made.id, status: 'active', lease_seconds: 6_000 })
      expect(response.json()).not.toHaveProperty('delivery_secret')
    }
    hook.confirmWith((_query, response) => response.writeHead(404).end())
    const refused = await ada.post('/eep/subscribe', { ...body, lease_seconds: 60_000 })
    expect(refused.json()).toMatchObject({ status: 'active', lease_seconds: 6_000, message: expect.any(String) })
    expect((await ada.get('/eep/subscriptions')).json().pagination.total).toBe(1)
  })

  it('keeps the settings that a renewal omits, and changes those that it has', async () => {
    const conditions = [{ path: 'data.changed_fields', op: 'exists', value: true }]
    const settings = {
      filter: { match: 'all', conditions },
      max_batch_size: 5,
      max_batch_wait_ms: 200,
      lease_seconds: 6_000,
      metadata: { note: 'mine' },
    }
    const { profile, ada, hook, made } = await setUp(settings)
    const renewWith = async (members: object) => {
      const response = await ada.post('/eep/subscribe', subscriptionTo(profile, hook, members))
      expect(response.statusCode, response.body).toBe(200)
      return response.json()
    }
    expect(await renewWith({})).toMatchObject({ ...settings, subscription_id: made.id })
    expect(await renewWith({ filter: null, metadata: {} })).toMatchObject({ ...settings, filter: null, metadata: {} })
    const binary = { delivery_format: 'cloudevents/v1.0-binary', max_batch_size: 1 }
    expect(await renewWith({ delivery_format: binary.delivery_format })).toMatchObject(binary)
    const structured = { delivery_format: 'cloudevents/v1.0', max_batch_size: 3 }
    expect(await renewWith({ max_batch_size: 3 })).toMatchObject(structured)
  })

  it('rejects addresses in internal networks', async () => {
    const [profile, ada] = [await newOrganization(app), await signUp(app)]
    const addresses = [
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'https://localhost/',
      'http://example.com/',
    ]
    for (const delivery_url of [
      ...addresses,
      'https://u:p@example.com/',
      'ftp://example.com/',
      'https://example.com:22/',
      'x',
    ]) {
      const body = { source_did: didOf(profile), event_types: ['*'], delivery_method: 'webhook', delivery_url }
      const response = await ada.post('/eep/subscribe', body)
      expect([response.statusCode, codeOf(response)], delivery_url).toEqual([400, 'address_refused'])
    }
    expect((await ada.get('/eep/subscriptions')).json().data).toEqual([])
  })

  it('names every problem of a request', async () => {
    const [profile, ada, hook] = [await newOrganization(app), await signUp(app), await receiver()]
    const body = subscriptionTo(profile, hook)
    const long = 'x'.repeat(3_000)
    const conditions = (condition: object) => ({ filter: { match: 'all', conditions: [condition] } })
    for (const [fields, path] of [
      [{ source_did: 'did:web:elsewhere.example' }, '/source_did'],
      [{ source_did: `did:web:profiles.example:o:no-such-name` }, '/source_did'],
      [{ source_did: 7 }, '/source_did'],
      [{ event_types: [] }, '/event_types'],
      [{ event_types: ['Entity.updated'] }, '/event_types/0'],
      [{ event_types: Array(51).fill('entity.updated') }, '/event_types'],
      [{ delivery_url: undefined }, '/delivery_url'],
      [{ delivery_url: `https://example.com/${long}` }, '/delivery_url'],
      [{ lease_seconds: 299 }, '/lease_seconds'],
      [{ max_batch_size: 501 }, '/max_batch_size'],
      [{ max_batch_size: 2, delivery_format: 'cloudevents/v1.0-binary' }, '/max_batch_size'],
      [conditions({ path: 'a.__proto__', op: 'eq', value: 1 }), '/filter/conditions/0/path'],
      [conditions({ path: 'a', op: 'matches', value: '.*' }), '/filter/conditions/0/op'],
    ] as const) {
      const response = await ada.post('/eep/subscribe', { ...body, ...fields })
      expect([response.statusCode, codeOf(response)], response.body).toEqual([400, 'validation_failed'])
      expect(response.json().error.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
    }
    const sse = await ada.post('/eep/subscribe', { ...body, delivery_method: 'sse' })
    expect(codeOf(sse)).toBe('delivery_method_unsupported')
    expect(hook.checks).toEqual([])
  })

  it('accepts types that the service does not emit, and names them', async () => {
    const { profile, ada, hook } = await setUp()
    const fields = { event_types: ['weather.changed', 'robots.*', 'content.*', 'entity.updated'] }
    const made = await subscribe(ada, profile, hook, fields)
    expect(made).toMatchObject({ ...fields, status: 'active' })
    expect(made.warnings).toEqual([{ code: 'unknown_type', event_types: ['weather.changed', 'robots.*'] }])
    await rename(profile, 'Known')
    await soon(() => expect(hook.envelopes().map(({ type }) => type)).toContain('entity.updated'))
  })

  it('names no types when the service emits all of them', async () => {
    const { made } = await setUp({ event_types: ['content.*', 'entity.updated', '*'] })
    expect(made).not.toHaveProperty('warnings')
  })

  it('tests a subscription to unknown types with an entity.updated of its source', async () => {
    const { profile, ada, hook, made } = await setUp({ event_types: ['weather.changed'] })
    const tested = await ada.post(`${made.path}/test`)
    await soon(() => expect(hook.envelopes()).toHaveLength(1))
    expect(hook.envelopes()[0]).toMatchObject({
      id: tested.json().event_id,
      type: 'entity.updated',
      source: didOf(profile),
      subject: `/o/${profile.username}`,
      data: { entity_id: profile.id, changed_fields: [] },
    })
  })

  it('tests a subscription to unknown types of the service with an entity.updated of the service', async () => {
    const { ada, hook, made } = await setUp({
      source_did: 'did:web:profiles.example',
      event_types: ['weather.changed'],
    })
    expect((await ada.post(`${made.path}/test`)).statusCode).toBe(202)
    await soon(() => expect(hook.envelopes()).toHaveLength(1))
    expect(hook.envelopes()[0]).toMatchObject({ type: 'entity.updated', source: 'did:web:profiles.example' })
  })

  it.each([
    ['became private', ({ owner, path }: OwnedProfile) => owner.put(path, { visibility: 'private' })],
    ['was deleted', ({ owner, path }: OwnedProfile) => owner.delete(path)],
  ])('refuses to test a subscription to unknown types when its source %s, and delivers nothing', async (_, end) => {
    const { profile, ada, hook, made } = await setUp({ event_types: ['weather.changed'] })
    expect((await end(profile)).statusCode).toBe(200)
    const refused = await ada.post(`${made.path}/test`)
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'webhook_source_unavailable'])
    expect((await readWebhook(ada, made)).pending).toBe(0)
    expect(hook.received).toEqual([])
  })

  it('names no profile in a test that was requested before the profile became private under another name', async () => {
    const { profile, ada, hook, made } = await setUp({ event_types: ['weather.changed'] })
    hook.answerWith((_received, response) => response.writeHead(503).end())
    const { event_id: eventId } = (await ada.post(`${made.path}/test`)).json()
    await soon(() => expect(hook.received.length).toBeGreaterThan(0))
    const changes = { visibility: 'private', username: `secret-${profile.username}` }
    expect((await profile.owner.put(profile.path, changes)).statusCode).toBe(200)
    const before = hook.received.length
    hook.answerWith((_received, response) => response.writeHead(204).end())
    await ada.post(`${made.path}/redeliver`, { event_ids: [eventId] })
    await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(0))
    expect(JSON.stringify(hook.envelopes().slice(before))).not.toContain('secret-')
  })

  it('shows a test delivery to its webhook alone, and to no stream', async () => {
    const { profile, ada, hook, made } = await setUp({ event_types: ['weather.changed'] })
    const other = await receiver()
    await subscribe(ada, profile, other, { event_types: ['entity.updated', 'subscription.*'] })
    await ada.post(`${made.path}/test`)
    await soon(() => expect(hook.envelopes()).toHaveLength(1))
    await rename(profile, 'Renamed')
    await soon(() => expect(other.envelopes()).toHaveLength(1))
    expect(other.envelopes()[0]).toMatchObject({ data: { changed_fields: ['full_name'] } })
    // The list reads the log up to a moment ago.
    await soon(async () => {
      const { events } = (await ada.get('/eep/events?limit=50')).json()
      const updates = events.filter(
        ({ type, source }: Envelope) => type === 'entity.updated' && source === didOf(profile),
      )
      expect(updates.map(({ data }: Envelope) => data.changed_fields)).toEqual([['full_name']])
    })
  })

  it('hides webhooks from other accounts and from keys of other profiles', async () => {
    const { profile, ada, hook, made } = await setUp()
    const bert = await signUp(app)
    const org = await newOrganization(app, ada)
    const bound = await newKey(app, ada.headers, {
      profile_id: org.id,
      scopes: ['read:subscriptions', 'write:subscriptions'],
    })
    for (const headers of [bert.headers, bound.headers]) {
      const send = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
        client(app).send(method, url, payload, headers)
      const body = { redeliver: { event_ids: ['1'] }, replay: { since: '2020-01-01T00:00:00Z' } }
      for (const [method, path, payload] of [
        ['GET', '', undefined],
        ['GET', '/delivery-log', undefined],
        ['POST', '/pause', undefined],
        ['POST', '/resume', undefined],
        ['POST', '/test', undefined],
        ['POST', '/rotate-secret', undefined],
        ['POST', '/redeliver', body.redeliver],
        ['POST', '/replay', body.replay],
      ] as const) {
        const response = await send(method, `${made.path}${path}`, payload)
        expect([response.statusCode, codeOf(response)], path).toEqual([404, 'webhook_not_found'])
      }
      expect((await send('GET', '/eep/subscriptions')).json().data).toEqual([])
      expect((await send('DELETE', made.path)).statusCode).toBe(204)
    }
    expect(await readWebhook(ada, made)).toMatchObject({ status: 'active' })
    await rename(profile, 'Still mine')
    await soon(() => expect(hook.received).toHaveLength(1))
  })

  it('deletes a webhook once, and sends nothing afterwards', async () => {
    const { profile, ada, hook, made } = await setUp()
    const old = made.path.replace('subscriptions', 'subscribe')
    expect((await ada.get(old)).json().subscription_id).toBe(made.id)
    const ended = await Promise.all([ada.delete(old), ada.delete(made.path), ada.delete(made.path)])
    expect(ended.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
    expect(await readWebhook(ada, made)).toMatchObject({ status: 'cancelled' })
    expect((await ada.get('/eep/subscriptions')).json().data).toEqual([])
    const other = await receiver()
    await subscribe(ada, profile, other)
    await rename(profile, 'Cancelled')
    await soon(() => expect(other.received).toHaveLength(1))
    expect(hook.received).toEqual([])
  })

  it('enforces the limits of an account', async () => {
    const small = await instance({
      limits: { plans: { community: { maxWebhooks: 2 } } },
      webhooks: { createdPerDay: 3 },
    })
    const [profile, ada, hook] = [await newOrganization(app), await signUp(app), await receiver()]
    const make = (path: string) =>
      client(small)
        .as(ada)
        .post('/eep/subscribe', subscriptionTo(profile, { url: `${hook.url}/${path}` }))
    const all = await Promise.all(['1', '2', '3', '4'].map(make))
    expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409])
    for (const { path } of (await ada.get('/eep/subscriptions'))
      .json()
      .data.map((each: { subscription_id: string }) => ({ path: `/eep/subscriptions/${each.subscription_id}` }))) {
      await ada.delete(path)
    }
    expect((await make('5')).statusCode).toBe(201)
    const refused = await make('6')
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_webhook_requests'])
  })

  it('stores no secret in clear text', async () => {
    const { made } = await setUp()
    const rows = (await database.dump?.(['webhooks'])) ?? []
    expect(rows.some((row) => row.includes(made.delivery_secret.slice(6)))).toBe(false)
  })
})

describe('descriptions of webhooks', () => {
  const get = async (test: typeof app, url: string) => (await client(test).get(url)).json()

  it('are part of the manifest, profiles and AsyncAPI', async () => {
    const { profile, hook } = await setUp()
    expect((await get(app, '/.well-known/eep.json')).layers.layer2_webhook).toBe(
      'https://profiles.example/eep/subscribe',
    )
    const response = await client(app).get(`/o/${profile.username}?format=json`)
    expect(response.headers.link).toContain('</eep/subscribe>; rel="subscribe"; type="application/json"')
    expect(response.json().eep.supported_delivery).toEqual(['sse', 'webhook', 'websocket'])

    const { channels, operations, components } = await get(app, '/docs/asyncapi.json')
    expect(channels.webhook).toMatchObject({
      address: null,
      messages: { delivery: { $ref: '#/components/messages/delivery' } },
    })
    expect(operations.sendWebhook).toMatchObject({ action: 'send', channel: { $ref: '#/channels/webhook' } })
    await rename(profile, 'Described')
    await soon(() => expect(hook.received).toHaveLength(1))
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    const validate = ajv
      .addSchema({ $id: 'asyncapi', components })
      .compile({ $ref: 'asyncapi#/components/messages/delivery/payload' })
    const [envelope] = hook.envelopes()
    expect(validate(envelope), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...envelope, type: 'nothing.here' })).toBe(false)
    expect(validate({ ...envelope, eep_delivery_id: undefined })).toBe(false)
    expect(Object.keys(hook.received[0]?.headers ?? {})).toEqual(
      expect.arrayContaining(components.messages.delivery.headers.required),
    )
  })

  it('are absent when webhooks are switched off', async () => {
    const { app: without, close } = await createTestApp({ webhooks: false })
    const profile = await newOrganization(without)
    const response = await client(without).get(`/o/${profile.username}?format=json`)
    expect(response.headers.link).not.toContain('rel="subscribe"')
    expect(response.json().eep.supported_delivery).toEqual(['sse', 'websocket'])
    expect((await get(without, '/.well-known/eep.json')).layers).not.toHaveProperty('layer2_webhook')
    const { channels, components } = await get(without, '/docs/asyncapi.json')
    expect(channels).not.toHaveProperty('webhook')
    expect(components.messages).not.toHaveProperty('delivery')
    await close()
  })
})

describe('an event for one account', () => {
  it('is sent to the webhook of that account, and not to one of another account for the same profile', async () => {
    const [profile, bert, cleo] = [await newOrganization(app), await signUp(app), await signUp(app)]
    const [ofOwner, ofBert] = [await receiver(), await receiver()]
    const fields = { event_types: ['notification.created', 'entity.updated'] }
    await subscribe(profile.owner, profile, ofOwner, fields)
    await subscribe(bert, profile, ofBert, fields)
    const typesOf = (hook: Receiver) => [...new Set(hook.envelopes().map(({ type }) => type))]
    await cleo.post(`/connections/o/${profile.username}`)
    await soon(() => expect(typesOf(ofOwner)).toEqual(['notification.created']))
    await rename(profile, 'Another')
    await soon(() => expect(typesOf(ofBert)).toContain('entity.updated'))
    expect(typesOf(ofBert)).toEqual(['entity.updated'])
  })
})
