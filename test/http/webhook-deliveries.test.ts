import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { client } from '../support/client.ts'
import type { Receiver } from '../support/receivers.ts'
import { soon } from '../support/wait.ts'
import { didOf, openWebhooks, readWebhook, rename, subscribe } from '../support/webhooks.ts'

const { app, instance, receiver, setUp } = await openWebhooks()

describe('a webhook', () => {
  it('is verified by its receiver, and delivers events that official clients can verify', async () => {
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
    const jwks = (await client(app).get('/.well-known/jwks.json')).json().keys
    const signature = headers['webhook-signature']?.split(' ').find((each) => each.startsWith('v1a,')) ?? ''
    const [kid = '', value = ''] = signature.slice(4).split(':')
    const key = createPublicKey({ key: jwks.find((each: { kid: string }) => each.kid === kid), format: 'jwk' })
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${delivery?.text}`
    expect(verify(null, Buffer.from(content), key, Buffer.from(value, 'base64'))).toBe(true)

    await soon(async () =>
      expect(await readWebhook(ada, made)).toMatchObject({
        pending: 0,
        deliveries: { delivered: 1, failed: 0, success_rate: 1, p95_response_ms: expect.any(Number), last_error: null },
      }),
    )
    expect((await ada.get(made.path)).body).not.toContain('delivery_secret')
    const log = (await ada.get(`${made.path}/delivery-log`)).json()
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
    await soon(async () => expect((await readWebhook(ada, made)).deliveries).toMatchObject({ delivered: 3, failed: 2 }))
  })

  it.each([
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
    await soon(async () => expect((await readWebhook(ada, made)).failure_count).toBe(1))
    expect(hook.received).toHaveLength(4)
    const { attempts } = (await ada.get(`${made.path}/delivery-log`)).json()
    expect(attempts.map((each: { final_status: string }) => each.final_status)).toEqual([
      'undeliverable',
      'failed',
      'failed',
      'failed',
    ])
    expect(new Set(attempts.map((each: { error: string }) => each.error))).toEqual(new Set([error]))
    expect((await readWebhook(ada, made)).status).toBe('active')
  })

  it('uses the status of a receiver whose response never ends', async () => {
    const { profile, ada, hook, made } = await setUp()
    hook.answerWith((_received, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 5)
      response.on('close', () => clearInterval(timer))
    })
    await rename(profile, 'Endless')
    await soon(async () => expect((await readWebhook(ada, made)).deliveries).toMatchObject({ delivered: 1, failed: 0 }))
  })

  it('signs with both secrets after a rotation', async () => {
    const { profile, ada, hook, made } = await setUp()
    const rotated = await ada.post(`${made.path}/rotate-secret`)
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

  it('sends batches, with attributes as headers', async () => {
    const { profile, ada, hook, made } = await setUp({ max_batch_size: 3, max_batch_wait_ms: 30_000 })
    for (const name of ['One', 'Two', 'Three']) await rename(profile, name)
    await soon(() => expect(hook.received).toHaveLength(1))
    expect(hook.received[0]?.headers['content-type']).toBe('application/cloudevents-batch+json')
    expect(hook.envelopes()).toHaveLength(3)
    await ada.delete(made.path)
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

  it('delivers only events that match its filter', async () => {
    const conditions = [{ path: 'data.changed_fields', op: 'exists', value: false }]
    const { profile, ada, hook, made } = await setUp({ filter: { match: 'all', conditions } })
    await rename(profile, 'Filtered')
    await ada.post(`${made.path}/test`)
    await soon(() => expect(hook.envelopes()).toHaveLength(1))
    expect(hook.envelopes()[0].type).toBe('subscription.test')
    expect(await readWebhook(ada, made)).toMatchObject({ failure_count: 0, deliveries: { failed: 0 } })
  })

  it('delivers no event of a profile that became private, even from before that', async () => {
    const { profile, ada, hook, made } = await setUp()
    await ada.post(`${made.path}/pause`)
    await rename(profile, 'Public still')
    await soon(async () => expect((await readWebhook(ada, made)).pending).toBe(1))
    const hidden = await profile.owner.put(profile.path, { visibility: 'private' })
    expect(hidden.statusCode, hidden.body).toBe(200)
    await rename(profile, 'Private now')
    await ada.post(`${made.path}/resume`)
    await ada.post(`${made.path}/test`)
    await soon(() => expect(hook.envelopes().map(({ type }) => type)).toEqual(['subscription.test']))
  })

  it('delivers each event once when two instances deliver', async () => {
    const other = await instance()
    const { profile, ada, hook, made } = await setUp()
    const second = await receiver()
    await subscribe(ada, profile, second)
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`)
    for (const [index, full_name] of names.entries()) {
      const on = index % 2 === 0 ? app : other
      await client(on).as(profile.owner).put(profile.path, { full_name })
    }
    for (const each of [hook, second]) {
      await soon(() => expect(each.received).toHaveLength(20))
      const ids = each.envelopes().map(({ id }) => id)
      expect(ids.toSorted()).toEqual(ids)
      expect(new Set(ids).size).toBe(20)
    }
    expect((await readWebhook(ada, made)).pending).toBeGreaterThanOrEqual(0)
  })
})
