import { answerChallenge, type StripeEvent } from '@eep/payments-card/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { keyAgent } from '../../support/agents.ts'
import { challengeIn, createCardApp } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { field, fileOf, upload } from '../../support/files.ts'
import { cookieOf, header, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

// Paying without asking for the page: agents by token, people on a page of Stripe's.

let test: Awaited<ReturnType<typeof createCardApp>>
let shop: Shop
let single: Shop
const NOTES = 'content.notes.engines'
const ROOT = '/eep/payment/stripe'

beforeAll(async () => {
  test = await createCardApp({ frontendUrl: 'https://www.example/shop' })
  shop = await openShop(test.app, 'page-seller', { amount: 5, currency: 'eur' })
  single = await openShop(test.app, 'page-single', { amount: 5, currency: 'eur', per: 'request' })
})
afterAll(() => test.close())

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  client(test.app).post(`${ROOT}${path}`, payload, headers)

async function openPage(more: object = {}, headers?: Record<string, string>) {
  const response = await post('/checkout-human', { did: shop.did, resource: NOTES, ...more }, headers)
  expect(response.statusCode, response.body).toBe(200)
  return response.json() as { checkout_url: string; checkout_id: string; expires_at: string }
}

function tell(event: StripeEvent, delivery?: Parameters<typeof test.stripe.message>[1]) {
  const { body, headers } = test.stripe.message(event, delivery)
  return client(test.app).post(`${ROOT}/webhook`, body, headers)
}

const comeBack = (id: string) => client(test.app).get(`${ROOT}/checkout-human/${id}`)

async function receiptsOf(headers: Record<string, string>) {
  return (await client(test.app).get('/eep/payment/receipts', headers)).json().data
}

describe('a page for people', () => {
  it('opens the bought page to the payer who returns from the checkout page', async () => {
    const { headers } = await signUp(test.app, 'page-buyer')
    const page = await openPage({ success_url: '/thanks?for=paying' }, headers)
    expect(page.checkout_url).toContain(page.checkout_id)
    const event = test.stripe.completeCheckout(page.checkout_id)
    const told = await tell(event)
    expect([told.statusCode, told.json()]).toEqual([200, { received: true, handled: true }])
    expect(await receiptsOf(headers)).toEqual([
      expect.objectContaining({
        rail: 'stripe-mpp',
        resource: NOTES,
        amount: { atomic: '500', decimal: '5.00', asset: 'eur', currency: 'eur' },
      }),
    ])

    const back = await comeBack(page.checkout_id)
    expect([back.statusCode, back.headers.location]).toEqual([303, 'https://profiles.example/thanks?for=paying'])
    const cookie = `eep_payer=${cookieOf(back, 'eep_payer')}`
    const read = await client(test.app).get(shop.paid, { cookie })
    expect(read.statusCode).toBe(200)
    expect(read.body).toContain(SECRET_WORD)
    expect((await client(test.app).get(shop.paid)).statusCode).toBe(402)
  })

  it('needs no message when the payer returns, and accepts a path for the page', async () => {
    const { headers } = await signUp(test.app, 'page-quick')
    const { checkout_id: id } = await openPage({ resource: shop.paid }, headers)
    test.stripe.completeCheckout(id)
    const back = await comeBack(id)
    expect([back.statusCode, back.headers.location]).toEqual([303, `https://profiles.example${shop.paid}`])
    expect(await receiptsOf(headers)).toHaveLength(1)
  })

  it('applies a payment once for repeated and concurrent messages', async () => {
    const { headers } = await signUp(test.app, 'page-often')
    const { checkout_id: id } = await openPage({}, headers)
    const event = test.stripe.completeCheckout(id)
    const answers = await Promise.all([...Array.from({ length: 8 }, () => tell(event)), comeBack(id), comeBack(id)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(8).fill(200), 303, 303])
    expect((await tell(event)).statusCode).toBe(200)
    expect(await receiptsOf(headers)).toHaveLength(1)
  })

  it('applies a payment when its message is repeated after Stripe was unreachable', async () => {
    const { headers } = await signUp(test.app, 'page-healed')
    const { checkout_id: id } = await openPage({}, headers)
    const event = test.stripe.completeCheckout(id)
    test.stripe.failNext(/GET .*sessions/, 'error_before')
    expect((await tell(event)).statusCode).toBe(503)
    expect(await receiptsOf(headers)).toEqual([])
    expect((await tell(event)).json()).toEqual({ received: true, handled: true })
    expect(await receiptsOf(headers)).toHaveLength(1)
  })

  it('finds a payment with the reconciler when there is no message and the payer does not return', async () => {
    const { headers } = await signUp(test.app, 'page-forgotten')
    const { checkout_id: id } = await openPage({}, headers)
    test.stripe.completeCheckout(id)
    expect(await test.eep.paywall.reconcile()).toEqual({ asked: 0, finished: 0 })
    await test.storage.transaction(async (tx) => {
      const payment = await tx.payments.get({ rail: 'stripe-mpp', credentialId: id })
      // As when the page has closed.
      await tx.payments.mark(payment?.id ?? '', 'unknown', 'over')
    })
    expect(await test.eep.paywall.reconcile()).toEqual({ asked: 1, finished: 1 })
    expect(await receiptsOf(headers)).toHaveLength(1)
  })

  it('opens nothing for an unpaid checkout page', async () => {
    const { checkout_id: id } = await openPage()
    expect((await comeBack(id)).statusCode).toBe(503)
    const early = {
      ...test.stripe.event('checkout.session.completed', { id, mode: 'payment', metadata: { eep_checkout: 'true' } }),
    }
    expect((await tell(early)).statusCode).toBe(503)
    expect((await tell(test.stripe.expireCheckout(id))).statusCode).toBe(200)
    const back = await comeBack(id)
    expect([back.statusCode, back.headers.location]).toEqual([303, `https://profiles.example${shop.paid}`])
    expect(cookieOf(back, 'eep_payer')).toBeUndefined()
  })

  it('accepts the site of the frontend as the address to return to', async () => {
    const [success_url, cancel_url] = ['https://www.example/thanks', 'https://www.example/']
    expect((await openPage({ success_url, cancel_url })).checkout_id).toBeDefined()
  })

  it('opens no checkout page for resources that cannot be bought on it', async () => {
    const status = async (more: object, headers?: Record<string, string>) => {
      const response = await post('/checkout-human', { did: shop.did, resource: NOTES, ...more }, headers)
      return [response.statusCode, response.json().error.code]
    }
    expect(await status({ did: single.did })).toEqual([400, 'not_sold_there'])
    expect(await status({ tier: 'unknown' })).toEqual([400, 'not_sold_there'])
    expect(await status({ resource: 'content.notes.nowhere' })).toEqual([404, 'page_not_found'])
    expect(await status({ resource: 'content.welcome' })).toEqual([409, 'nothing_to_pay'])
    expect(await status({ did: 'did:web:profiles.example:u:unknown' })).toEqual([404, 'profile_not_found'])
    expect(await status({}, shop.headers)).toEqual([409, 'nothing_to_pay'])
    expect(await status({ success_url: 'https://elsewhere.example/' })).toEqual([400, 'return_not_allowed'])
    expect(await status({ cancel_url: '//elsewhere.example/' })).toEqual([400, 'return_not_allowed'])
    expect(await status({ success_url: 'javascript:alert(1)' })).toEqual([400, 'return_not_allowed'])
    expect(await status({ more: 1 })).toEqual([400, 'validation_failed'])
    test.stripe.failNext(/POST .*sessions$/, 'error_before')
    expect(await status({})).toEqual([503, 'rail_unavailable'])
    expect((await comeBack('cs_test_unknown')).statusCode).toBe(404)
  })
})

describe('a message', () => {
  it.each([
    ['without a signature', { signature: null }],
    ['with nonsense for a signature', { signature: 't=1,v1=00' }],
    ['signed with another secret', { secret: 'whsec_other' }],
    ['that is old', { timestamp: Math.floor(Date.now() / 1000) - 301 }],
  ])('%s changes nothing', async (_, delivery) => {
    const { headers } = await signUp(test.app, `page-forged-${Math.random().toString(36).slice(2, 8)}`)
    const { checkout_id: id } = await openPage({}, headers)
    const response = await tell(test.stripe.completeCheckout(id), delivery)
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'invalid_message'])
    expect(await receiptsOf(headers)).toEqual([])
  })

  it('accepts and ignores a message about something else', async () => {
    const foreign = { id: 'cs_foreign', mode: 'payment', metadata: {} }
    for (const event of [
      test.stripe.event('customer.created', { id: 'cus_1' }),
      test.stripe.event('checkout.session.completed', foreign),
      test.stripe.event('checkout.session.completed', { ...foreign, metadata: { eep_checkout: 'true' } }),
    ]) {
      const response = await tell(event)
      expect([response.statusCode, response.json()]).toEqual([200, { received: true, handled: false }])
    }
  })

  it('rejects messages without a configured secret', async () => {
    const { stripe, app, close } = await createCardApp({}, { webhookSecret: [] })
    const { body, headers } = stripe.message(stripe.event('customer.created', {}))
    const response = await client(app).post(`${ROOT}/webhook`, body, headers)
    expect(response.statusCode).toBe(400)
    await close()
  })
})

describe('a body that is wrong', () => {
  const good = { did: 'did:web:profiles.example:u:page-seller', resource: NOTES }
  const wrong: readonly (readonly [string, unknown])[] = [
    ['null', 'null'],
    ['a list', '[]'],
    ['no JSON', '{"did":'],
    ['a prototype', `{"did":"${good.did}","resource":"x","__proto__":{"a":1}}`],
    ['without did', { resource: NOTES }],
    ['without resource', { did: good.did }],
    ['did a number', { ...good, did: 7 }],
    ['did too long', { ...good, did: 'x'.repeat(513) }],
    ['resource too long', { ...good, resource: 'x'.repeat(1_025) }],
    ['tier of a wrong form', { ...good, tier: 'No Tier' }],
    ['another requirement', { ...good, requirement_index: 1 }],
    ['an unknown member', { ...good, more: true }],
  ]

  it.each(wrong)('returns 400 at both routes: %s', async (_, payload) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    for (const path of ['/mpp/settle', '/checkout-human']) {
      const headers = { 'content-type': 'application/json' }
      const response = await client(test.app).post(`${ROOT}${path}`, text, headers)
      expect([response.statusCode, path]).toEqual([400, path])
    }
  })

  it.each(['content.notes.my\u0000page', '/u/page-seller/content/../x', 'content.*', ' ', '%2e%2e'])(
    'returns 404 for the page %j',
    async (resource) => {
      const response = await post('/checkout-human', { did: good.did, resource })
      expect([400, 404]).toContain(response.statusCode)
    },
  )
})

describe('a token that is settled apart', () => {
  it('documents the token route in OpenAPI', async () => {
    const { paths } = (await client(test.app).get('/docs/openapi.json')).json()
    expect(paths[`${ROOT}/mpp/settle`].post.operationId).toBe('mppSettle')
    expect(Object.keys(paths[`${ROOT}/checkout-human`].post.responses)).toContain('200')
    expect(Object.keys(paths).filter((path) => path.startsWith(ROOT))).toHaveLength(6)
  })

  const coordinates = () => ({ did: shop.did, resource: NOTES })

  it('pays once with a token, and opens the page to its payer', async () => {
    const { id } = test.stripe.grant({ currency: 'eur' })
    const settled = await post('/mpp/settle', { ...coordinates(), shared_payment_token: id })
    const payer = { wallet: expect.stringMatching(/^card_/), network: 'stripe:test' }
    const paid = { settled: true, amount: 500, currency: 'eur', payer }
    expect([settled.statusCode, settled.json()]).toEqual([200, expect.objectContaining(paid)])
    const { reference, receipt_id: receipt } = settled.json()
    expect([reference, receipt]).toEqual([test.stripe.charges().at(-1)?.id, expect.stringMatching(/^rcpt_/)])
    const headers = {
      'x-eep-payer-wallet': header(settled, 'x-eep-payer-wallet'),
      'x-eep-payer-network': header(settled, 'x-eep-payer-network'),
    }
    expect((await client(test.app).get(shop.paid, headers)).body).toContain(SECRET_WORD)

    const before = test.stripe.charges().length
    const again = await post('/mpp/settle', { ...coordinates(), shared_payment_token: id })
    expect([again.statusCode, again.json().reference]).toEqual([200, reference])
    expect((await client(test.app).get(shop.paid, { authorization: `Payment ${id}` })).statusCode).toBe(200)
    expect(test.stripe.charges().length).toBe(before)
  })

  it('repeats the response to an agent that lost the first one, and accepts no second token', async () => {
    const agent = keyAgent()
    const settle = (token: string) => {
      const body = { ...coordinates(), shared_payment_token: token }
      const headers = agent.sign({ method: 'POST', path: `${ROOT}/mpp/settle`, body: JSON.stringify(body) })
      return post('/mpp/settle', body, headers)
    }
    const { id } = test.stripe.grant({ currency: 'eur' })
    const [first, again] = [await settle(id), await settle(id)]
    expect([first.statusCode, again.statusCode]).toEqual([200, 200])
    expect(again.json()).toEqual(first.json())
    const before = test.stripe.charges().length
    const other = await settle(test.stripe.grant({ currency: 'eur' }).id)
    expect([other.statusCode, other.json().error.code]).toEqual([409, 'nothing_to_pay'])
    expect(test.stripe.charges().length).toBe(before)
  })

  it('accepts a token that answers a challenge', async () => {
    const challenge = challengeIn(await client(test.app).get(shop.paid))
    if (!challenge) throw new Error('no challenge')
    const credential = answerChallenge(test.stripe, challenge).replace('Payment ', '')
    expect((await post('/mpp/settle', { ...coordinates(), credential })).statusCode).toBe(200)
  })

  it('refuses a token for the same reasons as at the page', async () => {
    const { id } = test.stripe.grant({ currency: 'eur', maxAmount: 499 })
    const refused = await post('/mpp/settle', { ...coordinates(), shared_payment_token: id })
    expect([refused.statusCode, refused.json().error.details.reason]).toEqual([402, 'verification_failed'])
    expect(refused.headers['payment-receipt']).toBeUndefined()
    const both = await post('/mpp/settle', { ...coordinates(), shared_payment_token: id, credential: 'e30' })
    const neither = await post('/mpp/settle', coordinates())
    expect([both.statusCode, neither.statusCode]).toEqual([400, 400])
    const forOne = await post('/mpp/settle', { did: single.did, resource: NOTES, shared_payment_token: id })
    expect(forOne.json().error.code).toBe('not_sold_there')
  })
})

describe('a file that is sold', () => {
  it('has a button for cards on its page, opens a checkout by its name, and is named in the list of purchases', async () => {
    const seller = await openShop(test.app, 'file-page-seller', { amount: 9, currency: 'eur' })
    const sent = await upload(
      test.app,
      [field('username', seller.account.username), fileOf('sold words', 'book.txt')],
      seller.headers,
    )
    const { id } = sent.json()
    const resource = `files.f${id}`
    const gate = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        reader: { requirements: [{ type: 'payment', amount: 9, currency: 'eur', per: 'once' }], access: [resource] },
      },
    }
    expect((await seller.put(`/eep/gates/${seller.did.replaceAll('%', '%25')}`, gate)).statusCode).toBe(200)
    const page = await client(test.app).get(`/files/${id}`, { accept: 'text/html' })
    expect(page.statusCode).toBe(402)
    expect(page.body).toContain(`action="${ROOT}/checkout-form"`)
    expect(page.body).toContain(`name="resource" value="${resource}"`)
    expect(page.body).toContain('this file')
    const { headers } = await signUp(test.app, 'file-page-buyer')
    const { checkout_id: checkout } = await openPage({ did: seller.did, resource }, headers)
    test.stripe.completeCheckout(checkout)
    const back = await comeBack(checkout)
    expect([back.statusCode, back.headers.location]).toEqual([303, `https://profiles.example/files/${id}`])
    const shown = await client(test.app).get(`${ROOT}/checkout-human/${checkout}`, { accept: 'text/html' })
    expect([shown.statusCode, shown.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(shown.body).toContain(`<a class="btn" href="/files/${id}" download>Download</a>`)
    expect(shown.body).toContain('Thank you. Your payment was received.')
    const file = await client(test.app).get(`/files/${id}`, headers)
    expect(file.headers['content-disposition']).toContain('book.txt')
    const [receipt] = await receiptsOf(headers)
    expect(receipt).toMatchObject({ resource })
    expect((await client(test.app).get('/purchases', headers)).body).toContain('book.txt')
    const bought = await client(test.app).get(`/files/${id}`, headers)
    expect([bought.statusCode, bought.body]).toEqual([200, 'sold words'])
  })
})

describe('a file of an unlisted profile that is sold', () => {
  let did: string
  let resource: string
  let path: string
  let linkKey: string
  beforeAll(async () => {
    const seller = await openShop(test.app, 'unlisted-file-seller', { amount: 9, currency: 'eur' })
    const parts = [field('username', seller.account.username), fileOf('hidden words', 'book.txt')]
    const { id } = (await upload(test.app, parts, seller.headers)).json()
    did = seller.did
    resource = `files.f${id}`
    const gate = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        reader: { requirements: [{ type: 'payment', amount: 9, currency: 'eur', per: 'once' }], access: [resource] },
      },
    }
    expect((await seller.put(`/eep/gates/${did.replaceAll('%', '%25')}`, gate)).statusCode).toBe(200)
    expect((await seller.put(`/profiles/${seller.profileId}/visibility`, { visibility: 'unlisted' })).statusCode).toBe(
      200,
    )
    const shown = (await client(test.app).get('/u/unlisted-file-seller?format=json')).json()
    path = shown.files[0].url.replace('https://profiles.example', '')
    linkKey = new URL(shown.files[0].url).searchParams.get('key') ?? ''
  })

  it('is sold by card to a buyer who has its address, and opened there afterwards', async () => {
    const { headers } = await signUp(test.app, 'unlisted-file-buyer')
    const { checkout_id: checkout } = await openPage({ did, resource, link_key: linkKey }, headers)
    test.stripe.completeCheckout(checkout)
    const back = await comeBack(checkout)
    expect([back.statusCode, back.headers.location]).toEqual([303, `https://profiles.example${path}`])
    const bought = await client(test.app).get(path, headers)
    expect([bought.statusCode, bought.body]).toEqual([200, 'hidden words'])
    expect((await client(test.app).get('/purchases', { ...headers, accept: 'text/html' })).body).toContain(path)
  })

  it('is sold by the form of its page, whose cancelled checkout leads back to its address', async () => {
    const page = await client(test.app).get(path, { accept: 'text/html' })
    expect(page.statusCode).toBe(402)
    const fields = [...page.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    )
    const sent = await client(test.app).post(`${ROOT}/checkout-form`, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      origin: 'https://profiles.example',
    })
    const checkout = String(sent.headers.location ?? /href="([^"]+\/c\/pay\/[^"]+)"/.exec(sent.body)?.[1])
    const cancel = /href="([^"]+checkout-cancelled[^"]+)"/.exec(await (await fetch(checkout)).text())?.[1] ?? ''
    const cancelled = await client(test.app).get(cancel.replace('https://profiles.example', ''), {
      accept: 'text/html',
    })
    expect(cancelled.body).toContain(`href="${path}"`)
  })

  it.each([
    ['without the key', {}],
    ['with a wrong key', { link_key: 'x'.repeat(22) }],
  ])('is not found %s', async (_, more) => {
    const byCard = await client(test.app).post(`${ROOT}/checkout-human`, { did, resource, ...more })
    expect([byCard.statusCode, byCard.json().error.code]).toEqual([404, 'file_not_found'])
    const fields = { did, resource, tier: 'reader', key: 'a-key-of-the-page', ...more }
    const byForm = await client(test.app).post(`${ROOT}/checkout-form`, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://profiles.example',
    })
    expect(byForm.statusCode).toBe(404)
  })
})
