import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { loggedUrl, serverOptions } from '@eep/core'
import { directoryBlobs } from '@eep/core/files'
import { afterAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'

type Line = Readonly<Record<string, unknown>>

const lines: Line[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)))
    done()
  },
})
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

const { app, close } = await createTestApp(
  {
    files: {
      blobStore: {
        ...directoryBlobs({ directory: 'unused' }),
        put() {
          throw new Error('the archive is broken')
        },
      },
    },
    email: { mailer: { send: () => Promise.reject(new Error('no mail server')) } },
  },
  {
    ...serverOptions,
    logger: { level: 'debug', stream, serializers: { req: (request) => ({ url: loggedUrl(request) }) } },
  },
  (server) => {
    server.get('/own-page', async () => 'a page of the host')
  },
)
afterAll(close)

const idOf = async (headers: Readonly<Record<string, string>>, url = '/health/live') =>
  (await app.inject({ url, headers })).headers['x-request-id']

describe('the id of a request', () => {
  it('is a new UUID for each request of clients that send none', async () => {
    const [first, second] = [await idOf({}), await idOf({})]
    expect(first).toMatch(UUID)
    expect(second).toMatch(UUID)
    expect(first).not.toBe(second)
  })

  it('is the X-Request-Id of the client when it is well-formed', async () => {
    for (const id of ['a', 'Root=1-67891233-abcdef012345678912345678', 'a/b.c:d_e+f@g', 'x'.repeat(128)]) {
      expect(await idOf({ 'x-request-id': id })).toBe(id)
    }
  })

  it('is replaced when the X-Request-Id is too long, or has characters with a meaning in logs or pages', async () => {
    const odd = ['', 'x'.repeat(129), 'two words', '{"a":1}', '<b>', 'a,b', 'é', '"', 'a;b', '\u007f']
    for (const id of odd) expect(await idOf({ 'x-request-id': id }), id).toMatch(UUID)
  })

  it('is the trace id of a valid traceparent when there is no X-Request-Id', async () => {
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
    expect(await idOf({ traceparent })).toBe(TRACE)
    expect(await idOf({ traceparent, 'x-request-id': 'mine' })).toBe('mine')
    expect(await idOf({ traceparent, 'x-request-id': 'not mine' })).toBe(TRACE)
  })

  it('is not taken from an invalid traceparent', async () => {
    const invalid = [
      `ff-${TRACE}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
      `00-${TRACE}-00f067aa0ba902b7`,
      `00-${TRACE}-00f067aa0ba902b7-01-${'x'.repeat(200)}`,
    ]
    for (const traceparent of invalid) expect(await idOf({ traceparent }), traceparent).toMatch(UUID)
  })

  it('is returned with errors, unknown paths, malformed URLs, preflights and refused forms', async () => {
    const id = 'in-every-answer'
    for (const url of ['/u/nobody', '/nowhere', '/u/%c0', '/auth/me', `/u/${'x'.repeat(2_000)}`]) {
      expect(await idOf({ 'x-request-id': id }, url), url).toBe(id)
    }
    const headers = { 'x-request-id': id, 'content-type': 'application/json' }
    const refused = await app.inject({ method: 'POST', url: '/auth/login', headers, body: '{' })
    expect([refused.statusCode, refused.headers['x-request-id']]).toEqual([400, id])
    const preflight = await app.inject({ method: 'OPTIONS', url: '/auth/login', headers: { 'x-request-id': id } })
    expect([preflight.statusCode, preflight.headers['x-request-id']]).toEqual([204, id])
  })

  it('may be sent and read by scripts of other origins', async () => {
    const headers = { origin: 'https://other.example' }
    const preflight = await app.inject({ method: 'OPTIONS', url: '/u/nobody', headers })
    expect(preflight.headers['access-control-allow-headers']).toMatch(/\bX-Request-Id\b.*\btraceparent\b/)
    const { headers: sent } = await app.inject({ url: '/u/nobody', headers })
    expect(sent['access-control-expose-headers']).toMatch(/\bX-Request-Id\b/)
  })
})

/** The lines of a request, once there is one with this message. */
async function linesOf(id: string, message: string) {
  const found = () => lines.filter(({ reqId }) => reqId === id)
  await expect.poll(() => found().map(({ msg }) => msg), { timeout: 60_000 }).toContain(message)
  return found()
}

describe('log lines', () => {
  it('have the id of their request, on pages of the host too', async () => {
    for (const url of ['/health/live', '/own-page']) {
      const id = randomUUID()
      await idOf({ 'x-request-id': id }, url)
      const found = await linesOf(id, 'request completed')
      expect(found.map(({ msg, level }) => [level, msg])).toEqual([
        [30, 'incoming request'],
        [30, 'request completed'],
      ])
    }
  })

  it('of services have the id of the request that they worked for', async () => {
    const id = randomUUID()
    const ada = await signUp(app)
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/auth/forgot-password',
      headers: { 'x-request-id': id },
      body: { email: ada.account.email },
    })
    expect(statusCode).toBe(200)
    const found = await linesOf(id, 'an email was not sent')
    expect(found.find(({ msg }) => msg === 'an email was not sent')).toMatchObject({
      level: 50,
      kind: 'password-reset',
    })
  })

  it('of a job have the id of the request that added it', async () => {
    const ada = await signUp(app)
    const id = randomUUID()
    const asked = await ada.post('/export', { account: true }, { 'x-request-id': id })
    expect(asked.statusCode).toBe(202)
    const found = await linesOf(id, 'a job failed')
    expect(found.map(({ msg }) => msg)).toContain('a job failed; it is retried')
    expect(found.find(({ msg }) => msg === 'a job failed')).toMatchObject({ level: 50, job: asked.json().id })
  })

  it('of background work have no id of a request', async () => {
    const failing = 'a listener that fails'
    const off = app.eep.on('accounts.account_registered', () => {
      throw new Error(failing)
    })
    await signUp(app)
    const found = () => lines.find(({ err }) => (err as { message?: string } | undefined)?.message === failing)
    await expect.poll(found, { timeout: 60_000 }).toBeDefined()
    off()
    expect(found()).toMatchObject({ level: 50, msg: 'an event was not handled' })
    expect(found()).not.toHaveProperty('reqId')
  })
})
