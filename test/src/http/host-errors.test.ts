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

describe('errors of a module of the host', () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  beforeAll(async () => {
    test = await createTestApp({ extend: [tickets] })
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
})
