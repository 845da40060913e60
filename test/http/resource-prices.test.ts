import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createCashApp, openShop, shopGate } from '../support/shop.ts'
import { join } from '../support/teams.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let count = 0

beforeAll(async () => {
  test = await createCashApp()
})
afterAll(() => test.close())

const PRICE = { amount: 0.5, currency: 'usdc', per: 'once' }
const OPEN = { default_tier: 'public', tiers: { public: { requirements: [], access: ['*'] } } }

/** A shop whose pages are open until they get a price. */
async function openPages() {
  const shop = await openShop(test.app, `priced-${++count}`)
  const gate = `/eep/gates/${shop.did}`
  expect((await shop.put(gate, OPEN)).statusCode).toBe(200)
  const urlOf = (resource: string) => `/manage/prices/${resource}?profile_id=${shop.profileId}`
  return { shop, gate, engines: urlOf('content.notes.engines'), looms: urlOf('content.notes.looms') }
}

const tiersAt = async ({ get }: Pick<Person, 'get'>, gate: string) => (await get(gate)).json().tiers

it('sells one page, and opens it again without its price', async () => {
  const { shop, gate, engines } = await openPages()
  const set = await shop.put(engines, { ...PRICE, label: 'Engines' })
  expect([set.statusCode, set.json()]).toEqual([
    200,
    {
      resource: 'content.notes.engines',
      tier: 'price_content_notes_engines',
      price: { ...PRICE, label: 'Engines' },
      other_tiers: [],
    },
  ])
  expect((await client(test.app).get(shop.paid)).statusCode).toBe(402)
  expect((await client(test.app).get(shop.other)).statusCode).toBe(200)
  const read = await shop.get(engines)
  expect([read.json(), read.headers.etag]).toEqual([set.json(), set.headers.etag])
  expect(read.headers.etag).toBe((await shop.get(gate)).headers.etag)

  const removed = await shop.delete(engines)
  expect([removed.statusCode, removed.json().price]).toEqual([200, null])
  expect((await client(test.app).get(shop.paid)).statusCode).toBe(200)
  expect(await tiersAt(shop, gate)).toEqual(OPEN.tiers)
  expect(codeOf(await shop.delete(engines))).toBe('price_not_found')
})

it('keeps both of two prices that are set concurrently', async () => {
  const { shop, gate, engines, looms } = await openPages()
  const answers = await Promise.all([shop.put(engines, PRICE), shop.put(looms, PRICE)])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(Object.keys(await tiersAt(shop, gate)).sort()).toEqual([
    'price_content_notes_engines',
    'price_content_notes_looms',
    'public',
  ])
})

it('refuses a price by an old state of the gate', async () => {
  const { shop, engines, looms } = await openPages()
  const { etag = '' } = (await shop.get(engines)).headers
  expect((await shop.put(looms, PRICE, { 'if-match': etag })).statusCode).toBe(200)
  for (const stale of [
    await shop.put(engines, PRICE, { 'if-match': etag }),
    await shop.delete(looms, { 'if-match': etag }),
  ])
    expect([stale.statusCode, codeOf(stale)]).toEqual([412, 'gate_version_mismatch'])
})

it('leaves what a tier of several resources sells to that tier', async () => {
  const { shop, gate, engines } = await openPages()
  await shop.put(gate, shopGate())
  const refused = await shop.put(engines, PRICE)
  expect([refused.statusCode, codeOf(refused), refused.json().error.details]).toEqual([
    409,
    'tier_in_use',
    { tiers: ['reader'] },
  ])
  expect((await shop.get(engines)).json()).toMatchObject({ price: null, tier: null, other_tiers: ['reader'] })
})

it('refuses a price that no payment method takes, unless it is allowed', async () => {
  const { shop, engines } = await openPages()
  const odd = { ...PRICE, currency: 'jpy' }
  const refused = await shop.put(engines, odd)
  expect([refused.statusCode, codeOf(refused)]).toEqual([422, 'price_not_payable'])
  expect((await shop.put(engines, { ...odd, allow: 'unpayable' })).statusCode).toBe(200)
})

it('takes one resource, in any spelling, from those who may edit the gate', async () => {
  const { shop, engines } = await openPages()
  const written = `/manage/prices/content.notes.my-page?profile_id=${shop.profileId}`
  expect((await shop.put(written, PRICE)).json().resource).toBe('content.notes.my_page')
  for (const wrong of ['content.*', '*', 'Content']) {
    const answer = await shop.put(`/manage/prices/${wrong}?profile_id=${shop.profileId}`, PRICE)
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'validation_failed'])
  }
  const editor = await signUp(test.app)
  await join({ owner: shop, id: shop.profileId, team: `/profiles/${shop.profileId}/team` }, editor, 'editor')
  for (const answer of [await editor.get(engines), await editor.put(engines, PRICE), await editor.delete(engines)])
    expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'not_profile_owner'])
})

it('names the page, and not its tier, to people and in documents when the price has no label', async () => {
  const { shop, engines } = await openPages()
  expect((await shop.put(engines, PRICE)).statusCode).toBe(200)
  const page = await client(test.app).get(shop.paid, { accept: 'text/html' })
  expect([page.statusCode, /<h3><bdi>([^<]*)</.exec(page.body)?.[1]]).toEqual([402, 'Engines'])
  for (const accept of ['text/html', 'text/markdown']) {
    const { body } = await client(test.app).get(shop.profile, { accept })
    expect([accept, body.includes('engines'), body.includes('price_content_notes_engines:')]).toEqual([
      accept,
      true,
      false,
    ])
    expect(body).not.toContain('<bdi>price_')
  }
})
