import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestApp, PUBLIC_URL, type TestAppOptions } from '../support/app.ts'
import { client } from '../support/client.ts'
import { header } from '../support/shop.ts'

const MCP = `${PUBLIC_URL}/mcp`
const METADATA = `${PUBLIC_URL}/.well-known/oauth-authorization-server`

/** Where agents look for the servers for assistants. */
const DOCUMENTS = ['/llms.txt', '/agents.txt', '/.well-known/eep/agent-guide.md']

let service: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  service = await createTestApp()
})
afterAll(() => service.close())

async function openService(options: TestAppOptions) {
  const test = await createTestApp(options)
  onTestFinished(test.close)
  return client(test.app)
}
const here = () => client(service.app)

describe('the addresses of the servers for assistants', () => {
  it.each(DOCUMENTS)('are in %s, in lines that programs find', async (path) => {
    const { body } = await here().get(path)
    expect(body).toMatch(new RegExp(`^(- )?MCP: ${MCP}$`, 'm'))
    expect(body).toMatch(new RegExp(`^(- )?OAuth: ${METADATA}$`, 'm'))
  })

  it('are in /discover, in the API catalogue and in the links of the start document', async () => {
    const { mcp, oauth } = (await here().get('/discover?format=json')).json()
    expect(mcp).toEqual({
      url: MCP,
      account_url: `${MCP}/account`,
      server_card: `${PUBLIC_URL}/.well-known/mcp/server-card.json`,
    })
    expect(oauth).toEqual({ issuer: PUBLIC_URL, metadata: METADATA, guide: `${PUBLIC_URL}/auth.md` })
    const [catalogue] = (await here().get('/.well-known/api-catalog')).json().linkset
    expect(catalogue['service-desc'].map(({ href }: { href: string }) => href)).toContain(mcp.server_card)
    expect(catalogue['service-doc'].map(({ href }: { href: string }) => href)).toContain(oauth.guide)
    const links = header(await here().get('/'), 'link')
    expect(links).toContain('</.well-known/mcp/server-card.json>; rel="service-desc"')
    expect(links).toContain('</auth.md>; rel="service-doc"')
  })

  it('are in the AI catalogue where it is served', async () => {
    const { get } = await openService({ discovery: { aiCatalog: true } })
    const { entries } = (await get('/.well-known/ai-catalog.json')).json()
    expect(entries).toContainEqual(
      expect.objectContaining({
        identifier: 'urn:air:profiles.example:mcp:service',
        type: 'application/mcp-server-card+json',
        url: `${MCP}/server-card`,
      }),
    )
  })

  it('follow the options of their modules', async () => {
    const { get } = await openService({
      mcp: { path: '/assistants/mcp' },
      oauthServer: { paths: { token: '/oauth2/token' } },
    })
    expect((await get('/discover?format=json')).json().mcp.url).toBe(`${PUBLIC_URL}/assistants/mcp`)
    expect((await get('/auth.md')).body).toContain(`POST ${PUBLIC_URL}/oauth2/token`)
  })

  it('are nowhere without their modules, and nothing answers there', async () => {
    const { get } = await openService({ mcp: false, oauthServer: false, discovery: { aiCatalog: true } })
    for (const path of [
      ...DOCUMENTS,
      '/discover?format=json',
      '/.well-known/api-catalog',
      '/.well-known/ai-catalog.json',
    ]) {
      const { body, headers } = await get(path)
      expect([path, `${body} ${headers.link}`.match(/\bmcp\b|oauth-authorization-server|auth\.md/i)]).toEqual([
        path,
        null,
      ])
    }
    for (const path of ['/auth.md', '/mcp', '/.well-known/mcp/server-card.json', '/.well-known/mcp.json']) {
      expect([path, (await get(path)).statusCode]).toEqual([path, 404])
    }
  })
})

describe('GET /auth.md', () => {
  it('explains every address of the metadata that programs use, as Markdown that caches keep', async () => {
    const response = await here().get('/auth.md')
    expect(header(response, 'content-type')).toBe('text/markdown; charset=utf-8')
    expect(header(response, 'cache-control')).toBe('public, max-age=3600')
    const metadata = (await here().get('/.well-known/oauth-authorization-server')).json()
    expect(metadata.service_documentation).toBe(`${PUBLIC_URL}/auth.md`)
    for (const name of ['authorization', 'token', 'registration', 'revocation', 'device_authorization']) {
      expect(response.body).toContain(metadata[`${name}_endpoint`])
    }
    for (const scope of metadata.scopes_supported) expect(response.body).toContain(`\`${scope}\``)
    const known = await here().get('/auth.md', { 'if-none-match': header(response, 'etag') })
    expect(known.statusCode).toBe(304)
  })

  it('leaves out what is switched off', async () => {
    const { get } = await openService({ oauthServer: { registration: false, device: false, cimd: false } })
    const { body } = await get('/auth.md')
    expect(body).not.toMatch(/RFC 7591|device_code|https URL with a path/)
    expect(body).toContain('An id that the operator of this service gave you.')
  })
})
