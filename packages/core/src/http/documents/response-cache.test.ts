import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createReadCache } from '../../runtime/storage/read-cache.ts'
import type { RequestContext } from '../pipeline/request-context.ts'
import { validatorCompiler } from '../pipeline/validation.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { routeConfig } from '../routes.ts'
import { DOCUMENT_TYPES } from './negotiation.ts'
import { answerFromCache, createResponseCache, type ReaderVariants } from './response-cache.ts'

const isCurrent = { isCurrent: () => true, silentMs: () => 0 }

/** A listener with one public document, and how often its route ran. */
async function openListener() {
  const app = Fastify()
  let runs = 0
  app.decorateRequest('eep')
  app.addHook('onRequest', (request, _reply, done) => {
    // The cache reads these members only.
    request.eep = { site: { language: request.headers['accept-language'] ?? 'en' }, identified: {} } as RequestContext
    done()
  })
  const cache = createResponseCache(createReadCache(100, isCurrent), () => new Date()).ofListener()
  const add = (url: string, handler: RouteDefinition['handler'], schema = {}) =>
    app.route({ ...answerFromCache({ method: 'GET', url, config, schema, handler }, cache), method: ['GET', 'HEAD'] })
  const config = routeConfig({
    auth: 'none',
    tag: 'test',
    operationId: 'getDocument',
    summary: 'Get a document',
    produces: DOCUMENT_TYPES,
  })
  add('/document', (request, reply) => {
    runs += 1
    request.eep.cacheResponse?.({ dependsOn: { profileId: 1 }, send: (_again, answer) => answer.send('text') })
    return reply.send('text')
  })
  add('/by-reader', (request, reply) => {
    runs += 1
    const of: ReaderVariants['of'] = async ({ headers }) => (headers.origin === 'none' ? undefined : headers.origin)
    const prepare: ReaderVariants['prepare'] = (_again, answer) => void answer.header('vary', 'origin')
    const key = request.headers.origin ?? 'none'
    if (key !== 'none') request.eep.readerVariant = { key, of, prepare }
    if (key !== 'none') {
      request.eep.cacheResponse?.({
        dependsOn: { profileId: 1 },
        send: (_again, answer) => answer.send(`cached ${key}`),
      })
    }
    return reply.send(`made ${key}`)
  })
  const schema = {
    params: z.object({ id: z.coerce.number() }),
    querystring: z.object({ format: z.enum(['json', 'markdown']).optional() }),
  }
  app.setValidatorCompiler(validatorCompiler)
  const number: RouteDefinition['handler'] = (request, reply) => {
    runs += 1
    const { id } = request.params as { readonly id: unknown }
    request.eep.cacheResponse?.({ dependsOn: { profileId: 1 }, send: (_again, answer) => answer.send('cached') })
    return reply.send(`${typeof id} ${id}`)
  }
  add('/numbered/:id', number, schema)
  await app.ready()
  const inject = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers })
  const get = async (headers: Record<string, string> = {}) => (await inject('/document', headers)).body
  return { get, inject, runs: () => runs, close: () => app.close() }
}

it('answers the second anonymous request for a document without its route', async () => {
  const { get, runs, close } = await openListener()
  expect([await get(), await get()]).toEqual(['text', 'text'])
  expect(runs()).toBe(1)
  await close()
})

it('runs the route for each language, and for requests with a credential', async () => {
  const { get, runs, close } = await openListener()
  for (const headers of [{}, { 'accept-language': 'de' }, { cookie: 'a=b' }, { cookie: 'a=b' }]) await get(headers)
  expect(runs()).toBe(4)
  await close()
})

it('sends a response only to readers of the variant that it was made for', async () => {
  const { inject, runs, close } = await openListener()
  const read = async (origin: string) => (await inject('/by-reader', { origin })).body
  expect([await read('a'), await read('b'), await read('a'), await read('b')]).toEqual([
    'made a',
    'made b',
    'cached a',
    'cached b',
  ])
  expect((await inject('/by-reader', { origin: 'a' })).headers.vary).toBe('origin')
  expect([await read('none'), await read('none')]).toEqual(['made none', 'made none'])
  expect(runs()).toBe(4)
  await close()
})

it('passes parsed parameters to the route when the cache does not answer', async () => {
  const { inject, close } = await openListener()
  expect((await inject('/numbered/007')).body).toBe('number 7')
  expect((await inject('/numbered/007')).body).toBe('cached')
  expect((await inject('/numbered/007', { cookie: 'a=b' })).body).toBe('number 7')
  await close()
})

it.each([
  ['a parameter of the path', '/numbered/seven', 404],
  ['a parameter of the query', '/numbered/7?format=other', 400],
] as const)('rejects %s that is not valid each time, and never runs the route', async (_what, url, status) => {
  const { inject, runs, close } = await openListener()
  for (const [headers, method] of [
    [{}, 'GET'],
    [{}, 'GET'],
    [{ cookie: 'a=b' }, 'GET'],
    [{}, 'HEAD'],
  ] as const) {
    expect((await inject(url, headers, method)).statusCode).toBe(status)
  }
  expect(runs()).toBe(0)
  await close()
})
