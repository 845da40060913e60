import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createCardApp } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { cookieOf, openShop, type Shop, shopGate } from '../../support/shop.ts'

// A buyer has one open page for a tier, so that no buyer pays twice for the same.

let test: Awaited<ReturnType<typeof createCardApp>>
let shop: Shop
const ROOT = '/eep/payment/stripe'
const [NOTES, LOOMS] = ['content.notes.engines', 'content.notes.looms']

beforeAll(async () => {
  test = await createCardApp({ payments: { payerProof: 'signed' } }, { timeoutMs: 10_000 })
  shop = await openShop(test.app, 'tab-seller', { amount: 5, currency: 'eur' })
})
afterAll(() => test.close())

type Headers = Record<string, string>
interface Page {
  readonly checkout_url: string
  readonly checkout_id: string
  readonly expires_at: string
}

const ask = (headers: Headers, more: object = {}) =>
  client(test.app).post(`${ROOT}/checkout-human`, { did: shop.did, resource: NOTES, ...more }, headers)

async function openPage(headers: Headers, more: object = {}): Promise<Page> {
  const response = await ask(headers, more)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

const countOf = (call: RegExp) => test.stripe.calls.filter((one) => call.test(one)).length
const opened = () => countOf(/^POST \/v1\/checkout\/sessions$/) - countOf(/^POST .*\/expire$/)
const comeBack = (id: string) => client(test.app).get(`${ROOT}/checkout-human/${id}`)
const buyer = async (name: string): Promise<Headers> => (await signUp(test.app, name)).headers

describe('a page that is asked for again', () => {
  it('returns the open checkout page, also under concurrent requests', async () => {
    const headers = await buyer('tab-twice')
    const before = opened()
    const pages = await Promise.all(Array.from({ length: 4 }, () => openPage(headers)))
    pages.push(await openPage(headers))
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
    expect(opened() - before).toBe(1)
    expect((await openPage(await buyer('tab-other'))).checkout_id).not.toBe(pages[0]?.checkout_id)
  })

  it.each([
    ['another page of the tier', { resource: LOOMS }],
    ['another way back', { success_url: '/thanks' }],
  ])('replaces and expires the earlier checkout page for %s', async (what, more) => {
    const headers = await buyer(`tab-${what.split(' ').at(1)}-${what.length}`)
    const first = await openPage(headers)
    const second = await openPage(headers, more)
    expect(second.checkout_id).not.toBe(first.checkout_id)
    expect(() => test.stripe.completeCheckout(first.checkout_id)).toThrow('not open')
    expect((await comeBack(first.checkout_id)).headers.location).toBe(`https://profiles.example${shop.paid}`)
    test.stripe.completeCheckout(second.checkout_id)
    expect(cookieOf(await comeBack(second.checkout_id), 'eep_payer')).toBeDefined()
  })

  it('uses the current price', async () => {
    const dear = await openShop(test.app, 'tab-dear', { amount: 5, currency: 'eur' })
    const headers = await buyer('tab-price')
    const first = await openPage(headers, { did: dear.did })
    const gate = `/eep/gates/${dear.did.replaceAll('%', '%25')}`
    const payload = shopGate({ amount: 6, currency: 'eur' })
    await dear.put(gate, payload)
    const second = await openPage(headers, { did: dear.did })
    expect(second.checkout_id).not.toBe(first.checkout_id)
    expect(() => test.stripe.completeCheckout(first.checkout_id)).toThrow('not open')
  })

  it('grants a paid checkout page without a message when it is requested again', async () => {
    for (const more of [{}, { resource: LOOMS }]) {
      const headers = await buyer(`tab-paid-${Object.keys(more).length}`)
      const { checkout_id: id } = await openPage(headers)
      test.stripe.completeCheckout(id)
      const again = await openPage(headers, more)
      expect([again.checkout_id, again.checkout_url]).toEqual([
        id,
        `https://profiles.example${ROOT}/checkout-human/${id}`,
      ])
      expect(cookieOf(await comeBack(id), 'eep_payer')).toBeDefined()
      expect((await client(test.app).get('/eep/payment/receipts', headers)).json().data).toHaveLength(1)
    }
  })

  it('opens no new checkout page while the earlier one cannot be expired', async () => {
    const headers = await buyer('tab-stuck')
    const first = await openPage(headers)
    test.stripe.failNext(/POST .*expire$/, 'error_before')
    const answer = await ask(headers, { resource: LOOMS })
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'payment_not_taken_now'])
    expect((await openPage(headers)).checkout_id).toBe(first.checkout_id)
    expect((await openPage(headers, { resource: LOOMS })).checkout_id).not.toBe(first.checkout_id)
  })

  it('opens a new checkout page after the earlier one has expired', async () => {
    const headers = await buyer('tab-late')
    const first = await openPage(headers)
    test.stripe.expireCheckout(first.checkout_id)
    expect((await openPage(headers)).checkout_id).not.toBe(first.checkout_id)
  })
})

describe('a page of an unknown buyer', () => {
  it('opens a new checkout page for each request without a payer cookie', async () => {
    const [first, second] = [await openPage({}), await openPage({})]
    expect(second.checkout_id).not.toBe(first.checkout_id)
    test.stripe.completeCheckout(first.checkout_id)
    const back = await comeBack(first.checkout_id)
    const [payer, proof] = ['eep_payer', '__Host-eep_payer_sig'].map((name) => `${name}=${cookieOf(back, name)}`)
    const other = await openShop(test.app, 'tab-other-seller', { amount: 5, currency: 'eur' })
    const page = async (cookie: string) => (await openPage({ cookie }, { did: other.did })).checkout_id
    expect(await page(`${payer}; ${proof}`)).toBe(await page(`${payer}; ${proof}`))
    // A client that only names the wallet of another payer does not get its page.
    expect(await page(`${payer}`)).not.toBe(await page(`${payer}; ${proof}`))
  })

  it('links back to the page for sale when the service is below a prefix', async () => {
    const below = await createCardApp({ publicUrl: 'https://profiles.example/eep' })
    const gateway = Fastify()
    await gateway.register(below.eep.http, { prefix: '/eep' })
    const { did, paid } = await openShop(below.app, 'tab-below', { amount: 5, currency: 'eur' })
    const wanted = { did, resource: NOTES }
    const { checkout_id: id } = (await client(gateway).post(`/eep${ROOT}/checkout-human`, wanted)).json<Page>()
    const page = await client(gateway).get(`/eep${ROOT}/checkout-human/${id}`, { accept: 'text/html' })
    expect(page.body).toContain(`href="/eep${paid}"`)
    expect(page.body).not.toContain(`/eep/eep${paid}`)
    const cancelled = await client(gateway).get(`/eep${ROOT}/checkout-cancelled?page=${encodeURIComponent(paid)}`)
    expect(cancelled.body).toContain(`href="/eep${paid}"`)
    await gateway.close()
    await below.close()
  })
})

describe('a browser that has the payer cookie of another purchase', () => {
  const html = { accept: 'text/html' }
  const pathOf = (id: string) => `${ROOT}/checkout-human/${id}`
  const cookiesOf = ({ cookies }: Awaited<ReturnType<typeof comeBack>>) =>
    cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')

  /** The cookies of a browser that bought something without an account. */
  async function guest(): Promise<string> {
    const { checkout_id: id } = await openPage({})
    test.stripe.completeCheckout(id)
    return cookiesOf(await comeBack(id))
  }

  /** A checkout that was opened and paid elsewhere. */
  async function paidElsewhere(): Promise<string> {
    const { checkout_id: id } = await openPage({}, { resource: LOOMS })
    test.stripe.completeCheckout(id)
    return id
  }

  /** Submits the HTML form in a browser with these cookies. */
  const submit = (cookie: string, path: string, headers: Headers = { origin: 'https://profiles.example' }) =>
    client(test.app).post(path, '', {
      ...html,
      'content-type': 'application/x-www-form-urlencoded',
      cookie,
      ...headers,
    })

  it('is kept when a link leads to a purchase made elsewhere, and a form is shown', async () => {
    const [cookie, id] = [await guest(), await paidElsewhere()]
    for (const url of [pathOf(id), `${pathOf(id)}?format=json`]) {
      const page = await client(test.app).get(url, { ...html, cookie })
      expect([page.statusCode, page.cookies], url).toEqual([200, []])
      expect(page.headers).not.toHaveProperty('x-eep-payer-wallet')
      expect(page.body).toContain(`<form method="post" action="${pathOf(id)}">`)
      expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    }
  })

  it('is kept when another site sends the form', async () => {
    const [cookie, id] = [await guest(), await paidElsewhere()]
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, {}] as Headers[]) {
      const refused = await submit(cookie, pathOf(id), headers)
      expect([refused.statusCode, refused.cookies]).toEqual([403, []])
    }
  })

  it('is replaced when the visitor submits the form', async () => {
    const [cookie, id] = [await guest(), await paidElsewhere()]
    const opened = await submit(cookie, pathOf(id))
    expect([opened.statusCode, opened.headers.location]).toEqual([303, `https://profiles.example${shop.other}`])
    expect((await client(test.app).get(shop.other, { cookie: cookiesOf(opened) })).statusCode).toBe(200)
  })

  it('is kept when the form names a checkout that is unknown or unpaid', async () => {
    const cookie = await guest()
    expect((await submit(cookie, pathOf('cs_unknown'))).statusCode).toBe(404)
    const { checkout_id: unpaid } = await openPage({})
    const refused = await submit(cookie, pathOf(unpaid))
    expect([refused.statusCode, refused.headers.location, refused.cookies]).toEqual([
      303,
      `https://profiles.example${pathOf(unpaid)}`,
      [],
    ])
  })

  it('is replaced without a form when the browser opened the checkout itself', async () => {
    const cookie = await guest()
    const next = await openShop(test.app, 'tab-next', { amount: 5, currency: 'eur' })
    const response = await ask({ cookie }, { did: next.did })
    const { checkout_id: id } = response.json<Page>()
    test.stripe.completeCheckout(id)
    const back = await client(test.app).get(pathOf(id), { ...html, cookie: `${cookie}; ${cookiesOf(response)}` })
    expect([back.statusCode, back.headers.location]).toEqual([303, `https://profiles.example${next.paid}`])
    expect(cookieOf(back, 'eep_payer')).toBeDefined()
  })
})
