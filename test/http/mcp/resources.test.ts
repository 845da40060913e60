import { describe, expect, it } from 'vitest'
import { signUpListed } from '../../support/accounts.ts'
import { openCashShops } from '../../support/cash-shops.ts'
import { client } from '../../support/client.ts'
import { mcpClient } from '../../support/mcp.ts'
import { SECRET_WORD } from '../../support/shop.ts'

const { test, shopOf } = await openCashShops()
const { app } = test
const anonymous = mcpClient(app)
const uriOf = (path: string) => `eep://profiles.example${path}`

describe('resources', () => {
  it('lists documents of the service and templates', async () => {
    const { result } = await anonymous.ask('resources/list')
    expect(result?.resources).toEqual(
      expect.arrayContaining([expect.objectContaining({ uri: uriOf('/llms.txt'), mimeType: 'text/markdown' })]),
    )
    const { result: templates } = await anonymous.ask('resources/templates/list')
    expect(templates?.resourceTemplates).toEqual(
      expect.arrayContaining([expect.objectContaining({ uriTemplate: uriOf('/{prefix}/{username}') })]),
    )
  })

  it('lists public profiles, which can be read by their URI', async () => {
    const { account } = await signUpListed(app)
    const profilePath = `/u/${account.username}`
    const { result } = await anonymous.ask('resources/list')
    expect(result?.resources).toContainEqual(expect.objectContaining({ uri: uriOf(profilePath) }))
    expect(await anonymous.ask('resources/read', { uri: uriOf(profilePath) })).toHaveProperty('result')
  })

  it('reads a page by its URI and by its URL, as the Markdown of its route', async () => {
    const shop = await shopOf()
    const { body } = await client(app).get(shop.open, { accept: 'text/markdown' })
    for (const uri of [uriOf(shop.open), `https://profiles.example${shop.open}`]) {
      const { result } = await anonymous.ask('resources/read', { uri })
      expect(result?.contents).toMatchObject([{ uri, mimeType: 'text/markdown', text: body }])
    }
  })

  it('does not know hidden resources, other services and other routes, all alike', async () => {
    const uris = [
      uriOf('/u/nobody'),
      'eep://elsewhere.example/u/ada',
      uriOf('/health'),
      uriOf('/docs/openapi.json'),
      'file:///etc/passwd',
    ]
    for (const uri of uris) {
      expect(await anonymous.ask('resources/read', { uri })).toMatchObject({
        error: { code: -32_602, message: 'The resource does not exist', data: { uri } },
      })
    }
  })

  it('asks for a payment in the form of each revision, and takes it', async () => {
    const shop = await shopOf()
    const uri = uriOf(shop.paid)
    const { error } = await anonymous.ask('resources/read', { uri })
    expect(error).toMatchObject({ code: -32_042, data: { httpStatus: 402, x402: { x402Version: 2 } } })
    expect(await anonymous.askModern('resources/read', { uri })).toMatchObject({
      error: { code: 402, message: expect.stringContaining('read_page') },
    })
    const asked = await anonymous.askModern('resources/read', { uri }, { extensions: { 'org.x402/payment': {} } })
    expect(asked.result).toMatchObject({ resultType: 'payment_required', paymentRequired: { x402Version: 2 } })

    const terms = Buffer.from(JSON.stringify(error?.data?.x402)).toString('base64')
    const { 'payment-signature': signature = '' } = await test.cashWallets.answer(terms)
    const payment: unknown = JSON.parse(Buffer.from(signature, 'base64').toString())
    const { result } = await anonymous.ask('resources/read', { uri, _meta: { 'x402/payment': payment } })
    expect(JSON.stringify(result)).toContain(SECRET_WORD)
  })
})

describe('prompts and completion', () => {
  it('lists prompts and fills in their arguments', async () => {
    const { result } = await anonymous.ask('prompts/list')
    expect(result?.prompts).toMatchObject([
      { name: 'read_and_cite' },
      { name: 'draft_page' },
      { name: 'weekly_report' },
    ])
    const got = await anonymous.ask('prompts/get', {
      name: 'read_and_cite',
      arguments: { url: 'https://profiles.example/u/ada' },
    })
    expect(JSON.stringify(got.result)).toContain('Read https://profiles.example/u/ada')
    expect((await anonymous.ask('prompts/get', { name: 'read_and_cite' })).error?.code).toBe(-32_602)
    expect((await anonymous.ask('prompts/get', { name: 'none' })).error?.code).toBe(-32_602)
  })

  it('completes prefixes of templates', async () => {
    const params = {
      ref: { type: 'ref/resource', uri: uriOf('/{prefix}/{username}') },
      argument: { name: 'prefix', value: 'a' },
    }
    const { result } = await anonymous.ask('completion/complete', params)
    expect(result).toMatchObject({ completion: { values: ['a', 'agent'], hasMore: false } })
  })
})

describe('discovery', () => {
  it('serves the card beside both addresses and at two well-known ones', async () => {
    const card = await client(app).get('/mcp/server-card')
    expect(card.headers['content-type']).toContain('application/mcp-server-card+json')
    expect(card.headers['cache-control']).toBe('public, max-age=3600')
    expect(card.headers.etag).toMatch(/^"/)
    expect(card.json()).toMatchObject({
      name: expect.stringMatching(/^example\.profiles\/[a-z0-9-]+$/),
      version: '1.0.0',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://profiles.example/mcp',
          supportedProtocolVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']),
        },
        { url: 'https://profiles.example/mcp/account' },
      ],
    })
    expect((await client(app).get('/mcp/account/server-card')).json()).toEqual(card.json())
    for (const path of ['/.well-known/mcp/server-card.json', '/.well-known/mcp.json']) {
      expect((await client(app).get(path)).json()).toEqual({ ...card.json(), endpoint: 'https://profiles.example/mcp' })
    }
  })

  it('explains to people how to connect, with the addresses and every tool', async () => {
    const { statusCode, body } = await client(app).get('/mcp', { accept: 'text/html' })
    expect(statusCode).toBe(200)
    for (const text of ['https://profiles.example/mcp/account', 'claude mcp add', 'read_page', 'create_post'])
      expect(body).toContain(text)
  })
})
