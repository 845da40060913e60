import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { createCardApp } from '../support/cards.ts'
import { client } from '../support/client.ts'
import { openShop, type Shop } from '../support/shop.ts'

// A browser that pays with the HTML form does not pay twice for the same.

const ROOT = '/eep/payment/stripe'
const OWN = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', origin: PUBLIC_URL }

type Jar = Record<string, string>
let test: Awaited<ReturnType<typeof createCardApp>>
let shop: Shop
let other: Shop
beforeAll(async () => {
  test = await createCardApp({ payments: { payerProof: 'signed' } })
  shop = await openShop(test.app, 'twice-seller', { amount: 5, currency: 'eur' })
  other = await openShop(test.app, 'twice-other', { amount: 5, currency: 'eur' })
})
afterAll(() => test.close())

let keys = 0
const newKey = () => `a-key-of-a-page-${++keys}`

/** Submits the HTML form. The cookies of the response are added to the jar. */
async function send(jar: Jar, { did }: Shop, key: string, headers: Jar = {}) {
  const payload = new URLSearchParams({ did, resource: 'content.notes.engines', tier: 'reader', key }).toString()
  const answer = await test.app.inject({
    method: 'POST',
    url: `${ROOT}/checkout-form`,
    payload,
    headers: { ...OWN, ...headers },
    cookies: jar,
  })
  for (const { name, value } of answer.cookies) jar[name] = decodeURIComponent(value)
  const id = /\/c\/pay\/([\w-]+)/.exec(`${answer.headers.location} ${answer.body}`)?.[1]
  return { status: answer.statusCode, location: answer.headers.location, id: id ?? '' }
}
const opened = () => test.stripe.calls.filter((call) => call === 'POST /v1/checkout/sessions').length
const backTo = (id: string) => `${PUBLIC_URL}${ROOT}/checkout-human/${id}`
const settle = (id: string) => client(test.app).get(`${ROOT}/checkout-human/${id}`)

describe('a browser that submits a checkout form again', () => {
  it('is led to the page that it paid, although it opened pages for others since', async () => {
    const jar: Jar = {}
    const first = await send(jar, shop, newKey())
    await send(jar, other, newKey())
    test.stripe.completeCheckout(first.id)
    await settle(first.id)
    const before = opened()
    expect(await send(jar, shop, newKey())).toMatchObject({ status: 303, location: backTo(first.id) })
    expect(opened()).toBe(before)
  })

  it('is led to the page that it paid, although it opened it together with another one', async () => {
    const jar: Jar = {}
    const sent = await Promise.all([send(jar, shop, newKey()), send(jar, other, newKey())])
    for (const [index, sold] of [shop, other].entries()) {
      const id = sent[index]?.id ?? ''
      test.stripe.completeCheckout(id)
      await settle(id)
      expect(await send(jar, sold, newKey())).toMatchObject({ status: 303, location: backTo(id) })
    }
  })

  it('can pay one page only, although it opened two for the same concurrently before it had a cookie', async () => {
    const jar: Jar = {}
    const sent = await Promise.all([send(jar, shop, newKey()), send(jar, shop, newKey())])
    const { id } = await send(jar, shop, newKey())
    const others = sent.filter((one) => one.id !== id)
    expect(others.length).toBeGreaterThan(0)
    for (const one of others) expect(() => test.stripe.completeCheckout(one.id)).toThrow('not open')
    test.stripe.completeCheckout(id)
  })

  it('keeps the cookies of its latest 8 checkouts', async () => {
    const shops = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        openShop(test.app, `twice-many-${index}`, { amount: 5, currency: 'eur' }),
      ),
    )
    const jar: Jar = {}
    const ids: string[] = []
    for (const sold of shops) ids.push((await send(jar, sold, newKey())).id)
    const kept = Object.entries(jar).filter(([name, value]) => name.startsWith('__Host-eep_checkout_') && value !== '')
    expect(kept.map(([, value]) => value.split('.').at(-1)).sort()).toEqual(ids.slice(1).sort())
  })

  it('gets a new page after a sign-in, and the one from before cannot be paid', async () => {
    const { headers } = await signUp(test.app, 'twice-signs-in')
    const jar: Jar = {}
    const first = await send(jar, shop, newKey())
    const second = await send(jar, shop, newKey(), headers)
    expect([second.status, second.id === first.id]).toEqual([303, false])
    expect(() => test.stripe.completeCheckout(first.id)).toThrow('not open')
    test.stripe.completeCheckout(second.id)
  })

  it('is led to the page that it paid before a sign-in', async () => {
    const { headers } = await signUp(test.app, 'twice-paid-before')
    const jar: Jar = {}
    const first = await send(jar, shop, newKey())
    test.stripe.completeCheckout(first.id)
    expect(await send(jar, shop, newKey(), headers)).toMatchObject({ status: 303, location: backTo(first.id) })
  })

  it('gets no new page after a sign-in while the one from before cannot be expired', async () => {
    const { headers } = await signUp(test.app, 'twice-stuck')
    const jar: Jar = {}
    const first = await send(jar, shop, newKey())
    test.stripe.failNext(/POST .*expire$/, 'error_before')
    const before = opened()
    expect((await send(jar, shop, newKey(), headers)).status).toBe(503)
    expect(opened()).toBe(before)
    expect((await send(jar, shop, newKey())).id).toBe(first.id)
  })

  it('reads what it bought first, after it bought something else with another card', async () => {
    const jar: Jar = {}
    for (const sold of [shop, other]) {
      const { id } = await send(jar, sold, newKey())
      test.stripe.completeCheckout(id)
      const back = await test.app.inject({ url: `${ROOT}/checkout-human/${id}`, cookies: jar })
      for (const { name, value } of back.cookies) jar[name] = decodeURIComponent(value)
    }
    for (const { paid } of [shop, other])
      expect((await test.app.inject({ url: paid, cookies: jar })).statusCode).toBe(200)
  })

  it('buys again after a refund', async () => {
    const jar: Jar = {}
    const first = await send(jar, shop, newKey())
    test.stripe.completeCheckout(first.id)
    await settle(first.id)
    const payment = await test.storage.read.payments.get({ rail: 'stripe-mpp', credentialId: first.id })
    const refund = await client(test.app).post(`/eep/payment/receipts/${payment?.receiptId}/refund`, {}, shop.headers)
    expect(refund.statusCode, refund.body).toBeLessThan(300)
    const again = await send(jar, shop, newKey())
    expect([again.status, again.id === first.id, /^cs_/.test(again.id)]).toEqual([303, false, true])
  })
})
