import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { keyAgent } from '../../support/agents.ts'
import { newKey } from '../../support/api-keys.ts'
import { PUBLIC_URL } from '../../support/app.ts'
import { client, type Headers, type Response } from '../../support/client.ts'
import { OPEN_FEED } from '../../support/feed.ts'
import { type ListedTool, mcpClient } from '../../support/mcp.ts'
import { OPEN_MESSAGES } from '../../support/messages.ts'
import { bearer, connect } from '../../support/oauth-server.ts'
import { createCashApp, decodeHeader, header, openShop, receiptIdOf } from '../../support/shop.ts'
import { type EqualRequest, openToolCases } from '../../support/tool-cases.ts'
import { soon } from '../../support/wait.ts'

const test = await createCashApp({
  withSearch: true,
  payments: { settlementLeaseMs: 600_000 },
  ...OPEN_FEED,
  ...OPEN_MESSAGES,
})
afterAll(() => test.close())
const { app, storage, cashWallets } = test
const shop = await openShop(app, 'seller')
const [buyer, agent] = [await signUp(app), keyAgent()]
const { scopes_supported: SCOPES }: { scopes_supported: readonly string[] } = (
  await client(app).get('/.well-known/oauth-authorization-server')
).json()
/** Apps only have these scopes. */
const APPS_ONLY = new Set(['spend:payments', 'write:files', 'write:reviews'])
const keyOf = async (headers: Headers) =>
  (await newKey(app, headers, { scopes: SCOPES.filter((scope) => !APPS_ONLY.has(scope)) })).headers
const assistantOf = async (scopes: readonly string[], profileId?: number) => {
  const resources = [PUBLIC_URL, `${PUBLIC_URL}/mcp`]
  return bearer((await connect(test, shop, { scopes, resources, ...(profileId && { profileId }) })).access_token)
}
const buyerKey = await keyOf(buyer.headers)
const offer = await client(app).get(shop.paid, buyerKey)
const bought = await client(app).get(shop.paid, {
  ...buyerKey,
  ...cashWallets.answer(header(offer, 'payment-required')),
})
const CASES = await openToolCases({ app, storage, shop, buyer, receiptId: receiptIdOf(bought) })
await soon(async () =>
  expect((await client(app).get('/search?q=Welcome', { accept: 'application/json' })).json().data).not.toEqual([]),
)

type Signed = (request: { readonly method: string; readonly path: string; readonly body: string }) => Headers
const always =
  (headers: Headers): Signed =>
  () =>
    headers

/** Callers whose rights differ. */
const CALLERS: Readonly<Record<string, Signed>> = {
  'an anonymous visitor': always({}),
  'a buyer': always(buyerKey),
  'an app of the owner': always(await assistantOf(SCOPES)),
  'an API key of the owner': always(await keyOf(shop.headers)),
  'an agent that signs': ({ method, path, body }) => agent.sign({ method, path, body }),
}

/** All tools of the service. A list for one app ends after 40 of them, so there is an app for a few scopes each. */
const listed = new Map<string, ListedTool>()
for (const scope of SCOPES) {
  const { tools } = await mcpClient(app, await assistantOf([scope])).list()
  for (const tool of tools) listed.set(tool.name, tool)
}
const TOOLS = [...listed.keys()]

/** Sends the request to a route, as a caller. */
function ask(as: Signed, { method = 'GET', path, body, headers = {} }: EqualRequest): Promise<Response> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type: Headers = body === undefined ? {} : { 'content-type': 'application/json' }
  return client(app).send(method, path, body === undefined ? undefined : text, {
    ...as({ method, path, body: text }),
    ...type,
    ...{ accept: 'application/json', ...headers },
  })
}

/** Calls a tool, as a caller. */
function call(as: Signed, name: string, args: object): Promise<Response> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  return mcpClient(app, as({ method: 'POST', path: '/mcp', body: JSON.stringify(message) })).post(message)
}

/** A value without scores, which depend on the time of a search in their last digits. */
const withoutScores = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"score":[\d.e-]+/g, '"score":0'))

/** A value without its ids and times: two calls that create something differ in them. */
const withoutIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}|neg_[\da-f]+/g, 'id')
      .replaceAll(/\d+/g, '0'),
  )

const ajv = new Ajv2020({ strict: false })
/** The tools that succeeded for some caller. */
const succeeded = new Set<string>()

describe.each(Object.entries(CALLERS))('for %s', (_name, as) => {
  it.each(TOOLS)('%s has status and body of its route', async (name) => {
    const prepare = CASES[name]
    if (!prepare) throw new Error(`Add a case for the tool ${name} to test/support/tool-cases.ts`)
    const { args } = await prepare()
    const response = await call(as, name, args)
    const other = await prepare()
    const reads = (other.request.method ?? 'GET') === 'GET'
    const same = (value: unknown) => (reads ? withoutScores(value) : withoutIds(value))
    const route = await ask(as, other.request)

    if (response.statusCode !== 200) {
      expect([response.statusCode, response.json().error.code]).toEqual([
        route.statusCode,
        other.unsigned ?? route.json().error.code,
      ])
      return
    }
    const { result } = response.json()
    const [{ text }] = result.content
    if (route.statusCode === 402) {
      const { accepts } = decodeHeader(route, 'payment-required')
      expect(result).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } })
      expect(result.structuredContent.accepts[0]).toMatchObject({ payTo: accepts[0].payTo, amount: accepts[0].amount })
    } else if (route.statusCode >= 400) {
      // A code is that of one status.
      expect([result.isError, same(JSON.parse(text).error)]).toEqual([true, same(route.json().error)])
    } else {
      expect([result.isError, text]).toEqual([undefined, expect.any(String)])
      const expected = other.of ? other.of(route) : route.body === '' ? {} : route.json()
      expect(same(result.structuredContent ?? text)).toEqual(same(expected))
      const { outputSchema } = listed.get(name) ?? {}
      expect([name, outputSchema === undefined]).toEqual([name, result.structuredContent === undefined])
      if (outputSchema)
        expect([ajv.validate(outputSchema, result.structuredContent), ajv.errorsText()]).toEqual([true, 'No errors'])
      succeeded.add(name)
    }
  })
})

describe('all tools', () => {
  it('are those that the page of the server lists', async () => {
    const { body } = await client(app).get('/mcp', { accept: 'text/html' })
    expect(TOOLS.filter((name) => !body.includes(`<code>${name}</code>`))).toEqual([])
    expect(body.match(/<code>[a-z_]+<\/code>/g)?.length).toBe(TOOLS.length)
  })

  it('succeeded for one of the callers at least', () => {
    expect(TOOLS.filter((name) => !succeeded.has(name))).toEqual([])
  })

  it('have short descriptions, object schemas that compile, and no two cases', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(TOOLS.toSorted())
    for (const { name, description, inputSchema, outputSchema } of listed.values()) {
      expect([name, description.length <= 300]).toEqual([name, true])
      for (const schema of [inputSchema, outputSchema ?? { type: 'object' }]) {
        expect(schema).toMatchObject({ type: 'object' })
        ajv.compile(schema)
      }
    }
  })
})

describe('a tool whose body has variants', () => {
  it('lists what each of them takes', () => {
    const { profile_type: type } = listed.get('create_profile')?.inputSchema.properties ?? {}
    expect(type).toMatchObject({
      enum: expect.arrayContaining(['organization', 'place', 'product', 'event', 'custom']),
    })
  })
})

describe('a tool that reads a profile', () => {
  /** The tools whose route cannot be asked without the id of a profile. */
  const NEEDING = TOOLS.filter((name) => listed.get(name)?.inputSchema.required?.includes('profile'))

  it('takes its username or id as `profile`, and shows no other member for it', () => {
    expect(NEEDING).toEqual(
      expect.arrayContaining(['create_page', 'list_memory_sessions', 'list_notifications', 'get_analytics']),
    )
    for (const { name, inputSchema } of listed.values())
      expect([name, 'profile_id' in inputSchema.properties]).toEqual([name, false])
  })

  it.each(NEEDING)(
    '%s needs none where the connection acts for one, and asks for it where there are several',
    async (name) => {
      const one = always(await assistantOf(SCOPES, shop.profileId))
      const { profile: _, ...args } = { profile: 0, ...(await CASES[name]?.())?.args }
      const { result } = (await call(one, name, args)).json()
      expect([result.content[0].text, result.isError]).toEqual([expect.any(String), undefined])
      const several = (await call(CALLERS['an app of the owner'] ?? one, name, args)).json().result
      expect(JSON.parse(several.content[0].text).error).toMatchObject({
        code: 'validation_failed',
        details: { issues: [{ path: 'profile' }] },
      })
      const { tools } = await mcpClient(app, one({ method: 'POST', path: '/mcp', body: '' })).list()
      const own = tools.find((tool) => tool.name === name)
      if (own) expect(own.inputSchema.required ?? []).not.toContain('profile')
    },
  )

  it('refuses a profile of another account to a connection that acts for one', async () => {
    const one = always(await assistantOf(SCOPES, shop.profileId))
    const args = { title: 'Looms', body: 'Text', profile: buyer.account.username }
    const { result } = (await call(one, 'create_page', args)).json()
    expect(result.isError).toBe(true)
  })
})
