import { Readable } from 'node:stream'
import { defineError, defineModule, routeConfig } from '@eep/core/module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

const soldOut = defineError('test_sold_out', 409, 'No tickets are left')

const failingStream = () =>
  new Readable({
    read() {
      this.destroy(new Error('the disk is gone'))
    },
  })

/** A module whose routes state how long their content can be cached, and then fail. */
const tickets = defineModule({
  name: 'tickets',
  routes(app) {
    app.get(
      '/tickets/:outcome',
      {
        config: routeConfig({ auth: 'none', tag: 'tickets', summary: 'Get tickets', operationId: 'getTickets' }),
        schema: { params: z.object({ outcome: z.string() }), querystring: z.object({ caching: z.string() }) },
      },
      async (request, reply) => {
        reply.header('cache-control', request.query.caching)
        switch (request.params.outcome) {
          case 'sold-out':
            throw soldOut()
          case 'sold-out-for-all':
            throw soldOut({ visibility: 'public' })
          case 'fault':
            throw new Error('a bug of the host')
          default:
            return reply.type('text/plain').send(failingStream())
        }
      },
    )
  },
})

/** A module whose route throws an error with the facts of its query. */
const facts = defineModule({
  name: 'facts',
  routes(app) {
    app.get(
      '/facts/:name',
      {
        config: routeConfig({ auth: 'none', tag: 'facts', summary: 'Throw a fact', operationId: 'getFact' }),
        schema: { params: z.object({ name: z.string() }) },
      },
      async ({ params: { name } }) => {
        throw soldOut(FACTS[name])
      },
    )
  },
})

const circle: { self?: unknown } = {}
circle.self = circle
const parameters = { realm: 'Kaffee für alle' }

const FACTS: Readonly<Record<string, NonNullable<Parameters<typeof soldOut>[0]>>> = {
  late: { retryAfterMs: -60_000 },
  moved: { movedTo: '/café\r\nset-cookie: a=b' },
  'time-nan': { retryAfterMs: Number.NaN },
  'time-infinite': { retryAfterMs: Number.POSITIVE_INFINITY },
  'challenge-parameter': { challenges: [{ scheme: 'Ticket', parameters }] },
  'challenge-line-break': { challenges: [{ scheme: 'Ticket', parameters: { realm: 'a\r\nset-cookie: a=b' } }] },
  'challenge-scheme': { challenges: [{ scheme: 'Tickét' }] },
  'challenge-name': { challenges: [{ scheme: 'Ticket', parameters: { 'a b': 'c' } }] },
  size: { size: Number.NaN },
  upgrade: { upgrade: { to: 'web\nsocket' } },
  x402: { x402: { required: 'ü' } },
  'details-circle': { details: circle },
  'details-bigint': { details: { seats: 1n } },
}

describe('errors of a module of the host', () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  beforeAll(async () => {
    test = await createTestApp({ modules: [tickets, facts] })
  })
  afterAll(() => test.close())

  const { get } = client(() => test.app)
  async function cachingOf(outcome: string, caching: string, accept = 'application/json') {
    const { statusCode, headers } = await get(`/tickets/${outcome}?caching=${encodeURIComponent(caching)}`, { accept })
    return [statusCode, headers['cache-control']]
  }

  it.each([
    ['sold-out', 409],
    ['fault', 500],
    ['stream', 500],
  ])('are not stored by caches when the route allowed that for its content: %s', async (outcome, status) => {
    for (const accept of ['application/json', 'application/problem+json', 'text/html']) {
      expect(await cachingOf(outcome, 'public, max-age=3600', accept)).toEqual([status, 'no-store'])
    }
  })

  it('are cached as the resource when they state its visibility', async () => {
    expect(await cachingOf('sold-out-for-all', 'private, no-store')).toEqual([409, 'public, max-age=60'])
  })

  it('keep a Cache-Control of the route that forbids caches', async () => {
    expect(await cachingOf('sold-out', 'private, no-store')).toEqual([409, 'private, no-store'])
  })

  it.each(Object.keys(FACTS).filter((name) => name.includes('-') || ['size', 'upgrade', 'x402'].includes(name)))(
    'are internal errors in the format of the service when a fact cannot be sent: %s',
    async (name) => {
      const response = await get(`/facts/${name}`, { accept: 'application/json' })
      expect(response.statusCode).toBe(500)
      expect(response.json()).toEqual({
        error: { code: 'internal_error', message: expect.any(String), details: { request_id: expect.any(String) } },
      })
      expect(response.headers['www-authenticate']).toBeUndefined()
    },
  )

  it('ask for a second when the time to wait has passed already', async () => {
    const { statusCode, headers } = await get('/facts/late')
    expect([statusCode, headers['retry-after']]).toEqual([409, '1'])
  })

  it('percent-encode what a Location cannot contain', async () => {
    const { statusCode, headers } = await get('/facts/moved')
    expect([statusCode, headers.location]).toEqual([409, '/caf%C3%A9%0D%0Aset-cookie:%20a=b'])
  })
})
