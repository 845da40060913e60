import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { Metrics } from '../../runtime/telemetry/metrics.ts'
import type { RouteConfig } from '../routes.ts'
import { measureRequests } from './measure-requests.ts'
import type { RequestContext } from './request-context.ts'

interface Observed {
  readonly labels: Record<string, string>
  readonly seconds: number
}

const closing: FastifyInstance[] = []
afterEach(async () => {
  for (const app of closing.splice(0)) await app.close()
})

/** A listener whose requests take as long as their handlers, and what was measured of it. */
function createApp(addRoutes: (app: FastifyInstance) => void, route: Partial<RouteConfig> = {}) {
  const observed: Observed[] = []
  const observe = (labels: Record<string, string>, seconds: number) => void observed.push({ labels, seconds })
  const series = (labels: Record<string, string>) => (seconds: number) => observe(labels, seconds)
  const metrics: Pick<Metrics, 'histogram'> = { histogram: () => ({ observe, series }) }
  const app = Fastify()
  closing.push(app)
  app.decorateRequest('eep')
  app.addHook('onRequest', (request, _reply, done) => {
    const config = { operationId: request.is404 ? '' : 'readIt', ...route }
    request.eep = { route: config, receivedAt: performance.now() } as RequestContext
    done()
  })
  measureRequests(app, metrics)
  addRoutes(app)
  return { app, observed }
}

describe('the time of a request', () => {
  it('is measured once, with its operation, method and class of the status', async () => {
    const { app, observed } = createApp((routes) =>
      routes.get('/', async () => {
        await sleep(20)
        return 'text'
      }),
    )
    await app.inject('/')
    expect(observed.map(({ labels }) => labels)).toEqual([{ operation: 'readIt', method: 'GET', status: '2xx' }])
    expect(observed[0]?.seconds).toBeGreaterThan(0.015)
  })

  it('ends with a stream, and not before', async () => {
    const stream = new PassThrough()
    const { app, observed } = createApp((routes) => routes.get('/', (_request, reply) => void reply.send(stream)))
    const address = await app.listen({ port: 0 })
    stream.write('begins')
    const response = await fetch(address)
    await sleep(20)
    expect(observed).toEqual([])
    stream.end()
    await response.text()
    await expect.poll(() => observed.length).toBe(1)
    expect(observed[0]?.seconds).toBeGreaterThan(0.015)
  })

  it('includes what the last hook of a route makes a stream of, as compression does', async () => {
    const compressed = new PassThrough()
    const { app, observed } = createApp((routes) =>
      routes.get('/', { onSend: async () => compressed }, async () => 'text'),
    )
    const response = app.inject('/').then(({ body }) => body)
    await sleep(20)
    expect(observed).toEqual([])
    compressed.end('shorter')
    expect(await response).toBe('shorter')
    expect(observed).toHaveLength(1)
  })

  it('is measured for errors and for paths without a route', async () => {
    const { app, observed } = createApp((routes) =>
      routes.get('/', async () => {
        throw new Error('broken')
      }),
    )
    await app.inject('/')
    await app.inject('/nowhere')
    expect(observed.map(({ labels }) => labels)).toEqual([
      { operation: 'readIt', method: 'GET', status: '5xx' },
      { operation: 'none', method: 'GET', status: '4xx' },
    ])
  })

  it('is measured once for a stream that fails before its first byte, with the error that is sent', async () => {
    const { app, observed } = createApp((routes) =>
      routes.get('/', (_request, reply) => {
        const stream = new PassThrough()
        reply.send(stream)
        stream.destroy(new Error('broken'))
      }),
    )
    expect((await app.inject('/')).statusCode).toBe(500)
    expect(observed.map(({ labels }) => labels.status)).toEqual(['5xx'])
  })

  it('is not measured for a stream of events, whose client decides when it ends', async () => {
    const { app, observed } = createApp((routes) => routes.get('/', async () => 'events'), { staysOpen: true })
    await app.inject('/')
    expect(observed).toEqual([])
  })
})
