import { describe, expect, it } from 'vitest'
import { mcpCard } from './mcp-card.ts'
import { siteOf, type TestAnswers } from './site-fixture.ts'

const CARD = '/.well-known/mcp/server-card.json'

describe('mcp-card', () => {
  it.each<[string, TestAnswers, string]>([
    [
      'a card',
      { [CARD]: { body: { serverInfo: { name: 'site', version: '1' }, transport: { endpoint: '/mcp' } } } },
      'pass',
    ],
    [
      'the earlier address',
      { '/.well-known/mcp.json': { body: { name: 'site', url: 'https://site.example/mcp' } } },
      'pass',
    ],
    [
      'remotes',
      { [CARD]: { body: { name: 'site', remotes: [{ type: 'streamable-http', url: 'https://site.example/mcp' }] } } },
      'pass',
    ],
    ['no card', {}, 'skip'],
    ['no name', { [CARD]: { body: { transport: { endpoint: '/mcp' } } } }, 'fail'],
    ['no endpoint', { [CARD]: { body: { serverInfo: { name: 'site' } } } }, 'fail'],
    ['an endpoint without a URL', { [CARD]: { body: { name: 'site', url: 'stdio' } } }, 'fail'],
    ['HTML', { [CARD]: '<!doctype html>' }, 'fail'],
  ])('gives $2 for %s', async (_, answers, status) => {
    expect((await mcpCard.check(siteOf(answers))).status).toBe(status)
  })
})
