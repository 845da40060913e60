import { eep } from '@eep/core'
import { search } from '@eep/core/search'
import { cashRail } from '@eep/core/testing'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET } from '../support/app.ts'
import { client } from '../support/client.ts'
import { header, openShop, SECRET_WORD, type Shop } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
beforeAll(async () => {
  test = await createTestApp({ withSearch: true, discovery: { ask: true }, payments: { rails: [cashRail()] } })
  shop = await openShop(test.app, 'answerer')
  await soon(async () => expect((await ask('query=engines')).json().results).not.toEqual([]))
})
afterAll(() => test.close())

const { get, post } = client(() => test.app)
const ask = (query: string, headers: Record<string, string> = {}) => get(`/ask?${query}`, headers)

describe('a question to /ask', () => {
  it('lists what the public search finds, with schema.org objects', async () => {
    const response = await ask('query=engines&query_id=q-1')
    expect(response.statusCode, response.body).toBe(200)
    const { query_id: id, results } = response.json()
    expect(id).toBe('q-1')
    const [first] = results
    const url = `${PUBLIC_URL}${shop.paid}`
    expect(first).toMatchObject({
      url,
      name: 'Engines',
      site: 'profiles.example',
      schema_object: { '@context': 'https://schema.org', '@type': 'Article', url, isAccessibleForFree: false },
    })
    expect(first.score).toBeGreaterThan(0)
    expect(first.score).toBeLessThanOrEqual(100)
    expect(header(response, 'access-control-allow-origin')).toBe('*')
    const again = await ask('query=engines&query_id=q-1', { 'if-none-match': header(response, 'etag') })
    expect(again.statusCode).toBe(304)
  })

  it('is answered by POST as by GET, in both forms of the draft', async () => {
    const { results } = (await ask('query=engines')).json()
    const context = { prev: ['Who wrote this?'], context: { '@type': 'ConversationContext' }, streaming: true }
    for (const body of [
      { query: 'engines' },
      { query: { text: 'engines', lang: 'en' }, ...context },
      { query: 'engines', mode: 'list', site: 'all', streaming: 'false' },
      { query: 'engines', site: 'profiles.example' },
    ]) {
      const response = await post('/ask', body)
      expect(response.statusCode, response.body).toBe(200)
      expect(response.json().results).toEqual(results)
      expect(header(response, 'content-type')).toContain('application/json')
    }
    expect((await post('/ask', { query: 'engines', site: 'other.example' })).json().results).toEqual([])
  })

  it('never finds a gated text, not even for its owner', async () => {
    for (const headers of [{}, { ...shop.headers }]) {
      const response = await ask(`query=${SECRET_WORD}`, headers)
      expect([response.statusCode, response.json().results]).toEqual([200, []])
      expect((await ask('query=engines', headers)).body).not.toContain(SECRET_WORD)
    }
  })

  it('generates nothing: other modes are refused', async () => {
    for (const mode of ['summarize', 'generate', 'sing']) {
      const refused = await ask(`query=engines&mode=${mode}`)
      expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'ask_mode_unsupported'])
      expect(codeOf(await post('/ask', { query: 'engines', mode }))).toBe('ask_mode_unsupported')
    }
  })

  it('is refused when it is malformed, and echoes no markup', async () => {
    for (const query of ['', 'query=', 'query=%00', `query=${'x'.repeat(257)}`, 'query=a&query_id=%3Cscript%3E']) {
      const refused = await ask(query)
      expect(refused.statusCode, query).toBe(400)
      expect(refused.body).not.toContain('<script>')
    }
    for (const body of [{}, { query: 7 }, { query: {} }, { query: 'a', query_id: '<b>' }, ['engines']]) {
      expect((await post('/ask', body as object)).statusCode, JSON.stringify(body)).toBe(400)
    }
    const large = await post('/ask', { query: 'engines', prev: 'x'.repeat(20_000) })
    expect(large.statusCode).toBe(413)
  })

  it('is named in the catalogue of APIs', async () => {
    expect((await get('/.well-known/api-catalog')).body).toContain(`${PUBLIC_URL}/ask`)
  })
})

describe('a service without /ask', () => {
  it('has no such route by default', async () => {
    const off = await createTestApp({ withSearch: true })
    expect((await client(off.app).get('/ask?query=engines')).statusCode).toBe(404)
    expect((await client(off.app).post('/ask', { query: 'engines' })).statusCode).toBe(404)
    expect((await client(off.app).get('/.well-known/api-catalog')).body).not.toContain('/ask')
    await off.close()
  })

  it('returns 503 without a search index', async () => {
    const bare = await createTestApp({ discovery: { ask: true } })
    const answer = await client(bare.app).get('/ask?query=engines')
    expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'search_disabled'])
    await bare.close()
  })

  it.each(['GET', 'POST'] as const)('leaves the path to a host that has a %s there', async (method) => {
    const warned: unknown[] = []
    const warn = (details: unknown, text: string) => warned.push([details, text])
    const database = await openStorage()
    const app = Fastify()
    app.route({ method, url: '/ask', handler: async () => ({ own: true }) })
    await app.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: database.storage,
      discovery: { ask: true },
      logger: { info() {}, warn, error() {} },
      modules: [search({ index: database.storage.search() })],
    })
    await app.ready()
    expect((await app.inject({ method, url: '/ask' })).json()).toEqual({ own: true })
    expect(warned).toContainEqual([{ path: '/ask' }, expect.stringContaining('discovery.ask')])
    await app.close()
    await database.close()
  })
})
