import { createPublicKey, verify } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox } from '../support/mailbox.ts'
import { createMovingName } from '../support/moving-name.ts'
import { createReceiver, type Receiver } from '../support/receivers.ts'
import { newOrganization, newPerson, type OwnedProfile, type Person } from '../support/teams.ts'

const receivers: Receiver[] = []
const receiver = async () => {
  const made = await createReceiver()
  receivers.push(made)
  return made
}
afterAll(async () => {
  for (const each of receivers) await each.close()
})

const mailbox = createMailbox()
// Ports of tests are not known before: every port of this machine may be called.
const { database, instance } = await openInstances({
  http: { allowPrivateHosts: ['127.0.0.1'] },
  webhooks: { retrySeconds: [0, 0, 0], timeoutMs: 1_000 },
  email: { mailer: mailbox.mailer },
})
const app = await instance()
const elsewhere = await openStorage()
afterAll(() => elsewhere.close())

const soon = <Result>(check: () => Result) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
const didOf = ({ username }: OwnedProfile) => `did:web:profiles.example:o:${username}`
const rename = (profile: OwnedProfile, full_name: string) => profile.owner.send('PUT', profile.path, { full_name })

async function subscribe(who: Person, profile: OwnedProfile, to: Receiver, fields: object = {}) {
  const body = {
    source_did: didOf(profile),
    event_types: ['entity.updated'],
    delivery_method: 'webhook',
    delivery_url: to.url,
    ...fields,
  }
  const response = await who.send('POST', '/eep/subscribe', body)
  expect(response.statusCode, response.body).toBe(201)
  const { subscription_id: id, ...made } = response.json()
  return { ...made, id, path: `/eep/subscriptions/${id}` }
}
const read = async (who: Person, { path }: { path: string }) => (await who.send('GET', path)).json()
/** A profile, another account with a webhook for it, and the receiver. */
async function setUp(fields: object = {}) {
  const [profile, ada, hook] = [await newOrganization(app), await newPerson(app), await receiver()]
  return { profile, ada, hook, made: await subscribe(ada, profile, hook, fields) }
}

describe('a webhook', () => {
  it('is verified by its receiver, and delivers events that official clients can check', async () => {
    const { profile, ada, hook, made } = await setUp({ metadata: { team: 'crm' }, lease_seconds: 600 })
    expect(made).toMatchObject({ status: 'active', lease_seconds: 600, metadata: { team: 'crm' }, pending: 0 })
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBeGreaterThan(599_000)
    expect(Object.fromEntries(hook.checks[0] ?? [])).toEqual({
      'hub.mode': 'subscribe',
      'hub.topic': didOf(profile),
      'hub.challenge': expect.stringMatching(/^.{32}$/),
      'hub.lease_seconds': '600',
    })
    await rename(profile, 'Acme')
    const [delivery] = await soon(() => {
      expect(hook.received).toHaveLength(1)
      return hook.received
    })
    const headers = delivery?.headers as Record<string, string>
    const envelope = new Webhook(made.delivery_secret).verify(delivery?.text ?? '', headers) as Record<string, unknown>
    expect(envelope).toMatchObject({
      specversion: '1.0',
      eep_version: '0.1',
      type: 'entity.updated',
      source: didOf(profile),
      eep_subscription_id: made.id,
      eep_delivery_attempt: 1,
      eep_max_attempts: 4,
    })
    expect(headers).toMatchObject({
      'webhook-id': `msg_${envelope.id}`,
      'content-type': 'application/json',
      'eep-version': '0.1',
    })
    const jwks = (await app.inject({ url: '/.well-known/jwks.json' })).json().keys
    const signature = headers['webhook-signature']?.split(' ').find((each) => each.startsWith('v1a,')) ?? ''
    const [kid = '', value = ''] = signature.slice(4).split(':')
    const key = createPublicKey({ key: jwks.find((each: { kid: string }) => each.kid === kid), format: 'jwk' })
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${delivery?.text}`
    expect(verify(null, Buffer.from(content), key, Buffer.from(value, 'base64'))).toBe(true)

    const { deliveries, pending } = await soon(async () => {
      const now = await read(ada, made)
      expect(now.deliveries.delivered).toBe(1)
      return now
    })
    expect([pending, deliveries]).toEqual([
      0,
      { delivered: 1, failed: 0, success_rate: 1, p95_response_ms: expect.any(Number), last_error: null },
    ])
    expect((await ada.send('GET', made.path)).body).not.toContain('delivery_secret')
    const log = (await ada.send('GET', `${made.path}/delivery-log`)).json()
    expect(log.attempts).toEqual([
      {
        subscription_id: made.id,
        event_id: envelope.id,
        attempt: 1,
        timestamp: expect.any(String),
        status_code: 204,
        response_time_ms: expect.any(Number),
        final_status: 'delivered',
      },
    ])
  })

  it('keeps the order and the ids of events while its receiver fails', async () => {
    const { profile, ada, hook, made } = await setUp()
    let failures = 2
    hook.answerWith((_received, response) => response.writeHead(failures-- > 0 ? 500 : 204).end())
    for (const name of ['One', 'Two', 'Three']) await rename(profile, name)
    await soon(() => expect(hook.received).toHaveLength(5))
    const [first, second, third, ...others] = hook.received.map(({ headers }) => headers['webhook-id'])
    expect([second, third]).toEqual([first, first])
    expect(new Set([first, ...others]).size).toBe(3)
    const ids = hook.envelopes().map(({ id }) => id)
    expect(ids.toSorted()).toEqual(ids)
    expect(hook.envelopes().map((each) => each.eep_delivery_attempt)).toEqual([1, 2, 3, 1, 1])
    await soon(async () => expect((await read(ada, made)).deliveries).toMatchObject({ delivered: 3, failed: 2 }))
  })

  it.each([
    ['never answers', (_received: unknown, _response: unknown) => {}, 'timeout'],
    [
      'redirects',
      (_received: unknown, response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'http_302',
    ],
    [
      'breaks the connection',
      (_received: unknown, response: { destroy(): void }) => response.destroy(),
      'connection_reset',
    ],
  ])('gives an event up after its last attempt, when a receiver %s', async (_what, answer, error) => {
    const { profile, ada, hook, made } = await setUp()
    hook.answerWith(answer as Parameters<Receiver['answerWith']>[0])
    await rename(profile, 'Away')
    await soon(async () => expect((await read(ada, made)).failure_count).toBe(1))
    expect(hook.received).toHaveLength(4)
    const { attempts } = (await ada.send('GET', `${made.path}/delivery-log`)).json()
    expect(attempts.map((each: { final_status: string }) => each.final_status)).toEqual([
      'undeliverable',
      'failed',
      'failed',
      'failed',
    ])
    expect(new Set(attempts.map((each: { error: string }) => each.error))).toEqual(new Set([error]))
    expect((await read(ada, made)).status).toBe('active')
  })

  it('takes the status of a receiver that sends an endless answer', async () => {
    const { profile, ada, hook, made } = await setUp()
    hook.answerWith((_received, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 5)
      response.on('close', () => clearInterval(timer))
    })
    await rename(profile, 'Endless')
    await soon(async () => expect((await read(ada, made)).deliveries).toMatchObject({ delivered: 1, failed: 0 }))
  })

  it('is paused after five events that were given up, says so, and continues in order when it is resumed', async () => {
    const { profile, ada, hook, made } = await setUp()
    const news = await receiver()
    const service = 'did:web:profiles.example'
    await subscribe(ada, profile, news, { source_did: service, event_types: ['subscription.paused'] })
    hook.answerWith((_received, response) => response.writeHead(503).end())
    for (let index = 1; index <= 7; index++) await rename(profile, `Name ${index}`)
    const paused = await soon(async () => {
      const now = await read(ada, made)
      expect(now.status).toBe('paused')
      return now
    })
    expect(paused).toMatchObject({ pause_reason: 'failures', failure_count: 5, pending: 2 })
    await soon(() => expect(news.envelopes()).toHaveLength(1))
    expect(news.envelopes()[0]).toMatchObject({
      type: 'subscription.paused',
      data: { subscription_id: made.id, reason: 'failures' },
    })
    const email = await mailbox.take(ada.account.email, 'paused')
    expect(email.text).toContain(`Events of ${didOf(profile)} are not delivered to ${hook.host} any more. Five events`)
    expect(email.text).toContain(made.id)
    const before = hook.received.length
    hook.answerWith((_received, response) => response.writeHead(204).end())
    expect((await ada.send('POST', `${made.path}/resume`)).json()).toMatchObject({ status: 'active', failure_count: 0 })
    await soon(() => expect(hook.received).toHaveLength(before + 2))
    await rename(profile, 'Back')
    await soon(() => expect(hook.received).toHaveLength(before + 3))
  })

  it('is paused by a receiver that is gone', async () => {
    const { profile, ada, hook, made } = await setUp()
    hook.answerWith((_received, response) => response.writeHead(410).end())
    await rename(profile, 'Gone')
    await soon(async () => expect(await read(ada, made)).toMatchObject({ status: 'paused', pause_reason: 'gone' }))
    expect(hook.received).toHaveLength(1)
    expect((await mailbox.take(ada.account.email, 'paused')).text).toContain('410 Gone')
    expect(await mailbox.has(ada.account.email, 'paused')).toBe(false)
  })

  it('holds events while its owner pauses it', async () => {
    const { profile, ada, hook, made } = await setUp()
    expect((await ada.send('POST', `${made.path}/pause`)).json()).toMatchObject({ pause_reason: 'owner' })
    expect(codeOf(await ada.send('POST', `${made.path}/pause`))).toBe('invalid_transition')
    expect(codeOf(await ada.send('POST', `${made.path}/test`))).toBe('invalid_transition')
    await rename(profile, 'Later')
    await soon(async () => expect((await read(ada, made)).pending).toBe(1))
    expect(hook.received).toEqual([])
    await ada.send('POST', `${made.path}/resume`)
    expect(codeOf(await ada.send('POST', `${made.path}/resume`))).toBe('invalid_transition')
    await soon(() => expect(hook.received).toHaveLength(1))
  })

  it('delivers a test, and what it had again under the same ids', async () => {
    const { profile, ada, hook, made } = await setUp()
    const tested = await ada.send('POST', `${made.path}/test`)
    expect([tested.statusCode, tested.json()]).toEqual([
      202,
      { status: 'accepted', subscription_id: made.id, event_id: expect.any(String) },
    ])
    await soon(() => expect(hook.envelopes()).toHaveLength(1))
    expect(hook.envelopes()[0]).toMatchObject({ type: 'subscription.test', id: tested.json().event_id })
    await rename(profile, 'Once')
    await soon(() => expect(hook.envelopes()).toHaveLength(2))
    const { id, eep_delivery_id } = hook.envelopes()[1]
    await soon(async () => expect((await read(ada, made)).pending).toBe(0))
    const again = await ada.send('POST', `${made.path}/redeliver`, { event_ids: [id, 'unknown', id] })
    expect([again.statusCode, again.json()]).toEqual([
      202,
      { status: 'accepted', subscription_id: made.id, redelivered: [id], unavailable: ['unknown'] },
    ])
    await soon(() => expect(hook.envelopes()).toHaveLength(3))
    expect(hook.envelopes()[2]).toMatchObject({ id, eep_delivery_id, eep_delivery_attempt: 1 })
    await soon(async () => expect((await read(ada, made)).pending).toBe(0))
    const replayed = await ada.send('POST', `${made.path}/replay`, { since: '2020-01-01T00:00:00Z' })
    expect([replayed.statusCode, replayed.json().queued]).toEqual([202, 1])
    await soon(() => expect(hook.envelopes()).toHaveLength(4))
    expect(hook.envelopes()[3]).toMatchObject({ id, eep_delivery_id })
  })

  it('signs with two secrets after a rotation', async () => {
    const { profile, ada, hook, made } = await setUp()
    const rotated = await ada.send('POST', `${made.path}/rotate-secret`)
    expect(rotated.statusCode, rotated.body).toBe(200)
    await rename(profile, 'Rotated')
    await soon(() => expect(hook.received).toHaveLength(1))
    const { text, headers } = hook.received[0] as (typeof hook.received)[number]
    for (const secret of [made.delivery_secret, rotated.json().delivery_secret]) {
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toMatchObject({
        type: 'entity.updated',
      })
    }
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`
    expect(() => new Webhook(other).verify(text, headers as Record<string, string>)).toThrow()
  })

  it('sends batches, and attributes as headers', async () => {
    const { profile, ada, hook, made } = await setUp({ max_batch_size: 3, max_batch_wait_ms: 30_000 })
    for (const name of ['One', 'Two', 'Three']) await rename(profile, name)
    await soon(() => expect(hook.received).toHaveLength(1))
    expect(hook.received[0]?.headers['content-type']).toBe('application/cloudevents-batch+json')
    expect(hook.envelopes()).toHaveLength(3)
    await ada.send('DELETE', made.path)
    const plain = await receiver()
    await subscribe(ada, profile, plain, { delivery_format: 'cloudevents/v1.0-binary' })
    await rename(profile, 'Binary')
    await soon(() => expect(plain.received).toHaveLength(1))
    expect(plain.received[0]?.headers).toMatchObject({
      'ce-specversion': '1.0',
      'ce-type': 'entity.updated',
      'ce-source': didOf(profile),
      'ce-eepversion': '0.1',
      'content-type': 'application/json',
    })
    expect(plain.envelopes()[0]).not.toHaveProperty('specversion')
  })

  it('delivers only events that meet its filter', async () => {
    const conditions = [{ path: 'data.changed_fields', op: 'exists', value: false }]
    const { profile, ada, hook, made } = await setUp({ filter: { match: 'all', conditions } })
    await rename(profile, 'Filtered')
    await ada.send('POST', `${made.path}/test`)
    await soon(() => expect(hook.envelopes()).toHaveLength(1))
    expect(hook.envelopes()[0].type).toBe('subscription.test')
    expect(await read(ada, made)).toMatchObject({ failure_count: 0, deliveries: { failed: 0 } })
  })

  it('delivers nothing of a profile that became private, whenever it happened', async () => {
    const { profile, ada, hook, made } = await setUp()
    await ada.send('POST', `${made.path}/pause`)
    await rename(profile, 'Public still')
    await soon(async () => expect((await read(ada, made)).pending).toBe(1))
    const hidden = await profile.owner.send('PUT', profile.path, { visibility: 'private' })
    expect(hidden.statusCode, hidden.body).toBe(200)
    await rename(profile, 'Private now')
    await ada.send('POST', `${made.path}/resume`)
    await ada.send('POST', `${made.path}/test`)
    await soon(() => expect(hook.envelopes().map(({ type }) => type)).toEqual(['subscription.test']))
  })
})

describe('subscribing', () => {
  it('delivers nothing more of a backlog once its account is banned', async () => {
    const { profile, ada, hook, made } = await setUp()
    await ada.send('POST', `${made.path}/pause`)
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await rename(profile, name)
    // Each delivery takes long enough for the account to be banned before the next ones.
    hook.answerWith((_received, response) => void setTimeout(() => response.writeHead(204).end(), 700))
    await soon(async () => expect((await read(ada, made)).pending).toBe(6))
    await ada.send('POST', `${made.path}/resume`)
    await soon(() => expect(hook.received).toHaveLength(1))
    await database.storage.transaction((tx) => tx.accounts.save(ada.account.id, { bannedAt: new Date() }))
    await sleep(4_500)
    expect(hook.received.length).toBeLessThan(5)
  })

  it('rejects a webhook that its receiver does not confirm', async () => {
    const [profile, ada, hook] = [await newOrganization(app), await newPerson(app), await receiver()]
    for (const confirm of [
      (_query: URLSearchParams, response: { end(text: string): void }) => response.end('something else'),
      (query: URLSearchParams, response: { writeHead(status: number): { end(text: string | null): void } }) =>
        response.writeHead(201).end(query.get('hub.challenge')),
      () => {},
    ]) {
      hook.confirmWith(confirm as Parameters<Receiver['confirmWith']>[0])
      const made = await subscribe(ada, profile, hook)
      expect(made).toMatchObject({ status: 'rejected', message: expect.stringContaining('intent check') })
      expect(made).not.toHaveProperty('delivery_secret')
    }
  })

  it('renews the lease of the same webhook, under its id', async () => {
    const { profile, ada, hook, made } = await setUp({ lease_seconds: 600 })
    const body = {
      source_did: didOf(profile),
      event_types: ['entity.updated'],
      delivery_method: 'webhook',
      delivery_url: hook.url,
      lease_seconds: 6_000,
    }
    const again = await Promise.all([
      ada.send('POST', '/eep/subscribe', body),
      ada.send('POST', '/eep/subscribe', body),
    ])
    for (const response of again) {
      expect(response.statusCode, response.body).toBe(200)
      expect(response.json()).toMatchObject({ subscription_id: made.id, status: 'active', lease_seconds: 6_000 })
      expect(response.json()).not.toHaveProperty('delivery_secret')
    }
    hook.confirmWith((_query, response) => response.writeHead(404).end())
    const refused = await ada.send('POST', '/eep/subscribe', { ...body, lease_seconds: 60_000 })
    expect(refused.json()).toMatchObject({ status: 'active', lease_seconds: 6_000, message: expect.any(String) })
    expect((await ada.send('GET', '/eep/subscriptions')).json().pagination.total).toBe(1)
  })

  it('refuses addresses inside of the network', async () => {
    const [profile, ada] = [await newOrganization(app), await newPerson(app)]
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
      const response = await ada.send('POST', '/eep/subscribe', body)
      expect([response.statusCode, codeOf(response)], delivery_url).toEqual([400, 'address_refused'])
    }
    expect((await ada.send('GET', '/eep/subscriptions')).json().data).toEqual([])
  })

  it('names everything that is wrong with a request', async () => {
    const [profile, ada, hook] = [await newOrganization(app), await newPerson(app), await receiver()]
    const body = {
      source_did: didOf(profile),
      event_types: ['entity.updated'],
      delivery_method: 'webhook',
      delivery_url: hook.url,
    }
    const long = 'x'.repeat(3_000)
    const conditions = (condition: object) => ({ filter: { match: 'all', conditions: [condition] } })
    for (const [fields, path] of [
      [{ source_did: 'did:web:elsewhere.example' }, '/source_did'],
      [{ source_did: `did:web:profiles.example:o:no-such-name` }, '/source_did'],
      [{ source_did: 7 }, '/source_did'],
      [{ event_types: [] }, '/event_types'],
      [{ event_types: ['Entity.updated'] }, '/event_types/0'],
      [{ event_types: ['entity.no_such_type'] }, '/event_types'],
      [{ event_types: Array(51).fill('entity.updated') }, '/event_types'],
      [{ delivery_url: undefined }, '/delivery_url'],
      [{ delivery_url: `https://example.com/${long}` }, '/delivery_url'],
      [{ lease_seconds: 299 }, '/lease_seconds'],
      [{ max_batch_size: 501 }, '/max_batch_size'],
      [{ max_batch_size: 2, delivery_format: 'cloudevents/v1.0-binary' }, '/max_batch_size'],
      [conditions({ path: 'a.__proto__', op: 'eq', value: 1 }), '/filter/conditions/0/path'],
      [conditions({ path: 'a', op: 'matches', value: '.*' }), '/filter/conditions/0/op'],
    ] as const) {
      const response = await ada.send('POST', '/eep/subscribe', { ...body, ...fields })
      expect([response.statusCode, codeOf(response)], response.body).toEqual([400, 'validation_failed'])
      expect(response.json().error.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
    }
    const sse = await ada.send('POST', '/eep/subscribe', { ...body, delivery_method: 'sse' })
    expect(codeOf(sse)).toBe('delivery_method_unsupported')
    expect(hook.checks).toEqual([])
  })

  it('keeps webhooks from other accounts, and from keys of other profiles', async () => {
    const { profile, ada, hook, made } = await setUp()
    const bert = await newPerson(app)
    const org = await newOrganization(app, ada)
    const bound = await newKey(app, ada.headers, {
      profile_id: org.id,
      scopes: ['read:subscriptions', 'write:subscriptions'],
    })
    for (const headers of [bert.headers, bound.headers]) {
      const send = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
        app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
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
    expect(await read(ada, made)).toMatchObject({ status: 'active' })
    await rename(profile, 'Still mine')
    await soon(() => expect(hook.received).toHaveLength(1))
  })

  it('ends a webhook once, and sends nothing after that', async () => {
    const { profile, ada, hook, made } = await setUp()
    const old = made.path.replace('subscriptions', 'subscribe')
    expect((await ada.send('GET', old)).json().subscription_id).toBe(made.id)
    const ended = await Promise.all([
      ada.send('DELETE', old),
      ada.send('DELETE', made.path),
      ada.send('DELETE', made.path),
    ])
    expect(ended.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
    expect(await read(ada, made)).toMatchObject({ status: 'cancelled' })
    expect((await ada.send('GET', '/eep/subscriptions')).json().data).toEqual([])
    const other = await receiver()
    await subscribe(ada, profile, other)
    await rename(profile, 'Cancelled')
    await soon(() => expect(other.received).toHaveLength(1))
    expect(hook.received).toEqual([])
  })

  it('holds the limits of an account', async () => {
    const small = await instance({
      limits: { plans: { community: { maxWebhooks: 2 } } },
      webhooks: { createdPerDay: 3 },
    })
    const [profile, ada, hook] = [await newOrganization(app), await newPerson(app), await receiver()]
    const make = (path: string) =>
      small.inject({
        method: 'POST',
        url: '/eep/subscribe',
        headers: ada.headers,
        payload: {
          source_did: didOf(profile),
          event_types: ['entity.updated'],
          delivery_method: 'webhook',
          delivery_url: `${hook.url}/${path}`,
        },
      })
    const all = await Promise.all(['1', '2', '3', '4'].map(make))
    expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409])
    for (const { path } of (await ada.send('GET', '/eep/subscriptions'))
      .json()
      .data.map((each: { subscription_id: string }) => ({ path: `/eep/subscriptions/${each.subscription_id}` }))) {
      await ada.send('DELETE', path)
    }
    expect((await make('5')).statusCode).toBe(201)
    const refused = await make('6')
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_webhook_requests'])
  })

  it('misses no event, and sends none twice, when two instances deliver', async () => {
    const other = await instance()
    const { profile, ada, hook, made } = await setUp()
    const second = await receiver()
    await subscribe(ada, profile, second)
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`)
    for (const [index, full_name] of names.entries()) {
      const on = index % 2 === 0 ? app : other
      await on.inject({ method: 'PUT', url: profile.path, headers: profile.owner.headers, payload: { full_name } })
    }
    for (const each of [hook, second]) {
      await soon(() => expect(each.received).toHaveLength(20))
      const ids = each.envelopes().map(({ id }) => id)
      expect(ids.toSorted()).toEqual(ids)
      expect(new Set(ids).size).toBe(20)
    }
    expect((await read(ada, made)).pending).toBeGreaterThanOrEqual(0)
  })

  it('stores no secret in clear text', async () => {
    const { made } = await setUp()
    const rows = (await database.dump?.(['webhooks'])) ?? []
    expect(rows.some((row) => row.includes(made.delivery_secret.slice(6)))).toBe(false)
  })
})

describe('the descriptions of webhooks', () => {
  const get = async (test: typeof app, url: string) => (await test.inject({ url })).json()

  it('are in the manifest, in profiles and in AsyncAPI', async () => {
    const { profile, hook } = await setUp()
    expect((await get(app, '/.well-known/eep.json')).layers.layer2_webhook).toBe(
      'https://profiles.example/eep/subscribe',
    )
    const response = await app.inject({ url: `/o/${profile.username}?format=json` })
    expect(response.headers.link).toContain('</eep/subscribe>; rel="subscribe"; type="application/json"')
    expect(response.json().eep.supported_delivery).toEqual(['sse', 'webhook'])

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

  it('are left out where webhooks are off', async () => {
    const { app: without, close } = await createTestApp({ modules: { webhooks: false } })
    const profile = await newOrganization(without)
    const response = await without.inject({ url: `/o/${profile.username}?format=json` })
    expect(response.headers.link).not.toContain('rel="subscribe"')
    expect(response.json().eep.supported_delivery).toEqual(['sse'])
    expect((await get(without, '/.well-known/eep.json')).layers).not.toHaveProperty('layer2_webhook')
    const { channels, components } = await get(without, '/docs/asyncapi.json')
    expect(channels).not.toHaveProperty('webhook')
    expect(components.messages).not.toHaveProperty('delivery')
    await close()
  })
})

describe('a receiver that may not be called any more', () => {
  it('gets nothing, and the log says why', async () => {
    const lenient = await createTestApp({ http: { allowPrivateHosts: ['127.0.0.1'] }, storage: elsewhere.storage })
    const [profile, ada, hook] = [await newOrganization(lenient.app), await newPerson(lenient.app), await receiver()]
    const made = await subscribe(ada, profile, hook)
    await ada.send('POST', `${made.path}/pause`)
    await ada.send('POST', `${made.path}/resume`)
    await lenient.close()
    const strict = await createTestApp({ webhooks: { retrySeconds: [0] }, storage: elsewhere.storage })
    const send = (method: 'GET' | 'POST', url: string) => strict.app.inject({ method, url, headers: ada.headers })
    await send('POST', `${made.path}/test`)
    await soon(async () => {
      const { attempts } = (await send('GET', `${made.path}/delivery-log`)).json()
      expect(attempts.map((each: { error: string }) => each.error)).toEqual(['address_refused', 'address_refused'])
    })
    expect(hook.received).toEqual([])
    await strict.close()
  })
})

describe('a name that leads inside of the network after its webhook was created', () => {
  it('is not called, and the log says why', async () => {
    const hook = await receiver()
    // Its connection would be used again, and leads to the address that was checked.
    hook.confirmWith((query, response) => response.setHeader('connection', 'close').end(query.get('hub.challenge')))
    const name = createMovingName('moving.example', Number(hook.host.split(':')[1]))
    try {
      name.resolveTo(['93.184.216.34'])
      const strict = await createTestApp({ webhooks: { retrySeconds: [0] }, storage: elsewhere.storage })
      const [profile, ada] = [await newOrganization(strict.app), await newPerson(strict.app)]
      const made = await subscribe(ada, profile, hook, { delivery_url: 'https://moving.example/hook' })
      expect([made.status, hook.checks.length, name.reached]).toEqual(['active', 1, ['93.184.216.34']])
      name.resolveTo(['127.0.0.1'])
      await ada.send('POST', `${made.path}/test`)
      await soon(async () => {
        const { attempts } = (await ada.send('GET', `${made.path}/delivery-log`)).json()
        expect(attempts.map((each: { error: string }) => each.error)).toEqual(['address_refused', 'address_refused'])
      })
      expect([hook.received, name.reached]).toEqual([[], ['93.184.216.34']])
      name.resolveTo(['93.184.216.34'])
      await ada.send('POST', `${made.path}/test`)
      await soon(() => expect(hook.received).toHaveLength(1))
      await strict.close()
    } finally {
      name.restore()
    }
  })
})
