import { createEep, type EepOptions } from '@eep/core'
import { everything } from '@eep/core/everything'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, makeAdministrator, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET, type TestApp, type TestStorage } from '../support/app.ts'
import { client, type Headers } from '../support/client.ts'
import { createCashApp, openShop } from '../support/shop.ts'

/** Every scope of the contract, also of features that this service does not have. */
const SCOPES = [
  ...['profiles', 'content', 'files', 'feed', 'messages', 'connections', 'notifications', 'subscriptions'],
  ...['gates', 'services', 'memory', 'workspaces', 'events', 'analytics', 'payments', 'reviews'],
].flatMap((name) => [`read:${name}`, `write:${name}`])
const ALL_SCOPES = [...SCOPES, 'commerce:negotiate', 'manage:keys']

interface Operation {
  readonly 'x-auth': string
  readonly 'x-scope'?: string
  readonly 'x-unavailable'?: boolean
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: { type?: string } }[]
}
interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly operation: Operation
}

async function readRoutes(app: TestApp): Promise<readonly Route[]> {
  const { paths } = (await client(app).get('/docs/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>
  }>()
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase() as Route['method'],
      path,
      operation,
    })),
  )
}

const described = new WeakMap<TestApp, Promise<readonly Route[]>>()

/** The routes of a service, which are read once. */
function routesOf(app: TestApp): Promise<readonly Route[]> {
  const routes = described.get(app) ?? readRoutes(app)
  described.set(app, routes)
  return routes
}

/** Modules that bring scopes, limits or events, and may be off. Those of a set share no scope, limit or event. */
const OFF: readonly (readonly string[])[] = [
  [],
  ['api-keys', 'reactions'],
  ['feed', 'listings', 'wallets'],
  ['commerce', 'files', 'webhooks'],
  ['messages', 'search'],
  ['notifications', 'signals'],
]

/** Those that belong to the base. */
const BASE = ['api-keys', 'wallets']

/** The service as it is without some modules, or whole. */
interface Configured {
  readonly off: string
  readonly app: TestApp
}

let database: TestStorage
let services: readonly Configured[]
const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  database = await openStorage()
  services = await Promise.all(
    OFF.map(async (names) => {
      const left = leaveOut(names, database.storage)
      const withSearch = left.features.search !== false
      const { app, close } = await createTestApp({
        storage: database.storage,
        ...left.features,
        without: left.without,
        withSearch,
      })
      closers.push(close)
      return { off: names.join() || 'nothing', app }
    }),
  )
})
afterAll(async () => {
  await Promise.all(closers.map((close) => close()))
  await database.close()
})

const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The options without modules, and without those that require them. */
function leaveOut(names: readonly string[], storage: TestStorage['storage']) {
  const off = new Set(names)
  for (;;) {
    const without = [...off].filter((name) => BASE.includes(name)) as NonNullable<EepOptions['without']>
    const features = Object.fromEntries([...off].map((name) => [camelCase(name), false] as const))
    for (const name of without) delete features[camelCase(name)]
    try {
      createEep({ publicUrl: PUBLIC_URL, secret: SECRET, storage, modules: everything(features), without })
      return { features, without }
    } catch (error) {
      const [dependents] = /^The modules? .+?(?= requires? )/.exec(error instanceof Error ? error.message : '') ?? []
      if (dependents === undefined) throw error
      for (const [, dependent = ''] of dependents.matchAll(/"([^"]+)"/g)) off.add(dependent)
    }
  }
}

/** Calls a function with the service as it is without each set of modules. */
async function inEach(check: (app: TestApp, off: string) => Promise<void>) {
  for (const { app, off } of services) await check(app, off)
}

describe('the descriptions of the service', () => {
  it('list exactly the scopes that open a route, whichever modules are off', async () => {
    let headers: Headers | undefined
    await inEach(async (app, off) => {
      if (off.startsWith('api-keys')) return
      headers ??= (await signUp(app)).headers
      const opening = new Set((await routesOf(app)).flatMap(({ operation }) => operation['x-scope'] ?? []))
      const newKey = (scopes: readonly string[]) => client(app).post('/api-keys', { name: off, scopes }, headers)
      const granted = await newKey(ALL_SCOPES.filter((scope) => opening.has(scope)))
      expect([off, granted.statusCode, granted.body]).toEqual([off, 201, expect.any(String)])
      await client(app).delete(`/api-keys/${granted.json().id}`, headers)
      for (const scope of ALL_SCOPES.filter((each) => !opening.has(each))) {
        expect([off, scope, (await newKey([scope])).statusCode]).toEqual([off, scope, 400])
      }
    })
  })

  it('list exactly the rate limits that apply to available routes, whichever modules are off', async () => {
    /** The groups of the routes of the whole service, which is the first. */
    const groups = new Map<string, string>()
    await inEach(async (app, off) => {
      const { rate_limits } = (await client(app).get('/discover?format=json')).json()
      const counted = new Set<string>()
      for (const { method, path, operation } of await routesOf(app)) {
        // The host has not configured what it would do.
        if (operation['x-unavailable']) continue
        const known = groups.get(`${method} ${path}`)
        if (known && counted.has(known)) continue
        const url = path.replace('{prefix}', 'u').replaceAll(/\{\w+\}/g, '999999999')
        const { headers } = await app.inject({ method, url, ...(method === 'GET' ? {} : { payload: {} }) })
        const group = String(/^"(\w+)"/.exec(String(headers['ratelimit-policy']))?.[1])
        counted.add(group)
        if (off === 'nothing') groups.set(`${method} ${path}`, group)
      }
      counted.delete('exempt')
      const announced = (rate_limits.groups as { group: string }[]).map(({ group }) => group)
      expect([off, announced.toSorted()]).toEqual([off, [...counted].toSorted()])
      const paced = (await client(app).get('/agents.txt')).body.matchAll(/^Limit: .+ \((\w+)\)$/gm)
      expect([off, [...paced].map(([, group]) => group).toSorted()]).toEqual([off, announced.toSorted()])
      expect([off, rate_limits.keys.length]).toEqual([off, off.startsWith('api-keys') ? 0 : 3])
    })
  })

  it('describe every announced event type, and name only routes that exist', async () => {
    await inEach(async (app, off) => {
      const manifest = (await client(app).get('/.well-known/eep.json')).json()
      const types = ((manifest.event_types ?? []) as { type: string }[]).map(({ type }) => type)
      const listed = await client(app).get('/eep/events/types')
      expect([off, types]).toEqual([
        off,
        listed.statusCode === 404 ? [] : listed.json().items.map((each: { type: string }) => each.type),
      ])
      for (const type of types) expect((await client(app).get(`/eep/events/types/${type}`)).statusCode, type).toBe(200)
      const paths = new Set((await routesOf(app)).map(({ method, path }) => `${method} ${path}`))
      const { features } = (await client(app).get('/discover?format=json')).json()
      const named = (features as { routes: { route: string }[] }[]).flatMap(({ routes }) => routes)
      expect(named.filter(({ route }) => !paths.has(route))).toEqual([])
    })
  })
})

describe('numeric ids in paths', () => {
  it('returns 404 on every route for an id that is not in decimal digits', async () => {
    const shop = await createCashApp({ withSearch: true })
    const { headers, profileId } = await openShop(shop.app, 'ada')
    const chief = await signUp(shop.app, 'chief')
    await makeAdministrator(shop, chief)
    const wrong: string[] = []
    let tried = 0
    const spellings = [`${profileId}%20`, '0x21', '1e1', '1.0', '+1', '-1']
    for (const { method, path, operation } of await routesOf(shop.app)) {
      const numeric = operation.parameters.filter((each) => each.in === 'path' && each.schema.type === 'integer')
      for (const { name } of numeric) {
        for (const id of [0, 1].map((more) => String(spellings[(2 * tried + more) % spellings.length]))) {
          const url = path
            .replace(`{${name}}`, id)
            .replace('{prefix}', 'u')
            .replace('{username}', 'ada')
            .replaceAll(/\{\w+\}/g, String(profileId))
          const answer = await shop.app.inject({
            method,
            url,
            // Forms are accepted only from pages of the service.
            headers: { ...(operation['x-auth'] === 'admin' ? chief.headers : headers), origin: PUBLIC_URL },
            ...(method === 'GET' ? {} : { payload: {} }),
          })
          if (answer.statusCode !== 404) wrong.push(`${method} ${url}: ${answer.statusCode} ${codeOf(answer)}`)
        }
        tried++
      }
    }
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(50)
    await shop.close()
  })
})
