import { describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { openContent } from '../../support/content.ts'
import { mcpClient } from '../../support/mcp.ts'

const { app } = await openContent()
const anonymous = mcpClient(app)
const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

describe('POST /mcp', () => {
  it('answers the revision of 2025 without a session', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const response = await anonymous.post({ ...request, method: 'initialize', params })
    expect(response.statusCode).toBe(200)
    expect(response.headers['mcp-session-id']).toBeUndefined()
    expect(response.json().result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: expect.any(String), websiteUrl: 'https://profiles.example' },
      instructions: expect.stringContaining('Cite the `url`'),
      capabilities: { tools: {} },
    })
  })

  it('answers server/discover of the revision of 2026', async () => {
    const { result } = await anonymous.askModern('server/discover')
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete', cacheScope: 'public' })
  })

  it('requires the headers of the revision of 2026 to agree with the message', async () => {
    const params = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
    const response = await anonymous.post({ ...request, params }, headers)
    expect([response.statusCode, response.json().error.code]).toEqual([400, -32_020])
  })

  it('sends the rate headers of its group with each answer', async () => {
    const { headers } = await anonymous.post(request)
    expect(headers['ratelimit-policy']).toMatch(/^"mcp";q=\d+;w=60$/)
  })

  it('refuses lists of messages, unknown members and deeply nested messages', async () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 40; depth++) deep = [deep]
    for (const body of [[request], { ...request, extra: 1 }, { ...request, params: { deep } }, null, 'tools/list']) {
      const response = await anonymous.post(body)
      expect([response.statusCode, response.json().error.code]).toEqual([400, -32_600])
    }
  })

  it('refuses messages above the limit, and other types than JSON', async () => {
    const large = await anonymous.post({ ...request, params: { text: 'x'.repeat(1_048_576) } })
    expect(large.statusCode).toBe(413)
    const form = await anonymous.post(request, { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form.statusCode).toBe(415)
  })

  it('does not know methods of sessions, logging and other servers', async () => {
    for (const method of ['logging/setLevel', 'resources/subscribe', 'tools/forget']) {
      expect((await anonymous.ask(method, { level: 'info', uri: 'eep://x/u/ada' })).error?.code).toBe(-32_601)
    }
  })

  it('refuses other methods than POST and names what is allowed', async () => {
    for (const method of ['DELETE', 'GET'] as const) {
      const response = await app.inject({ method, url: '/mcp', headers: { accept: 'text/event-stream' } })
      expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    }
  })

  it('lets pages of any origin call it, without credentials', async () => {
    const headers = { origin: 'https://assistant.example', 'access-control-request-method': 'POST' }
    const preflight = await app.inject({ method: 'OPTIONS', url: '/mcp', headers })
    expect(preflight.headers['access-control-allow-headers']).toContain('MCP-Protocol-Version, Mcp-Method, Mcp-Name')
    expect(preflight.headers['access-control-max-age']).toBe('7200')
    const response = await anonymous.post(request, { origin: 'https://assistant.example' })
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('credentials', () => {
  it('never reads cookies, and refuses session tokens', async () => {
    const ada = await signUp(app)
    const token = ada.headers.authorization ?? ''
    const byCookie = await anonymous.post(
      { ...request, method: 'tools/call', params: { name: 'get_account' } },
      { cookie: `eep_session=${token.replace('Bearer ', '')}` },
    )
    expect(byCookie.statusCode).toBe(401)
    const bySession = await anonymous.post(request, { authorization: token })
    expect(bySession.statusCode).toBe(401)
    expect(bySession.headers['www-authenticate']).toMatch(/^Bearer/)
  })

  it('refuses an API key that is unknown, also where none is needed', async () => {
    expect((await anonymous.post(request, { 'x-api-key': `eep_${'0'.repeat(49)}` })).statusCode).toBe(401)
  })

  it('asks for a credential before a tool that needs one runs', async () => {
    const response = await anonymous.post({ ...request, method: 'tools/call', params: { name: 'get_account' } })
    expect(response.statusCode).toBe(401)
  })

  it('answers only callers with a credential at /mcp/account', async () => {
    const ada = await signUp(app)
    const key = await newKey(app, ada.headers)
    expect((await mcpClient(app, {}, '/mcp/account').post(request)).statusCode).toBe(401)
    expect((await mcpClient(app, key.headers, '/mcp/account').post(request)).statusCode).toBe(200)
  })
})
