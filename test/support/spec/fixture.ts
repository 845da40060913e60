import type { OAuthProvider, PaymentRail, Storage, WalletVerifier } from '@eep/core/ports'
import { cashBilling, cashRail, createFakeBilling } from '@eep/core/testing'
import type { HTTPMethods } from 'fastify'
import { expect } from 'vitest'
import { makeAdministrator, signUp } from '../accounts.ts'
import { newKey } from '../api-keys.ts'
import { createTestApp, openStorage, type TestApp } from '../app.ts'
import { client } from '../client.ts'
import { createClock } from '../clock.ts'
import { createMailbox } from '../mailbox.ts'
import { PATIENT } from '../patient-search.ts'
import { openShop, type Shop } from '../shop.ts'
import type { Answer, Headers } from './row.ts'

export const mailbox = createMailbox()
export const time = createClock()
/** Where people subscribe. */
export const fakeBilling = createFakeBilling({ clock: time.clock })
export const CHAIN = 84_532

const github: OAuthProvider = {
  name: 'github',
  start: async ({ state }) => ({ url: `https://github.example/authorize?state=${state}`, memory: {} }),
  finish: async () => ({ subject: '1', email: 'octo@example.com', emailVerified: true, fullName: 'Octo Cat' }),
}
const oidc: OAuthProvider = { ...github, name: 'oidc', start: () => Promise.reject(new Error('on purpose')) }
const wallets: WalletVerifier = { chainIds: [CHAIN], verify: async ({ signature }) => signature === '0x01' }

export interface Operation {
  readonly 'x-auth': string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly responses: Readonly<Record<string, unknown>>
}

interface Fixture {
  /** The service with everything that can be configured. */
  readonly app: TestApp
  /** Another listener of it, where nothing is that can be left out. */
  readonly bare: TestApp
  /** What the owner has. */
  readonly shop: Shop
  readonly openPage: number
  readonly category: number
  /** Who asks. */
  readonly owner: Headers
  readonly ownKey: Headers
  readonly admin: Headers
  readonly otherUser: Headers
  /** What the service publishes about its routes: `GET /discover`. */
  readonly operations: ReadonlyMap<string, Operation>
  setAdmin(accountId: string): Promise<unknown>
  /** While true nothing can be stored. */
  broken: boolean
  /** The offer that the rail returns. */
  offers: 'made' | 'none' | 'failing'
}

/** What all rows share; there from {@link openFixture} on. */
export const fixture = { broken: false, offers: 'made' } as Fixture

const breakable = (storage: Storage): Storage => ({
  ...storage,
  transaction: (work) => (fixture.broken ? Promise.reject(new Error('on purpose')) : storage.transaction(work)),
})

/** A rail that offers only while the fixture allows it. */
const flakyRail = (rail: PaymentRail): PaymentRail => ({
  ...rail,
  async offer(...given) {
    if (fixture.offers === 'failing') throw new Error('on purpose')
    return fixture.offers === 'none' ? undefined : rail.offer(...given)
  },
})

/** The addresses of a described path; those of profiles are one for each prefix. */
const addressesOf = (path: string) =>
  path.startsWith('/{prefix}/') ? Object.values(PREFIXES).map((prefix) => path.replace('{prefix}', prefix)) : [path]

async function readOperations(): Promise<Fixture['operations']> {
  const { paths } = (await get('/docs/openapi.json')).json<{ paths: Record<string, Record<string, Operation>> }>()
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        addressesOf(path).map((address) => [`${method.toUpperCase()} ${address}`, operation] as const),
      ),
    ),
  )
}

/** Opens it; answers how to close it. */
export async function openFixture(): Promise<() => Promise<void>> {
  const database = await openStorage()
  const common = { storage: breakable(database.storage), clock: time.clock, email: { mailer: mailbox.mailer } }
  const rails = [flakyRail(cashRail({ network: `eip155:${CHAIN}` }))]
  const billing = cashBilling({ fakeBilling, id: 'stripe' })
  const made = await createTestApp({
    ...common,
    search: { index: database.storage.search(PATIENT) },
    payments: { rails },
    subscriptions: { billing },
    auth: { walletVerifier: wallets },
    oauth: { providers: [github, oidc] },
  })
  const without = await createTestApp({
    ...common,
    media: { transcriber: undefined },
    textExtraction: { converter: undefined },
  })
  const { app } = made
  Object.assign(fixture, { app, bare: without.app })

  const shop = await openShop(app, 'ada')
  const owner = shop.headers
  const other = await signUp(app, 'other-user')
  const chief = await signUp(app, 'chief')
  await makeAdministrator(database, chief)
  const pages = (await get(`/manage/pages?profile_id=${shop.profileId}`, owner)).json().data
  const categories = (await get(`/manage/categories?profile_id=${shop.profileId}`, owner)).json().data
  Object.assign(fixture, {
    shop,
    owner,
    ownKey: (
      await newKey(app, owner, { scopes: ['manage:keys', 'read:profiles', 'read:payments', 'read:files', 'read:feed'] })
    ).headers,
    admin: chief.headers,
    otherUser: other.headers,
    openPage: pages.find(({ slug }: { slug: string }) => slug === 'welcome').id,
    category: categories[0].id,
    operations: await readOperations(),
    setAdmin: (id: string) => database.storage.transaction((tx) => tx.accounts.save(id, { isAdmin: true })),
  })
  return async () => {
    for (const close of [made.close, without.close, database.close]) await close()
  }
}

export const send = (method: HTTPMethods, url: string, as: Headers = {}, payload?: object, on = fixture.app) =>
  client(on).send(method, url, payload, { ...as })
export const get = (url: string, as?: Headers) => send('GET', url, as)
export const post = (url: string, as?: Headers, payload?: object) => send('POST', url, as, payload)
export const put = (url: string, as?: Headers, payload?: object) => send('PUT', url, as, payload)
export const patch = (url: string, payload?: object, as?: Headers) => send('PATCH', url, as, payload)
export const remove = (url: string, as?: Headers, payload?: object) => send('DELETE', url, as, payload)
export const onBare = (method: HTTPMethods, url: string, as?: Headers, payload?: object) =>
  send(method, url, as, payload, fixture.bare)

/** A new account that a case can change. */
export const newUser = () => signUp(fixture.app)

/** An id that nothing has. */
export const UNKNOWN_ID = '999999999'

export const PREFIXES = {
  person: 'u',
  organization: 'o',
  place: 'l',
  asset: 'a',
  product: 'p',
  knowledge: 'k',
  agent: 'agent',
  event: 'e',
  custom: 'x',
}

/** Checks that the default is Markdown, and JSON and TOON by `format` or `Accept`, of which `format` wins. */
export const negotiates = (url: string) => async (answer: Answer) => {
  const typeOf = ({ headers }: Answer) => String(headers['content-type']).split(';')[0]
  expect(typeOf(answer)).toBe('text/markdown')
  expect(answer.headers.vary).toMatch(/\bAccept\b/)
  const types = { markdown: 'text/markdown', json: 'application/json', toon: 'text/toon' }
  for (const [format, type] of Object.entries(types)) {
    expect(typeOf(await get(`${url}?format=${format}`))).toBe(type)
    expect(typeOf(await get(url, { accept: type }))).toBe(type)
    expect(typeOf(await get(`${url}?format=${format}`, { accept: 'application/json' }))).toBe(type)
  }
}
