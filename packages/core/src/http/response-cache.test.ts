import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { createReadCache } from '../storage/read-cache.ts'
import { addHeadRoutes } from './head.ts'
import { DOCUMENT_TYPES } from './negotiation.ts'
import type { RequestContext } from './request-context.ts'
import { answerFromCache, createResponseCache } from './response-cache.ts'
import { routeConfig } from './routes.ts'

const isCurrent = { isCurrent: () => true, silentMs: () => 0 }

/** A listener with one public document, and how often its route ran. */
async function openListener() {
  const app = Fastify()
  let runs = 0
  app.decorateRequest('eep')
  app.addHook('onRequest', (request, _reply, done) => {
    // The cache reads these members only.
    request.eep = { site: { language: request.headers['accept-language'] ?? 'en' } } as RequestContext
    done()
  })
  answerFromCache(
    app,
    createResponseCache(createReadCache(100, isCurrent), () => new Date()),
  )
  addHeadRoutes(app)
  const config = routeConfig({
    auth: 'none',
    tag: 'test',
    operationId: 'getDocument',
    summary: 'Get a document',
    produces: DOCUMENT_TYPES,
  })
  app.get('/document', { config }, (request, reply) => {
    runs += 1
    request.eep.cacheResponse?.({ dependsOn: { profileId: 1 }, send: (_again, answer) => answer.send('text') })
    return reply.send('text')
  })
  await app.ready()
  const get = async (headers: Record<string, string> = {}) => (await app.inject({ url: '/document', headers })).body
  return { get, runs: () => runs, close: () => app.close() }
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
