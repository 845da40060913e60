import type { OptionalGroup, Storage } from '@eep/core/ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createCashApp } from '../support/shop.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

type Headers = Readonly<Record<string, string>>

/** How often the document of a page reads the gate, before the paywall reads the one that decides. */
const READS_OF_DOCUMENT = 1

/** A storage whose read of a gate that decides about a page is held after the gate was read. */
function holdingGates(storage: Storage<OptionalGroup>) {
  let next: { readonly reached: () => void; readonly released: Promise<void> } | undefined
  let skipped = 0
  const { gates } = storage.read
  const get: typeof gates.get = async (...args) => {
    const isOfDocument = next !== undefined && skipped++ < READS_OF_DOCUMENT
    const held = isOfDocument ? undefined : next
    if (held) next = undefined
    const found = await gates.get(...args)
    held?.reached()
    await held?.released
    return found
  }
  return {
    storage: { ...storage, read: { ...storage.read, gates: { ...gates, get } } },
    /** Holds the read of the gate that decides while something else is done. */
    async holdDuring<Answer>(request: () => Promise<Answer>, meanwhile: () => Promise<unknown>): Promise<Answer> {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      next = { reached: reached.resolve, released: released.promise }
      skipped = 0
      const answer = request()
      await reached.promise
      await meanwhile()
      released.resolve()
      return answer
    },
  }
}

let database: Awaited<ReturnType<typeof openStorage>>
let held: ReturnType<typeof holdingGates>
let cached: Awaited<ReturnType<typeof createCashApp>>
let uncached: Awaited<ReturnType<typeof createCashApp>>
let shop: OwnedProfile
let did: string
let callers: readonly (readonly [who: string, headers: Headers])[]

const TIERS = {
  reader: {
    label: 'Reader',
    requirements: [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }],
    access: ['content.notes.*', 'profile.bio'],
  },
  patron: {
    label: 'Patron',
    requirements: [{ type: 'payment', amount: 1, currency: 'usdc', per: 'day' }],
    access: ['content.vault.*', 'profile.skills'],
  },
}
const GATED = { public: { requirements: [], access: ['profile.*', 'content.*'] }, ...TIERS }
const OPEN = { public: { requirements: [], access: ['profile.*', 'content.*'] } }

const saveGate = async (tiers: object) => {
  const saved = await shop.owner.put(`/eep/gates/${did}`, { default_tier: 'public', tiers })
  expect(saved.statusCode, saved.body).toBe(200)
}

beforeAll(async () => {
  database = await openStorage()
  held = holdingGates(database.storage)
  cached = await createCashApp({ storage: held.storage })
  uncached = await createCashApp({ storage: database.another(), limits: { readCacheEntries: 0 } })
  shop = await newOrganization(cached.app)
  did = cached.app.eep.profiles.didOf({ type: 'organization', username: shop.username })
  const fields = { bio: 'A bio that is sold.', skills: ['a skill that is sold'] }
  expect((await shop.owner.put(shop.path, fields)).statusCode).toBe(200)
  for (const name of ['Notes', 'Vault']) {
    const category = await shop.owner.post('/manage/categories', { profile_id: shop.id, name })
    const page = { profile_id: shop.id, category_id: category.json().id, title: 'Plans', status: 'published' }
    const made = await shop.owner.post('/manage/pages', { ...page, body: `# Plans\n\nThe plans in ${name}.` })
    expect(made.statusCode, made.body).toBe(201)
  }
  await saveGate(GATED)
  const buyerOf = async (tier: string): Promise<Headers> => {
    const payer = { payer_wallet: `wallet:${tier}`, payer_network: 'cash:test' }
    const given = await shop.owner.post('/manage/entitlements', { profile_id: shop.id, tier, ...payer })
    expect(given.statusCode, given.body).toBe(201)
    return { 'x-eep-payer-wallet': payer.payer_wallet, 'x-eep-payer-network': payer.payer_network }
  }
  callers = [
    ['anonymous visitor', {}],
    ['buyer', await buyerOf('reader')],
    ['other buyer', await buyerOf('patron')],
    ['member of the team', (await newMember(cached.app, shop, 'viewer')).headers],
    ['owner', shop.owner.headers],
  ]
})
afterAll(async () => {
  await cached.close()
  await uncached.close()
  await database.close()
})

const FORMATS = ['application/json', 'text/html', 'text/markdown', 'text/toon']
const paths = () => ['', '/content/notes/plans', '/content/vault/plans'].map((path) => `/o/${shop.username}${path}`)

/** What a caller gets: the bytes of what is granted, and the headers for caches. Challenges differ with each request. */
async function read({ app }: typeof cached, url: string, accept: string, headers: Headers) {
  const { statusCode, body, headers: sent } = await client(app).get(url, { ...headers, accept })
  const { etag, vary, 'cache-control': cacheControl } = sent
  return { statusCode, cacheControl, vary, ...(statusCode === 200 && { etag, body }) }
}

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, at) => ordersOf(items.toSpliced(at, 1)).map((others) => [item, ...others]))
}

it('sends each caller the same bytes as without caches, in every order of callers', async () => {
  const alone = new Map<string, Awaited<ReturnType<typeof read>>>()
  for (const url of paths()) {
    for (const accept of FORMATS) {
      for (const [who, headers] of callers) {
        alone.set(`${who} ${accept} ${url}`, await read(uncached, url, accept, headers))
      }
    }
  }
  const statuses = new Set([...alone.values()].map(({ statusCode }) => statusCode))
  expect(statuses, 'some are granted and some are asked to pay').toEqual(new Set([200, 402]))
  const bodies = new Set([...alone.values()].map(({ body }) => body))
  expect(bodies.size, 'callers get different bytes').toBeGreaterThan(FORMATS.length * 4)

  for (const [index, order] of ordersOf(callers).entries()) {
    // Drops what is cached about the profile.
    await saveGate(GATED)
    const accept = FORMATS[index % FORMATS.length] ?? ''
    for (const url of paths()) {
      for (const [who, headers] of order) {
        const names = order.map(([name]) => name).join(', ')
        const expected = alone.get(`${who} ${accept} ${url}`)
        expect(await read(cached, url, accept, headers), `${who} of ${names}: ${accept} ${url}`).toEqual(expected)
      }
    }
  }
})

it.each(FORMATS)('keeps nothing of a read that began before a gate was saved, as %s', async (accept) => {
  await saveGate(OPEN)
  const [url = ''] = paths().slice(1)
  const before = await held.holdDuring(
    () => read(cached, url, accept, {}),
    () => saveGate(GATED),
  )
  expect(before.statusCode, 'the page was open when the read began').toBe(200)
  for (const [who, headers] of [...callers, ...callers.toReversed()]) {
    expect(await read(cached, url, accept, headers), who).toEqual(await read(uncached, url, accept, headers))
  }
})

it('sends signed-in visitors without a role the bytes that anonymous visitors get', async () => {
  await saveGate(OPEN)
  const [profile = ''] = paths()
  const anonymous = await read(cached, profile, 'text/html', {})
  const visitors = [await signUp(cached.app), await signUp(cached.app)]
  for (const visitor of visitors) {
    expect((await read(cached, profile, 'text/html', visitor.headers)).body).toBe(anonymous.body)
  }
})
