import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, PASSWORD, signUp } from '../support/accounts.ts'
import type { TestApp } from '../support/app.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createCashApp, openShop, type Shop } from '../support/shop.ts'

/** Every place where a profile shows, as the OpenAPI document has it: a new one is covered by being there. */
interface Operation {
  readonly 'x-auth': string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
}

const NAME = 'vanishing'
/** Announces that the profile was deleted, so its events are compared one by one. */
const HISTORY = '/eep/events'
const DID = `did:web:profiles.example:u:${NAME}`

let database: Awaited<ReturnType<typeof openStorage>>
let app: TestApp
let elsewhere: TestApp
let shop: Shop
let otherUser: Record<string, string>
let surfaces: string[]
let listings: string[]
const closers: (() => Promise<void>)[] = []

/** What stands for each parameter of a path; `{path}` and `*` are what lies below the content of a profile. */
const VALUES: Readonly<Record<string, string>> = {
  username: NAME,
  slug: NAME,
  prefix: 'u',
  suffix: 'json',
  did: encodeURIComponent(DID),
  path: 'notes/engines',
  '*': 'notes/engines',
}

const filled = (path: string) => path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => VALUES[name] ?? '1')

beforeAll(async () => {
  database = await openStorage()
  const first = await createCashApp({ withSearch: true, storage: database.storage })
  const second = await createTestApp({ storage: database.another() })
  app = first.app
  elsewhere = second.app
  closers.push(second.close, first.close)
  shop = await openShop(app, NAME)
  // The calendar file of an event is on a path of events alone.
  const starts = { starts_at: '2030-01-01T10:00:00Z' }
  await shop.post('/profiles', { profile_type: 'event', username: NAME, type_data: starts })
  otherUser = (await signUp(app)).headers

  const { paths } = (await client(app).get('/docs/openapi.json')).json()
  const reads = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, { get }]) =>
    get ? [{ path, get }] : [],
  )
  surfaces = reads.flatMap(({ path, get }) => {
    // What only its team may ask for is not where it shows.
    if (get['x-auth'] !== 'none') return []
    // Routes of hosts alone have endpoints, and this one has none.
    if (path.endsWith('/endpoints/{resource}')) return []
    if (/\{(username|slug|did)\}/.test(path)) return [filled(path)]
    const asked = get.parameters?.find(({ name, in: place }) => place === 'query' && name === 'did')
    return asked ? [`${filled(path)}?did=${encodeURIComponent(DID)}`] : []
  })
  listings = reads.map(({ path }) => path).filter((path) => !path.includes('{'))
})
afterAll(async () => {
  for (const close of closers) await close()
  await database.close()
})

const answers = async (server: TestApp, headers: Record<string, string> = {}) =>
  Object.fromEntries(
    await Promise.all(surfaces.map(async (url) => [url, (await client(server).get(url, headers)).statusCode] as const)),
  )
const everywhere = (status: number) => Object.fromEntries(surfaces.map((url) => [url, status]))

describe('an account that is about to be deleted', () => {
  it('shows the account everywhere before its deletion', async () => {
    expect(surfaces.length).toBeGreaterThanOrEqual(9)
    for (const server of [app, elsewhere]) {
      // Twice, so that caches are warm.
      for (let round = 0; round < 2; round++) {
        const shown = Object.entries(await answers(server)).filter(([, status]) => status !== 200 && status !== 402)
        expect(shown).toEqual([])
      }
    }
  })

  it('hides an account in deletion from anonymous and signed-in users on every instance', async () => {
    const { statusCode } = await client(app).as(shop).send('DELETE', '/auth/account', { password: PASSWORD })
    expect(statusCode).toBe(200)
    expect(await answers(app)).toEqual(everywhere(404))
    expect(await answers(app, otherUser)).toEqual(everywhere(404))
    const forPayer = { 'x-eep-payer-wallet': `0x${'1'.repeat(40)}`, 'x-eep-payer-network': 'cash:test' }
    expect(await answers(app, forPayer)).toEqual(everywhere(404))
    // Its old token is anonymous: 401 where a session is required, elsewhere 404.
    const forOwner = new Set(Object.values(await answers(app, shop.headers)))
    expect([...forOwner].filter((status) => status !== 404 && status !== 401)).toEqual([])
    await expect.poll(() => answers(elsewhere)).toEqual(everywhere(404))
  })

  it('lists an account in deletion nowhere', async () => {
    const isNamed = (text: string) => text.includes(`/${NAME}`) || text.includes(`"${NAME}"`) || text.includes(DID)
    const naming: string[] = []
    for (const url of listings.filter((each) => each !== HISTORY)) {
      for (const query of ['', `?q=${NAME}`]) {
        const { body } = await client(app).get(`${url}${query}`, otherUser)
        if (isNamed(body)) naming.push(url + query)
      }
    }
    expect(naming).toEqual([])
  })

  it('reports an account in deletion as deleted in the event history, and nowhere else', async () => {
    expect(listings).toContain(HISTORY)
    await expect
      .poll(async () => {
        const response = await client(app).get(`${HISTORY}?limit=1000`, otherUser)
        const { events } = response.json<{ events: readonly { readonly type: string }[] }>()
        return events.filter((event) => JSON.stringify(event).includes(NAME)).map(({ type }) => type)
      })
      // Of the person and of the event.
      .toEqual(['entity.deleted', 'entity.deleted'])
  })

  it('shows the account everywhere again when it signs in', async () => {
    const response = await login(app, `${NAME}@example.com`)
    expect(response.statusCode).toBe(200)
    for (const server of [app, elsewhere]) {
      await expect
        .poll(async () =>
          Object.entries(await answers(server)).filter(([, status]) => status !== 200 && status !== 402),
        )
        .toEqual([])
    }
  })
})
