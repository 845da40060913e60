import { serverOptions } from '@eep/core'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { PASSWORD, proveAddress, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { kindOf } from '../../support/jobs.ts'
import { openShop } from '../../support/shop.ts'
import { newOrganization } from '../../support/teams.ts'
import { recordTraces, type SeenSpan } from '../../support/traces.ts'
import { createReceivers, didOf } from '../../support/webhooks.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const traces = recordTraces()
const receiver = createReceivers()
const cashWallets = createCashWallets()
const service = await createTestApp(
  {
    tracing: traces.tracing,
    http: { allowPrivateHosts: ['127.0.0.1'] },
    jobs: { kinds: [kindOf(() => Promise.reject(new Error('a message that is not recorded')), { attempts: 0 })] },
    payments: { rails: [cashRail({ cashWallets })] },
  },
  serverOptions,
)
closing.push(service.close)
const { app } = service

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${PARENT}-01`

const spanOf = (requestId: string) => traces.find(({ attributes }) => attributes['eep.request_id'] === requestId)
const childrenOf = ({ spanId }: SeenSpan) => traces.spans().filter(({ parentId }) => parentId === spanId)

describe('the span of a request', () => {
  it('has the name of its operation, its route and its status, and not its path', async () => {
    const ada = await signUp(app)
    await client(app).get(`/u/${ada.account.username}?format=json&token=secret`, { 'x-request-id': 'one' })
    expect(await spanOf('one')).toMatchObject({
      name: 'GET getProfile',
      kind: 'server',
      parentId: undefined,
      failed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/u/:username',
        'http.response.status_code': 200,
        'url.scheme': 'http',
        'eep.operation': 'getProfile',
        'eep.request_id': 'one',
      },
    })
  })

  it('is named by its method alone when no route has the path', async () => {
    await client(app).get('/no/such/path', { 'x-request-id': 'two' })
    expect(await spanOf('two')).toMatchObject({ name: 'GET', attributes: { 'http.response.status_code': 404 } })
  })

  it('fails with 5xx, and not with refusals of the client', async () => {
    const broken = await createTestApp(
      {
        tracing: traces.tracing,
        storage: {
          ...service.storage,
          read: {
            ...service.storage.read,
            profiles: { ...service.storage.read.profiles, get: () => Promise.reject(new Error('down')) },
          },
        },
      },
      serverOptions,
    )
    await client(broken.app).get('/profiles/u/ada', { 'x-request-id': 'three' })
    // It would take jobs of the other tests.
    await broken.close()
    expect(await spanOf('three')).toMatchObject({ failed: true, attributes: { 'error.type': '500' } })
    await client(app).get('/auth/me', { 'x-request-id': 'four' })
    expect(await spanOf('four')).toMatchObject({ failed: false, attributes: { 'http.response.status_code': 401 } })
  })

  it('continues the trace of the client', async () => {
    await client(app).get('/health/live', { traceparent, tracestate: 'vendor=value', 'x-request-id': 'five' })
    expect(await spanOf('five')).toMatchObject({ traceId: TRACE, parentId: PARENT })
  })

  it('begins a trace when the traceparent is malformed', async () => {
    const malformed = ['', 'x', `ff-${TRACE}-${PARENT}-01`, `00-${'0'.repeat(32)}-${PARENT}-01`, `${traceparent}-more`]
    for (const [index, text] of malformed.entries()) {
      await client(app).get('/health/live', { traceparent: text, 'x-request-id': `malformed-${index}` })
      const { traceId, parentId } = await spanOf(`malformed-${index}`)
      expect(traceId).not.toBe(TRACE)
      expect(parentId).toBeUndefined()
    }
  })

  it('begins a trace with a link to that of the client when traces are not continued', async () => {
    const guarded = recordTraces({ continueTraces: false })
    const other = await createTestApp({ tracing: guarded.tracing })
    closing.push(other.close)
    await client(other.app).get('/health/live', { traceparent })
    const span = await guarded.find(({ name }) => name === 'GET getLiveness')
    expect(span.traceId).not.toBe(TRACE)
    expect(span).toMatchObject({ parentId: undefined, links: [TRACE] })
  })
})

describe('a trace', () => {
  it('has the transactions and the calls to the rail of a purchase as children of its request', async () => {
    const shop = await openShop(app, 'traced-shop')
    const refusal = await client(app).get(shop.paid)
    const credential = cashWallets.answer(refusal.headers['payment-required'])
    const { statusCode } = await client(app).get(shop.paid, { ...credential, 'x-request-id': 'six' })
    expect(statusCode).toBe(200)
    const request = await spanOf('six')
    const children = childrenOf(request)
    expect(children.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['transaction', 'cash verify', 'cash settle']),
    )
    expect(children.every(({ traceId }) => traceId === request.traceId)).toBe(true)
    const settle = children.find(({ name }) => name === 'cash settle')
    expect(settle).toMatchObject({ kind: 'client', attributes: { 'eep.rail': 'cash', 'eep.rail.step': 'settle' } })
    for (const text of Object.values(credential)) expect(traces.text()).not.toContain(text)
  })

  it('has failed calls to the rail by the code of their error', async () => {
    const shop = await openShop(app, 'refused-shop')
    const refusal = await client(app).get(shop.paid)
    cashWallets.next('settle', { lose: 'request' })
    await client(app).get(shop.paid, {
      ...cashWallets.answer(refusal.headers['payment-required'], { wallet: 'wallet:lost' }),
      'x-request-id': 'seven',
    })
    const request = await spanOf('seven')
    const settle = childrenOf(request).find(({ name }) => name === 'cash settle')
    expect(settle).toMatchObject({ failed: true, attributes: { 'error.type': expect.stringMatching(/^\w+$/) } })
    expect(request).toMatchObject({ failed: true, attributes: { 'error.type': '503' } })
  })

  it('has no transactions of background work', () => {
    expect(traces.spans().filter(({ name, parentId }) => name === 'transaction' && parentId === undefined)).toEqual([])
  })

  it('goes on in the jobs that a request adds', async () => {
    const ada = await signUp(app)
    const asked = await ada.post('/export', { account: true }, { traceparent, 'x-request-id': 'eight' })
    expect(asked.statusCode).toBe(202)
    const request = await spanOf('eight')
    const job = await traces.find(({ attributes }) => attributes['messaging.message.id'] === asked.json().id)
    expect(job).toMatchObject({
      name: `process ${asked.json().kind}`,
      kind: 'consumer',
      traceId: TRACE,
      failed: false,
      attributes: { 'messaging.operation.type': 'process', 'messaging.destination.name': asked.json().kind },
    })
    const parent = traces.spans().find(({ spanId }) => spanId === job.parentId)
    expect([parent?.spanId, parent?.parentId]).toContain(request.spanId)
    expect(childrenOf(job).map(({ name }) => name)).toContain('transaction')
  })

  it('has jobs that fail, by the code of their error', async () => {
    const ada = await signUp(app)
    await app.eep.jobs.request({ kind: 'test', accountId: ada.account.id, profileId: null, input: {} })
    const isOfJob = ({ name, attributes }: SeenSpan) =>
      name === 'process test' && attributes['error.type'] === 'job_failed'
    expect(await traces.find(isOfJob)).toMatchObject({ parentId: undefined, failed: true })
    expect(traces.text()).not.toContain('is not recorded')
  })

  it('reaches the receivers of webhooks from the request that made a change, and has no path and query of theirs', async () => {
    const [profile, ada, hook] = [await newOrganization(app), await signUp(app), await receiver()]
    await proveAddress(service, ada)
    const body = {
      source_did: didOf(profile),
      event_types: ['entity.updated'],
      delivery_method: 'webhook',
      delivery_url: `${hook.url}?token=a-capability`,
    }
    const made = await ada.post('/eep/subscribe', body, { 'x-request-id': 'nine' })
    expect(made.statusCode, made.body).toBe(201)
    const request = await spanOf('nine')
    const check = await traces.find(
      ({ name, attributes }) => name === 'GET' && attributes['server.address'] === '127.0.0.1',
    )
    expect(check).toMatchObject({
      kind: 'client',
      traceId: request.traceId,
      attributes: { 'http.response.status_code': 200 },
    })
    await profile.owner.put(profile.path, { full_name: 'Another name' }, { 'x-request-id': 'ten' })
    const change = await spanOf('ten')
    const delivery = await traces.find(({ name }) => name === 'POST')
    // It continues the trace of the request that made the change.
    expect(delivery.traceId).toBe(change.traceId)
    expect(childrenOf(change).map(({ spanId }) => spanId)).toContain(delivery.parentId)
    expect(delivery).toMatchObject({
      kind: 'client',
      attributes: { 'http.request.method': 'POST', 'server.address': '127.0.0.1', 'url.scheme': 'http' },
    })
    expect(hook.received[0]?.headers.traceparent).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`)
    expect(traces.text()).not.toContain('a-capability')
    expect(traces.text()).not.toContain('/hook')
  })

  it('has no secrets and no personal data', async () => {
    const ada = await signUp(app, 'traced-person')
    await client(app).post('/auth/login', { email: ada.account.email, password: PASSWORD })
    await client(app).get(`/auth/me?token=${ada.token}`, ada.headers)
    await client(app).get('/u/traced-person', { 'x-request-id': 'last' })
    await spanOf('last')
    const text = traces.text()
    for (const secret of [ada.token, PASSWORD, ada.account.email, 'traced-person', ada.account.id, '127.0.0.1:']) {
      expect(text).not.toContain(secret)
    }
  })
})
