import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { openCashShops } from '../../support/cash-shops.ts'
import { client, type Headers } from '../../support/client.ts'
import { mcpClient } from '../../support/mcp.ts'

const { test, shopOf } = await openCashShops()
const { app } = test
const shop = await shopOf()
const stranger = await signUp(app)
const ALL = [
  'read:profiles',
  'read:content',
  'read:files',
  'read:feed',
  'read:payments',
  'read:messages',
  'read:notifications',
  'read:analytics',
  'read:gates',
  'read:connections',
  'read:memory',
  'commerce:negotiate',
]

/** Callers whose rights differ. */
const CALLERS: Readonly<Record<string, Headers>> = {
  'an anonymous caller': {},
  'a key without the scopes of a route': (await newKey(app, stranger.headers, { scopes: ['read:feed'] })).headers,
  'a key of another account': (await newKey(app, stranger.headers, { scopes: ALL })).headers,
  'a key of the owner': (await newKey(app, shop.headers, { scopes: ALL })).headers,
}
const did = encodeURIComponent(shop.did)

/** Tools, and the requests that they are. */
const TOOLS: readonly (readonly [string, object, string])[] = [
  ['get_profile', { url: shop.profile }, shop.profile],
  ['list_contents', { url: shop.profile }, shop.contents],
  ['list_contents', { url: `${shop.contents}/notes` }, `${shop.contents}/notes`],
  ['list_services', { url: shop.profile }, `/eep/services/${did}`],
  ['get_feed', { limit: 5 }, '/feed?limit=5'],
  ['get_feed', { url: shop.profile }, `/feed${shop.profile}`],
  ['list_changes', { url: shop.profile }, `${shop.profile}/changelog`],
  ['get_trust', { url: shop.profile }, `/trust${shop.profile}`],
  ['get_gates', { did: shop.did }, `/eep/gates/${did}`],
  ['get_account', {}, '/auth/me'],
  ['list_notifications', {}, '/notifications'],
  ['list_conversations', { profile: shop.profileId }, '/messages/conversations'],
  ['list_sales', { profile_id: shop.profileId }, `/eep/payment/sales?profile_id=${shop.profileId}`],
  ['get_analytics', { id: shop.profileId }, `/analytics/profiles/${shop.profileId}`],
  ['list_memory_sessions', { profile_id: shop.profileId }, `/memory/sessions?profile_id=${shop.profileId}`],
  ['list_negotiations', {}, '/eep/commerce/negotiations'],
]

describe.each(Object.entries(CALLERS))('for %s', (_name, headers) => {
  const mcp = mcpClient(app, headers)

  it.each(TOOLS)('%s %j equals its route', async (name, args, path) => {
    const own = 'profile' in args ? { 'x-active-profile-id': String(args.profile) } : {}
    const route = await client(app).get(path, { ...headers, ...own, accept: 'application/json' })
    const response = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    if (response.statusCode === 401) {
      expect(route.statusCode).toBe(401)
      return
    }
    const { result } = response.json()
    if (route.statusCode < 300) expect(result.structuredContent).toEqual(route.json())
    else expect(JSON.parse(result.content[0].text).error.code).toBe(route.json().error.code)
  })

  it('answers every tool in the form of its output schema', async () => {
    const { tools } = await mcp.list()
    const ajv = new Ajv2020({ strict: false })
    for (const [name, args] of TOOLS) {
      const tool = tools.find((each) => each.name === name)
      if (!tool?.outputSchema) continue
      const response = await mcp.post({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      })
      const { structuredContent } = response.json().result ?? {}
      if (structuredContent)
        expect([name, ajv.validate(tool.outputSchema, structuredContent), ajv.errorsText()]).toEqual([
          name,
          true,
          'No errors',
        ])
    }
  })
})

describe('declarations', () => {
  it('have short descriptions, object schemas that compile, and hints', async () => {
    const { tools } = await mcpClient(app, CALLERS['a key of the owner'] ?? {}).list()
    const ajv = new Ajv2020({ strict: false })
    expect(tools.length).toBeGreaterThan(25)
    for (const { name, description, inputSchema, outputSchema } of tools) {
      expect([name, description.length <= 300]).toEqual([name, true])
      expect(inputSchema).toMatchObject({ type: 'object' })
      ajv.compile(inputSchema)
      if (outputSchema) {
        expect(outputSchema).toMatchObject({ type: 'object' })
        ajv.compile(outputSchema)
      }
    }
  })
})
