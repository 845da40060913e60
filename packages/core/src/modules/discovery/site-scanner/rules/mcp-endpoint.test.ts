import { describe, expect, it } from 'vitest'
import { mcpEndpoint } from './mcp-endpoint.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const CARD = { '/.well-known/mcp/server-card.json': { body: { name: 'site', endpoint: '/mcp' } } }
const reads = { name: 'list_news', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } }
const writes = { name: 'delete_all', annotations: {}, inputSchema: { type: 'object' } }

/** What a server answers to each method. */
const GOOD: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: '2025-11-25', serverInfo: { name: 'site', version: '1' }, capabilities: {} },
  'tools/list': { tools: [writes, reads] },
  'tools/call': { content: [{ type: 'text', text: 'News' }] },
}

/** A site whose server answers methods by these results, and records what it is asked. */
function serverOf(results: Readonly<Record<string, unknown>>, asked: string[] = [], wrap = JSON.stringify) {
  return siteOf({
    ...CARD,
    '/mcp': ({ body }): TestAnswer => {
      const { method, params } = body as { method: string; params?: { name?: string } }
      asked.push(params?.name ? `${method} ${params.name}` : method)
      const result = results[method]
      if (result === undefined) return { status: 404 }
      return { type: 'application/json', body: wrap({ jsonrpc: '2.0', id: 1, result }) }
    },
  })
}

describe('mcp-endpoint', () => {
  it('passes a server that describes itself, lists its tools and lets an anonymous client read', async () => {
    const asked: string[] = []
    expect(await mcpEndpoint.check(serverOf(GOOD, asked))).toMatchObject({
      status: 'pass',
      evidence: 'site: list_news',
    })
    expect(asked).toEqual(['initialize', 'tools/list', 'tools/call list_news'])
  })

  it('reads results from streams', async () => {
    const site = siteOf({
      ...CARD,
      '/mcp': ({ body }): TestAnswer => {
        const { method } = body as { method: string }
        const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: GOOD[method] })
        return { type: 'text/event-stream', body: `event: message\ndata: ${message}\n\n` }
      },
    })
    expect((await mcpEndpoint.check(site)).status).toBe('pass')
  })

  it('calls no tool that may change something', async () => {
    const asked: string[] = []
    const found = await mcpEndpoint.check(serverOf({ ...GOOD, 'tools/list': { tools: [writes] } }, asked))
    expect([found.status, asked]).toEqual(['pass', ['initialize', 'tools/list']])
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['does not answer', {}],
    ['does not give its name', { ...GOOD, initialize: { serverInfo: {} } }],
    ['does not list its tools', { initialize: GOOD.initialize }],
    ['lists no tools', { ...GOOD, 'tools/list': { tools: 'none' } }],
    ['does not answer a call', { ...GOOD, 'tools/call': undefined }],
    ['answers a call without content', { ...GOOD, 'tools/call': {} }],
  ])('fails a server that %s', async (_, results) => {
    expect((await mcpEndpoint.check(serverOf(results))).status).toBe('fail')
  })

  it('is skipped for a server that needs a credential, for one on another host, and without a card', async () => {
    const closed = siteOf({ ...CARD, '/mcp': { status: 401 } })
    const elsewhere = siteOf({ '/.well-known/mcp.json': { body: { name: 'site', url: 'https://mcp.example/' } } })
    for (const site of [closed, elsewhere, siteOf({})]) expect((await mcpEndpoint.check(site)).status).toBe('skip')
  })
})
