import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { didOf, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { openInstances } from '../support/instances.ts'
import { addressOf, openSocket, Refused, type TestSocket } from '../support/sockets.ts'
import { openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

const { instance } = await openInstances()
const app = await instance()

const refusalOf = (opening: Promise<unknown>) =>
  opening.then(
    () => {
      throw new Error('the upgrade was accepted')
    },
    (error: unknown) => {
      if (error instanceof Refused) return error
      throw error
    },
  )

/** A connected account that writes pages, and is subscribed to its own profile. */
async function openOwn(data: object = {}) {
  const writer = await createWriter(app)
  const client = await openSocket(app, '/eep/pulse', { headers: writer.headers })
  const did = didOf(writer)
  client.send('system', 'subscribe', { source_did: did, types: ['content.*'], ...data })
  await client.next('subscribed')
  return { writer, client, did }
}

/** The error of the next error frame. */
const nextError = async (client: TestSocket) => (await client.next('error')).error?.code

/** Sends a request on a new connection, and returns everything that was received until it ended. */
async function rawRequest(lines: readonly string[]): Promise<string> {
  const [host = '', port] = (await addressOf(app)).split(':')
  const socket = connect(Number(port), host)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'close')
  return text
}

describe('a handshake that is not valid', () => {
  const VALID = { version: '13', key: randomBytes(16).toString('base64'), protocol: 'eep' }

  it.each([
    ['no version', { version: undefined }, 426, 'upgrade_required'],
    ['another version', { version: '7' }, 426, 'upgrade_required'],
    ['no key', { key: undefined }, 400, 'invalid_handshake'],
    ['a key that is not 16 bytes', { key: 'AAAA' }, 400, 'invalid_handshake'],
    ['a subprotocol that is not a token', { protocol: 'eep, a b' }, 400, 'invalid_handshake'],
    ['a subprotocol twice', { protocol: 'eep, eep' }, 400, 'invalid_handshake'],
  ])('is refused in the error format of the service, with rate limit headers: %s', async (_, wrong, status, code) => {
    const { headers } = await signUp(app)
    const { version, key, protocol } = { ...VALID, ...wrong }
    const answer = await rawRequest([
      'GET /eep/pulse HTTP/1.1',
      `Host: ${await addressOf(app)}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Authorization: ${headers.authorization}`,
      ...(version === undefined ? [] : [`Sec-WebSocket-Version: ${version}`]),
      ...(key === undefined ? [] : [`Sec-WebSocket-Key: ${key}`]),
      `Sec-WebSocket-Protocol: ${protocol}`,
    ])
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body).error.code).toBe(code)
    expect(head).toMatch(/\r\nx-ratelimit-remaining: \d+\r\n/i)
    expect(head).toMatch(/\r\ncontent-type: application\/json/i)
    if (status === 426) expect(head).toMatch(/\r\nsec-websocket-version: 13, 8\r\n/i)
  })
})

describe('a request without an upgrade', () => {
  it.each(['/eep/pulse', '/ws/messages'])('returns 426 for a request to %s without an upgrade', async (url) => {
    const response = await client(app).get(url)
    expect(response.statusCode).toBe(426)
    expect(response.headers.upgrade).toBe('websocket')
    expect(response.json().error.code).toBe('upgrade_required')
    expect(response.headers['x-ratelimit-limit']).toBeDefined()
  })
})

describe('an upgrade', () => {
  it('accepts a bearer token, and confirms it in the first frame', async () => {
    const { headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { headers })
    expect(client.headers['x-ratelimit-limit']).toBeDefined()
    expect(client.headers['eep-version']).toBe('0.1')
    expect(client.headers['cache-control']).toBeUndefined()
    expect(await client.next('connected')).toMatchObject({
      v: 1,
      type: 'system',
      data: { connection_id: expect.any(String), ping_interval_ms: 15_000, max_frame_bytes: 65_536 },
    })
    await client.close()
  })

  it.each(['/eep/pulse', '/ws/messages'])('refuses an upgrade of %s without credentials', async (path) => {
    const refused = await refusalOf(openSocket(app, path))
    expect(refused).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect(refused.headers['x-ratelimit-limit']).toBeDefined()
  })

  it('accepts an API key with the scope for events, and refuses one without it', async () => {
    const { headers } = await signUp(app)
    const key = await newKey(app, headers, { scopes: ['read:events'] })
    const client = await openSocket(app, '/eep/pulse', { headers: key.headers })
    await client.next('connected')
    await client.close()
    const other = await newKey(app, headers, { scopes: ['read:profiles'] })
    const refused = await refusalOf(openSocket(app, '/eep/pulse', { headers: other.headers }))
    expect(refused).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })

  it('refuses API keys on the socket for messages', async () => {
    const { headers } = await signUp(app)
    const key = await newKey(app, headers)
    const refused = await refusalOf(openSocket(app, '/ws/messages', { headers: key.headers }))
    expect(refused).toMatchObject({ status: 403, code: 'forbidden' })
  })

  it('accepts the session cookie from pages of the service, and refuses it from other sites', async () => {
    const { token } = await signUp(app)
    const cookie = `__Host-eep_session=${token}`
    const client = await openSocket(app, '/ws/messages', { headers: { cookie, origin: PUBLIC_URL } })
    await client.next('connected')
    await client.close()
    for (const path of ['/ws/messages', '/eep/pulse']) {
      const foreign = await refusalOf(openSocket(app, path, { headers: { cookie, origin: 'https://evil.example' } }))
      expect(foreign).toMatchObject({ status: 403, code: 'csrf' })
    }
  })

  it('accepts the token as a subprotocol, and selects another one in its answer', async () => {
    const { token, headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { protocols: ['eep', `bearer.${token}`] })
    await client.next('connected')
    expect(client.socket.protocol).toBe('eep')
    await client.close()
    const { key } = await newKey(app, headers)
    const alone = await openSocket(app, '/eep/pulse', { protocols: [`bearer.${key}`] })
    await alone.next('connected')
    expect(alone.socket.protocol).toBe(`bearer.${key}`)
    await alone.close()
    const refused = await refusalOf(openSocket(app, '/eep/pulse', { protocols: ['bearer.nonsense'] }))
    expect(refused.status).toBe(401)
  })

  it.each([
    ['selects eep among other subprotocols', ['graphql-ws', 'eep'], 'eep'],
    ['selects no subprotocol that it does not speak', ['graphql-ws'], undefined],
    ['returns no token that was offered with another subprotocol', ['graphql-ws', 'bearer.x'], undefined],
  ])('%s', async (_what, protocols, selected) => {
    const { headers } = await signUp(app)
    // Official clients fail a connection whose offer is not answered, so the answer is read from the socket.
    const [host, port] = (await addressOf(app)).split(':')
    const request = get({
      host,
      port,
      path: '/eep/pulse',
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        'sec-websocket-protocol': protocols.join(', '),
      },
    })
    const [answer, socket] = (await once(request, 'upgrade')) as [IncomingMessage, Socket]
    socket.destroy()
    expect([answer.statusCode, answer.headers['sec-websocket-protocol']]).toEqual([101, selected])
  })

  it.each(['/ws/messages', '/eep/pulse'])(
    'refuses %s before the upgrade to a session that may not act for the profile in the header',
    async (path) => {
      const [ada, bob] = [await signUp(app), await signUp(app)]
      const acting = (id: number) => ({ ...ada.headers, 'x-active-profile-id': String(id) })
      const refused = await refusalOf(openSocket(app, path, { headers: acting(bob.account.active_profile_id) }))
      expect(refused).toMatchObject({ status: 403, code: 'not_profile_owner' })
      const own = await openSocket(app, path, { headers: acting(ada.account.active_profile_id) })
      await own.next('connected')
      await own.close()
    },
  )

  it('refuses more connections than the plan allows streams', async () => {
    const { headers } = await signUp(app)
    const open = await Promise.all(Array.from({ length: 5 }, () => openSocket(app, '/eep/pulse', { headers })))
    const refused = await refusalOf(openSocket(app, '/ws/messages', { headers }))
    expect(refused).toMatchObject({ status: 429, code: 'too_many_streams' })
    expect(refused.headers['retry-after']).toBeDefined()
    await open[0]?.close()
    const again = await openSocket(app, '/ws/messages', { headers })
    for (const client of [...open, again]) await client.close()
  })

  it('answers an upgrade of a path without sockets as an ordinary request, and closes the connection', async () => {
    const upgrade = ['host: x', 'connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13']
    const key = `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`
    expect(await rawRequest(['GET /health/live HTTP/1.1', ...upgrade, key])).toMatch(/^HTTP\/1.1 200 /)
    expect(await rawRequest(['GET /nowhere HTTP/1.1', ...upgrade, key])).toMatch(/^HTTP\/1.1 404 /)
  })

  it('ignores an upgrade to HTTP/2', async () => {
    const offer = ['host: x', 'connection: upgrade, HTTP2-Settings', 'upgrade: h2c', 'http2-settings: AAMAAABk']
    const answer = await rawRequest(['GET /health/live HTTP/1.1', ...offer, 'connection: close'])
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  it('refuses a malformed handshake', async () => {
    const { token } = await signUp(app)
    const lines = ['GET /eep/pulse HTTP/1.1', 'host: x', 'connection: upgrade', 'upgrade: websocket']
    expect(await rawRequest([...lines, `authorization: Bearer ${token}`])).toMatch(/^HTTP\/1.1 4\d\d /)
  })
})

describe('a subscription', () => {
  it('sends the events of its source with sequence numbers and envelopes', async () => {
    const { writer, client, did } = await openOwn()
    const page = await writer.newPage({ title: 'First' })
    await writer.putPage(page.id, { title: 'Second' })
    expect(await client.next('publish')).toMatchObject({
      type: 'entity',
      seq: 1,
      data: { source_did: did, event: { type: 'content.published', source: did, data: { page_id: page.id } } },
    })
    expect(await client.next('update')).toMatchObject({ seq: 2, data: { event: { type: 'content.updated' } } })
    await client.close()
  })

  it('sends the types that a subscription names only, and nothing after it has ended', async () => {
    const { writer, client, did } = await openOwn({ types: ['content.deleted'] })
    const page = await writer.newPage()
    await writer.delete(`/manage/pages/${page.id}`)
    expect(await client.next('delete')).toMatchObject({ seq: 1 })
    client.send('system', 'unsubscribe', { source_did: did })
    await client.next('unsubscribed')
    const other = await openSocket(app, '/eep/pulse', { headers: writer.headers })
    other.send('system', 'subscribe', { source_did: did })
    await other.next('subscribed')
    await writer.newPage()
    await other.next('publish')
    expect(client.frames.filter(({ type }) => type === 'entity')).toEqual([])
    await client.close()
    await other.close()
  })

  it('rejects subscriptions to unknown sources and types', async () => {
    const { headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { headers })
    client.send('system', 'subscribe', { source_did: 'did:web:profiles.example:u:unknown-name' })
    expect(await client.next('error')).toMatchObject({
      error: { code: 'validation_failed' },
      data: { details: { issues: [{ path: '/data/source_did', code: 'unknown_source' }] } },
    })
    client.send('system', 'subscribe', {
      source_did: 'did:web:profiles.example:u:unknown-name',
      types: ['no.such_type'],
    })
    expect(await nextError(client)).toBe('validation_failed')
    client.send('system', 'unsubscribe', { source_did: 'did:web:profiles.example:u:unknown-name' })
    expect(await nextError(client)).toBe('not_subscribed')
    await client.close()
  })

  it('resumes after an event on another connection, with no gap and no repetition', async () => {
    const { writer, client, did } = await openOwn()
    for (const title of ['One', 'Two', 'Three']) await writer.newPage({ title })
    const first = await client.next('publish')
    // Events that are visible by now are replayed, and not sent live.
    for (const _ of ['Two', 'Three']) await client.next('publish')
    await client.close()
    const other = await openSocket(app, '/eep/pulse', { headers: writer.headers })
    other.send('system', 'subscribe', { source_did: did, last_event_id: first.data.event.id })
    const titles = [await other.next('publish'), await other.next('publish')].map(({ data }) => data.event.data.title)
    expect(titles).toEqual(['Two', 'Three'])
    expect(await other.next('replay_complete')).toMatchObject({ data: { source_did: did, from_seq: 1, last_seq: 2 } })
    await writer.newPage({ title: 'Four' })
    expect(await other.next('publish')).toMatchObject({ seq: 3, data: { event: { data: { title: 'Four' } } } })
    await other.close()
  })

  it('sends frames again with their numbers, from the number that the client names', async () => {
    const { writer, client, did } = await openOwn()
    for (const title of ['One', 'Two', 'Three']) await writer.newPage({ title })
    const sent = [await client.next('publish'), await client.next('publish'), await client.next('publish')]
    client.send('system', 'replay', { source_did: did, from_seq: 2 })
    expect([await client.next('publish'), await client.next('publish')]).toEqual(sent.slice(1))
    expect(await client.next('replay_complete')).toMatchObject({ data: { from_seq: 2, last_seq: 3 } })
    client.send('system', 'gap_detected', { source_did: did, expected_seq: 1, received_seq: 3 })
    expect([await client.next('publish'), await client.next('publish'), await client.next('publish')]).toEqual(sent)
    await client.next('replay_complete')
    client.send('system', 'replay', { from_seq: 4 })
    expect(await client.next('replay_complete')).toMatchObject({ data: { from_seq: 4, last_seq: 3 } })
    client.send('system', 'replay', { from_seq: 9 })
    expect(await nextError(client)).toBe('unknown_seq')
    await writer.newPage({ title: 'Four' })
    expect(await client.next('publish')).toMatchObject({ seq: 4, data: { event: { data: { title: 'Four' } } } })
    await client.close()
  })

  it('closes the connection with 4009 when the events after an id are no longer kept', async () => {
    const { client, did } = await openOwn()
    client.send('system', 'replay', { source_did: did, from_seq: 1, last_event_id: 'zz' })
    expect(await client.next('error')).toMatchObject({ error: { code: 'replay_window_exceeded' } })
    expect(await client.closed()).toMatchObject({ code: 4009 })
  })
})

describe('a frame', () => {
  it.each([
    ['that is not JSON', 'hello', 'invalid_frame'],
    ['that is a list', '[]', 'invalid_frame'],
    ['without a type', '{"v":1,"action":"ping"}', 'invalid_frame'],
    ['of an unknown type', '{"v":1,"type":"other","action":"ping"}', 'invalid_frame'],
    ['with a negative number', '{"v":1,"type":"system","action":"ping","seq":-1}', 'invalid_frame'],
    ['of an unknown action', '{"v":1,"type":"system","action":"dance"}', 'unsupported'],
    ['that nothing handles', '{"v":1,"type":"a2a","action":"task_request","data":{}}', 'unsupported'],
    ['that the service sends', '{"v":1,"type":"entity","action":"update","data":{}}', 'unsupported'],
    ['without its data', '{"v":1,"type":"system","action":"subscribe"}', 'validation_failed'],
    ['of a replay from nowhere', '{"v":1,"type":"system","action":"replay","data":{}}', 'validation_failed'],
  ])('answers %s with an error, and keeps the connection open', async (_what, text, code) => {
    const { headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { headers })
    client.sendText(text)
    expect(await nextError(client)).toBe(code)
    client.send('system', 'ping')
    await client.next('pong')
    await client.close()
  })

  it.each(['send', 'read', 'typing'])(
    'answers %s of a message as unsupported without the module for messages',
    async (action) => {
      const without = await instance({ messages: false })
      const { headers } = await signUp(app)
      const client = await openSocket(without, '/ws/messages', { headers })
      client.send('chat', action, { message: 'Hello' })
      expect(await client.next('error')).toMatchObject({
        error: { code: 'unsupported' },
        data: { in_reply_to: { type: 'chat', action } },
      })
      client.send('system', 'subscribe', { source_did: 'did:web:profiles.example:u:ada' })
      expect(await nextError(client)).toBe('unsupported')
      await client.close()
    },
  )

  it('closes the connection with 4002 for a frame of another version', async () => {
    const { headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { headers })
    client.sendText('{"v":2,"type":"system","action":"ping"}')
    expect(await client.closed()).toEqual({ code: 4002, reason: 'unsupported_version' })
  })

  it('closes the connection with 1009 for a frame above 64 KiB', async () => {
    const { headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { headers })
    const padded = (bytes: number) => JSON.stringify({ v: 1, type: 'system', action: 'ping' }).padEnd(bytes)
    client.sendText(padded(65_536))
    await client.next('pong')
    client.sendText(padded(65_537))
    expect(await client.closed()).toMatchObject({ code: 1009 })
  })

  it('closes the connection with 1008 above fifty frames a second', async () => {
    const { headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { headers })
    for (let sent = 0; sent < 200; sent += 1) client.send('system', 'pong')
    expect(await client.closed()).toEqual({ code: 1008, reason: 'too_many_frames' })
  })

  it.each(['ping', 'pong'] as const)(
    'closes the connection with 1008 above fifty %ss of the protocol a second',
    async (kind) => {
      const { headers } = await signUp(app)
      const client = await openSocket(app, '/eep/pulse', { headers })
      for (let sent = 0; sent < 200; sent += 1) client.socket[kind]()
      expect(await client.closed()).toEqual({ code: 1008, reason: 'too_many_frames' })
    },
  )

  it('closes the connection with 1003 for a binary frame', async () => {
    const { headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { headers })
    client.socket.send(Buffer.from([1, 2, 3]))
    expect(await client.closed()).toMatchObject({ code: 1003 })
  })

  it('reports a gap in the sequence numbers of a client', async () => {
    const { headers } = await signUp(app)
    const client = await openSocket(app, '/eep/pulse', { headers })
    for (const seq of [1, 2, 5]) client.send('system', 'ping', undefined, seq)
    expect(await client.next('gap_detected')).toMatchObject({ data: { expected_seq: 3, received_seq: 5 } })
    await client.close()
  })

  it('counts frames that cause work against the rate limit of the caller', async () => {
    const strict = await instance({ limits: { rateLimit: { multiplier: 0.05 } } })
    const { headers } = await signUp(app)
    const client = await openSocket(strict, '/eep/pulse', { headers })
    for (let sent = 0; sent < 6; sent += 1) client.send('system', 'auth_refresh', { token: randomUUID() })
    await client.next('error', ({ error }) => error?.code === 'rate_limited')
    await client.close()
  })
})

describe('the sockets of an instance', () => {
  it('counts connections, and lists those of an account', async () => {
    const own = await instance()
    const { headers, account } = await signUp(app)
    const pulse = await openSocket(own, '/eep/pulse', { headers })
    const messages = await openSocket(own, '/ws/messages', { headers })
    pulse.sendText('nonsense')
    await pulse.next('error')
    expect(own.eep.sockets.stats()).toMatchObject({
      connections: { pulse: 1, messages: 1 },
      opened: 2,
      framesReceived: 1,
      framesRefused: 1,
    })
    expect(own.eep.sockets.presence(account.id).map(({ socket }) => socket)).toEqual(['pulse', 'messages'])
    await pulse.close()
    await messages.close()
    while (own.eep.sockets.presence(account.id).length > 0) await new Promise(setImmediate)
    expect(own.eep.sockets.stats()).toMatchObject({ connections: { pulse: 0, messages: 0 }, framesReceived: 1 })
  })

  it('does not keep a server from closing', async () => {
    const leaving = await instance()
    const { headers } = await signUp(app)
    const client = await openSocket(leaving, '/ws/messages', { headers })
    await leaving.close()
    expect(await client.closed()).toMatchObject({ code: 1001 })
  })

  it('closes connections with 1001 on drain, including those opened later', async () => {
    const leaving = await instance()
    const { headers } = await signUp(app)
    const clients = [
      await openSocket(leaving, '/ws/messages', { headers }),
      await openSocket(leaving, '/eep/pulse', { headers }),
    ]
    leaving.eep.drain()
    for (const client of clients) expect(await client.closed()).toEqual({ code: 1001, reason: 'going_away' })
    const later = await openSocket(leaving, '/eep/pulse', { headers })
    expect(await later.closed()).toMatchObject({ code: 1001 })
  })

  it('counts sockets and streams against one limit of the plan', async () => {
    const { headers } = await signUp(app)
    const base = `http://${await addressOf(app)}`
    const stream = await openStream(base, '/eep/stream', headers)
    expect(stream.status).toBe(200)
    const clients = await Promise.all(Array.from({ length: 4 }, () => openSocket(app, '/eep/pulse', { headers })))
    expect(await refusalOf(openSocket(app, '/eep/pulse', { headers }))).toMatchObject({ code: 'too_many_streams' })
    expect((await openStream(base, '/eep/stream', headers)).status).toBe(429)
    stream.close()
    await soon(async () => clients.push(await openSocket(app, '/ws/messages', { headers })))
    for (const client of clients) await client.close()
  })

  it('describes sockets in AsyncAPI with the frames of both sides, and lists them as a delivery method of profiles', async () => {
    const document = (await client(app).get('/docs/asyncapi.json')).json()
    expect(document.servers.sockets).toEqual({ host: 'profiles.example', protocol: 'wss' })
    const { pulse, messages } = document.channels
    expect([pulse.address, messages.address]).toEqual(['/eep/pulse', '/ws/messages'])
    expect(Object.keys(messages.messages)).toEqual([
      ...['system', 'message', 'authRefresh', 'ping', 'pong', 'send', 'read', 'typing'],
    ])
    expect(document.operations.receivePulse.messages).toContainEqual({ $ref: '#/channels/pulse/messages/subscribe' })
    expect(pulse.messages.subscribe.payload.properties).toMatchObject({
      action: { enum: ['subscribe'] },
      data: { required: ['source_did'] },
    })

    const { writer, client: socket } = await openOwn()
    await writer.newPage()
    const validate = new Ajv2020({ strict: false }).addFormat('date-time', true).compile(pulse.messages.entity.payload)
    expect(validate(await socket.next('publish')), JSON.stringify(validate.errors)).toBe(true)
    await socket.close()
    const profile = await client(app).get(`/u/${writer.account.username}?format=json`)
    expect(profile.json().eep.supported_delivery).toEqual(['sse', 'webhook', 'websocket'])
    expect((await client(app).get('/.well-known/eep.json')).json().layers.layer3_ws).toBe(
      `${PUBLIC_URL.replace('https:', 'wss:')}/eep/pulse`,
    )
  })
})
