import { toFetchHandler } from '@eep/core'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../../support/app.ts'
import type { Requests } from '../../support/client.ts'
import { sendConsent } from '../../support/consent.ts'
import { browserOf } from '../../support/console.ts'
import { CALLBACK, createProvider } from '../../support/oauth-provider.ts'
import { createAppSite } from '../../support/oauth-server.ts'

// Both published clients sign in by themselves, as their programs do. Their requests go to the service through its fetch-style handler.

const ME = { name: 'test', version: '1.0.0' }
type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** How a published client connects, and how it goes on after the person has allowed it. */
interface Published {
  connect(): Promise<void>
  finish(answer: URLSearchParams): Promise<void>
  tools(): Promise<readonly string[]>
  call(name: string, args: Record<string, unknown>): Promise<object>
}

type Open = (url: URL, fetch: Fetch, provider: object) => Published

const CLIENTS: Readonly<Record<string, Open>> = {
  'sdk 1.32.2': (url, fetch, provider) => {
    let client = new Client(ME)
    const make = () => new StreamableHTTPClientTransport(url, { fetch, authProvider: provider as never })
    let transport = make()
    return {
      connect: () => client.connect(transport as never),
      async finish(answer) {
        await transport.finishAuth(answer.get('code') ?? '')
        client = new Client(ME)
        transport = make()
      },
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, args) => client.callTool({ name, arguments: args }),
    }
  },
  'client 2.4.0': (url, fetch, provider) => {
    let client = new ModernClient(ME, { versionNegotiation: { mode: 'auto' } })
    const make = () => new ModernTransport(url, { fetch, authProvider: provider as never })
    let transport = make()
    return {
      connect: () => client.connect(transport),
      async finish(answer) {
        await transport.finishAuth(answer)
        client = new ModernClient(ME, { versionNegotiation: { mode: 'auto' } })
        transport = make()
      },
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, args) => client.callTool({ name, arguments: args }),
    }
  },
}
const names = Object.keys(CLIENTS)

let site: Awaited<ReturnType<typeof createAppSite>>
let service: Awaited<ReturnType<typeof createTestApp>>
let ada: Person
let documentUrl: string
let aheadMs = 0
beforeAll(async () => {
  site = await createAppSite()
  service = await createTestApp({
    clock: () => new Date(Date.now() + aheadMs),
    http: { allowPrivateHosts: [site.host] },
  })
  ada = await signUp(service.app)
  documentUrl = site.at('/assistant.json')
  site.serve('/assistant.json', {
    client_id: documentUrl,
    client_name: 'Documented assistant',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
  })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const fetchOf = (app: TestApp): Fetch => {
  const handle = toFetchHandler(app, { clientAddress: () => '192.0.2.1' })
  return (url, init) => handle(new Request(url, init))
}

/** A service. Requests of browsers are without its path. */
interface Place {
  readonly app: TestApp
  readonly requests: Requests
  readonly publicUrl: string
}

/** Opens the address to which a client sent the person, who allows what is wanted: all that costs nothing. Returns the answer. */
async function allow(
  url: URL | undefined,
  person: Person,
  { requests, publicUrl }: Place,
  wanted = (scope: string) => !scope.startsWith('spend:'),
) {
  // Signed in just now, so that nothing is asked again.
  const tab = await browserOf(requests, person)
  if (!url) throw new Error('the client did not send the person away')
  const path = `${url.origin}${url.pathname}`.slice(publicUrl.length)
  const page = await tab.open(path + url.search)
  if (page.statusCode !== 200) throw new Error(`There is no page: ${page.statusCode} ${page.headers.location}`)
  const scopes = [...page.body.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = '']) => scope)
  const answer = await sendConsent(tab, requests, page, {
    scopes: scopes.filter(wanted),
    path,
    headers: { origin: url.origin },
  })
  const { searchParams } = new URL(String(answer.headers.location))
  expect(searchParams.get('state')).toBe('the state')
  return searchParams
}

const here = (): Place => ({ app: service.app, requests: service.app, publicUrl: PUBLIC_URL })

/** Connects a client by itself, with the person who allows it. */
async function signedIn(
  name: string,
  { document, place = here(), person = ada }: { document?: string; place?: Place; person?: Person } = {},
) {
  const { provider, memory } = createProvider(document)
  const open = CLIENTS[name] as Open
  const client = open(new URL(`${place.publicUrl}/mcp/account`), fetchOf(place.app), provider)
  await expect(client.connect()).rejects.toThrow(/unauthorized/i)
  await client.finish(await allow(memory.authorizationUrl, person, place))
  await client.connect()
  return { client, memory }
}

describe.each(names)('%s', (name) => {
  it('signs in by registration, and has the tools of what the person allowed', async () => {
    const { client, memory } = await signedIn(name)
    expect(memory.client?.client_id).toMatch(/^eepd_/)
    expect(memory.authorizationUrl?.searchParams.get('resource')).toBe(`${PUBLIC_URL}/mcp/account`)
    expect(await client.tools()).toEqual(expect.arrayContaining(['get_account', 'create_page', 'read_page']))
    expect(await client.call('get_account', {})).toMatchObject({
      structuredContent: { username: ada.account.username },
    })
  })

  it('signs in by a document at its address', async () => {
    const { client, memory } = await signedIn(name, { document: documentUrl })
    expect(memory.authorizationUrl?.searchParams.get('client_id')).toBe(documentUrl)
    expect(await client.tools()).toContain('get_account')
  })

  it('refreshes an expired token by itself, without the person', async () => {
    const { client, memory } = await signedIn(name)
    const { access_token: before } = memory.tokens ?? {}
    aheadMs += 2 * 3_600_000
    expect(await client.tools()).toContain('get_account')
    expect(memory.tokens?.access_token).not.toBe(before)
    expect(memory.asked).toBe(1)
  })

  it('asks the person again once they disconnected it', async () => {
    const { client, memory } = await signedIn(name)
    const { data } = (await ada.get('/account/apps')).json()
    await ada.delete(`/account/apps/${data[0].id}`)
    await expect(client.tools()).rejects.toThrow(/unauthorized/i)
    expect(memory.asked).toBe(2)
    await client.finish(await allow(memory.authorizationUrl, ada, here()))
    await client.connect()
    expect(await client.tools()).toContain('get_account')
  })
})

describe('a scope that the person did not allow', () => {
  const page = () => ({ profile_id: ada.account.active_profile_id, title: 'Notes', body: 'By an assistant' })

  async function withReading(name: string) {
    const { provider, memory } = createProvider()
    const open = CLIENTS[name] as Open
    const client = open(new URL(`${PUBLIC_URL}/mcp/account`), fetchOf(service.app), provider)
    await expect(client.connect()).rejects.toThrow(/unauthorized/i)
    await client.finish(await allow(memory.authorizationUrl, ada, here(), (scope) => scope.startsWith('read:')))
    await client.connect()
    return { client, memory }
  }

  it('is asked for by client 2.4.0, with those that it has', async () => {
    const { client, memory } = await withReading('client 2.4.0')
    await expect(client.call('create_page', page())).rejects.toThrow()
    expect(memory.asked).toBe(2)
    const wanted = memory.authorizationUrl?.searchParams.get('scope')?.split(' ')
    expect(wanted).toEqual(expect.arrayContaining(['write:content', 'read:profiles']))
    await client.finish(await allow(memory.authorizationUrl, ada, here()))
    await client.connect()
    expect(await client.call('create_page', page())).toMatchObject({ structuredContent: { title: 'Notes' } })
  })

  it('is added by the person for sdk 1.32.2, whose next call works with the token that it has', async () => {
    const { client, memory } = await withReading('sdk 1.32.2')
    await expect(client.call('create_page', page())).rejects.toThrow()
    await ada.post('/auth/prove', { password: PASSWORD })
    const { data } = (await ada.get('/account/apps')).json()
    const { id, scopes } = data[0]
    const changed = await ada.put(`/account/apps/${id}`, { scopes: [...scopes, 'write:content'] })
    expect(changed.statusCode, changed.body).toBe(200)
    expect(await client.call('create_page', page())).toMatchObject({ structuredContent: { title: 'Notes' } })
    expect(memory.asked).toBe(1)
  })
})

describe('a service below a path', () => {
  const publicUrl = `${PUBLIC_URL}/eep`
  let below: Awaited<ReturnType<typeof createTestApp>>
  beforeAll(async () => {
    below = await createTestApp({ publicUrl, prefix: '/eep' }, {}, (app) => {
      app.register(app.eep.oauthServer.wellKnown)
    })
  })
  afterAll(() => below.close())

  it.each(names)('is found by %s through the metadata at the root of the host', async (name) => {
    const inject = (sent: InjectOptions) => below.app.inject({ ...sent, url: `/eep${sent.url}` })
    const requests: Requests = { inject: inject as Requests['inject'] }
    const person = await signUp(requests)
    const { client, memory } = await signedIn(name, { place: { app: below.app, requests, publicUrl }, person })
    expect(memory.authorizationUrl?.pathname).toBe('/eep/oauth/authorize')
    expect(await client.tools()).toContain('get_account')
  })
})
