import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_URL } from '../support/app.ts'
import { createCardApp } from '../support/cards.ts'
import { client } from '../support/client.ts'
import { openShop, type Shop } from '../support/shop.ts'

const FORM = 'application/x-www-form-urlencoded'
const OWN = { 'content-type': FORM, accept: 'text/html', origin: PUBLIC_URL }
const KEY = 'a-key-of-the-page'

let test: Awaited<ReturnType<typeof createCardApp>>
let shop: Shop
beforeAll(async () => {
  test = await createCardApp({}, { checkoutOrigins: ['https://pay.example'] })
  shop = await openShop(test.app, 'form-seller', { amount: 5, currency: 'eur' })
})
afterAll(() => test.close())

const fields = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    did: shop.did,
    resource: 'content.notes.engines',
    tier: 'reader',
    key: KEY,
    ...more,
  }).toString()
const send = (body: string, headers: Record<string, string> = OWN) =>
  client(test.app).post('/eep/payment/stripe/checkout-form', body, headers)

describe('the form that opens a checkout page', () => {
  it.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['without an origin', {}],
    ['from a page without an origin', { origin: 'null' }],
    ['from another site, as browsers say it', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused %s', async (_, headers: Record<string, string>) => {
    const answer = await send(fields(), { 'content-type': FORM, accept: 'text/html', ...headers })
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['without a key', 'key', ''],
    ['with a key of another form', 'key', 'short'],
    ['with an unknown member', 'more', '1'],
    ['with a tier of a wrong form', 'tier', 'No Tier'],
    ['with a long resource', 'resource', 'x'.repeat(1_025)],
  ])('returns 400 %s', async (_, name, value) => {
    expect((await send(fields({ [name]: value }))).statusCode).toBe(400)
  })

  it('returns 404 for a page that does not exist, and 400 for a tier that is not sold', async () => {
    expect((await send(fields({ resource: 'content.notes.nowhere' }))).statusCode).toBe(404)
    expect((await send(fields({ tier: 'unknown' }))).statusCode).toBe(400)
  })

  it('shows a link when the processor leads to an origin that it did not name', async () => {
    const answer = await send(fields())
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain(`href="${test.stripe.url}/c/pay/`)
    expect(answer.headers['cache-control']).toBe('private, no-store')
  })

  it('leads to the page itself when it is open to the visitor already', async () => {
    const answer = await send(fields(), { ...OWN, ...shop.headers })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, shop.paid])
  })

  it('states that nothing was charged when the processor cannot be reached', async () => {
    test.stripe.failNext(/POST .*sessions$/, 'error_before')
    const answer = await send(fields({ key: 'another-key-of-a-page' }))
    expect(answer.statusCode).toBe(503)
    expect(answer.body).toContain('Nothing was charged')
  })

  it('ignores a cookie of another form', async () => {
    for (const value of ['%00', 'a.b', `${KEY}.x.cs_nobody`, `${KEY}.1.cs_nobody`]) {
      const cookie = `__Host-eep_checkout_a=${value}`
      expect((await send(fields(), { ...OWN, cookie })).statusCode, cookie).toBe(200)
    }
  })
})

describe('the page of a cancelled checkout', () => {
  const cancelled = (query: string) =>
    client(test.app).get(`/eep/payment/stripe/checkout-cancelled${query}`, { accept: 'text/html' })

  it('links back to a page of this service only', async () => {
    expect((await cancelled('?page=/u/form-seller')).body).toContain('href="/u/form-seller"')
    for (const page of [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'https://evil.example',
      'javascript:alert(1)',
    ]) {
      expect((await cancelled(`?page=${encodeURIComponent(page)}`)).statusCode, page).toBe(400)
    }
    expect((await cancelled('')).statusCode).toBe(200)
  })
})

describe('the 402 page', () => {
  it('allows forms to lead to the origins of the processor, and no script', async () => {
    const { headers, body } = await client(test.app).get(shop.paid, { accept: 'text/html' })
    expect(headers['content-security-policy']).toContain("form-action 'self' https://pay.example;")
    expect(body).not.toMatch(/<script(?! type="application\/ld\+json")/)
  })
})
