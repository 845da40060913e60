import { cashRail, createCashWallets } from '@eep/core/testing'
import { cardRail } from '@eep/payments-card'
import { type Facilitator, x402Rail } from '@eep/payments-x402'
import { encodeHeader, signPayment, walletOf } from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { measuring, readMetrics, sumOf } from '../../support/metrics.ts'
import { decodeHeader, header, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

// A request with a payment header that opens nothing is a refused payment, never an unpaid request.

/** Payments that are refused in these tests do not reach a facilitator. */
const unusedFacilitator: Facilitator = {
  verify: () => Promise.reject(new Error('not asked')),
  settle: () => Promise.reject(new Error('not asked')),
  getSupported: () => Promise.reject(new Error('not asked')),
}
const payTo = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = `0x${'11'.repeat(20)}`
const payer = walletOf(`0x${'22'.repeat(32)}`)
const cashWallets = createCashWallets()

let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let accept: Readonly<Record<string, unknown>>
let payload: object

beforeAll(async () => {
  const tokens = x402Rail({ network: 'base-sepolia', payTo, facilitator: unusedFacilitator })
  test = await createTestApp({ payments: { rails: [tokens, cashRail({ cashWallets })] }, ...measuring() })
  shop = await openShop(test.app, 'refusing')
  const { accepts } = decodeHeader(await client(test.app).get(shop.paid), 'payment-required')
  accept = accepts[0]
  payload = (await signPayment(accepts[0], payer)).payload
})
afterAll(() => test.close())

const get = (url: string, headers: Record<string, string> = {}) => client(test.app).get(url, headers)

const refusals = async (reason: string) =>
  sumOf(await readMetrics(test.app), 'eep_refused_payments_total', { reason }) ?? 0

/** The reason and the network of a refused payment, as every part of the 402 has them. */
async function told(headers: Record<string, string>, url = shop.paid) {
  const answer = await get(url, headers)
  expect(answer.statusCode, answer.body).toBe(402)
  expect(answer.body).not.toContain(SECRET_WORD)
  expect(answer.headers['cache-control']).toBe('no-store')
  const { success, transaction, errorReason, network } = decodeHeader(answer, 'payment-response')
  expect([success, transaction]).toEqual([false, ''])
  const required = decodeHeader(answer, 'payment-required')
  const { error, payment_required_b64: encoded, decoded_payment_required: decoded } = answer.json()
  expect([encoded, decoded]).toEqual([header(answer, 'payment-required'), required])
  expect(required.error).toMatch(new RegExp(`^${errorReason}: [A-Z].+\\.$`))
  expect([error.message, error.details.reason]).toEqual([required.error, errorReason])
  return { reason: errorReason, network, accepts: required.accepts.length }
}

const envelope = (changes: object) => encodeHeader({ x402Version: 2, accepted: accept, payload, ...changes })
const accepting = (changes: object) => envelope({ accepted: { ...accept, ...changes } })

describe('a payment that opens nothing is refused with the first check that fails', () => {
  it.each<[string, () => string, string, string?]>([
    ['is not base64', () => '{}!', 'invalid_payload'],
    ['is not JSON', () => Buffer.from('payment').toString('base64'), 'invalid_payload'],
    ['is not an object', () => encodeHeader([1]), 'invalid_payload'],
    ['is empty', () => '', 'invalid_payload'],
    ['has no version', () => encodeHeader({ accepted: accept, payload }), 'invalid_payload'],
    ['accepts no offer', () => envelope({ accepted: undefined }), 'invalid_payload'],
    ['has no payload', () => envelope({ payload: undefined }), 'invalid_payload', 'eip155:84532'],
    ['is longer than 8,192 characters', () => envelope({ filler: 'x'.repeat(8_192) }), 'invalid_payload'],
    ['has version 3', () => envelope({ x402Version: 3, payload: undefined }), 'invalid_x402_version'],
    ['has its version as a text', () => envelope({ x402Version: '2' }), 'invalid_x402_version'],
    [
      'has another scheme and network',
      () => accepting({ scheme: 'upto', network: 'eip155:1' }),
      'unsupported_scheme',
      'eip155:1',
    ],
    ['is for no network at all', () => accepting({ network: 'eip155:0', asset: OTHER }), 'invalid_network', 'eip155:0'],
    ['names another network by an alias', () => accepting({ network: 'polygon' }), 'invalid_network', 'eip155:137'],
    ['names a network of another form', () => accepting({ network: 'my network' }), 'invalid_network'],
    ['is in another token', () => accepting({ asset: OTHER }), 'invalid_payment_requirements'],
    ['is for another receiver', () => accepting({ payTo: OTHER }), 'invalid_payment_requirements'],
    ['is for another amount', () => accepting({ amount: '1' }), 'invalid_payment_requirements'],
    ['is for another tier', () => accepting({ extra: { tier: 'patron' } }), 'invalid_payment_requirements'],
    ['is for another period', () => accepting({ extra: { per: 'year' } }), 'invalid_payment_requirements'],
  ])('when it %s', async (_what, make, reason, network = 'eip155:84532') => {
    const before = await refusals(reason)
    expect(await told({ 'payment-signature': make() })).toEqual({ reason, network, accepts: 2 })
    expect(await refusals(reason)).toBe(before + 1)
  })

  it('and is not claimed or stored', async () => {
    await told({ 'payment-signature': accepting({ amount: '1' }) })
    const credentialId = `eip155:84532|${String(accept.asset).toLowerCase()}|${payer.address.toLowerCase()}`
    const { nonce } = (payload as { authorization: { nonce: string } }).authorization
    const stored = await test.storage.read.payments.get({ rail: 'x402', credentialId: `${credentialId}|${nonce}` })
    expect(stored).toBeUndefined()
  })

  it('and nothing of it is repeated', async () => {
    const answer = await get(shop.paid, { 'payment-signature': accepting({ network: 'echo:me', scheme: 'echo-this' }) })
    expect(answer.body).not.toContain('echo')
    expect(decodeHeader(answer, 'payment-required').error).not.toContain('echo')
  })

  it('and a missing header is reported only when nothing was presented', async () => {
    const plain = await get(shop.paid)
    expect(decodeHeader(plain, 'payment-required').error).toBe('PAYMENT-SIGNATURE header is required')
    expect([plain.headers['payment-response'], plain.json().error.details]).toEqual([undefined, undefined])
  })
})

describe('a payment in X-PAYMENT', () => {
  it('is read by the version of its envelope', async () => {
    const headers = { 'x-payment': accepting({ amount: '1' }) }
    expect(await told(headers)).toMatchObject({ reason: 'invalid_payment_requirements' })
    const unpaid = header(await get(shop.paid, { 'x-eep-agent-capabilities': 'cash' }), 'payment-required')
    const { 'payment-signature': cash = '' } = cashWallets.answer(unpaid)
    expect((await get(shop.paid, { 'x-payment': cash })).body).toContain(SECRET_WORD)
  })

  it('is refused before money moves when the wallet of its payer cannot hold an entitlement', async () => {
    const unpaid = header(await get(shop.paid, { 'x-eep-agent-capabilities': 'cash' }), 'payment-required')
    const settled = cashWallets.calls.filter((call) => call === 'settle').length
    for (const wallet of ['帳', 'wallet: other', '\n']) {
      expect(await told(cashWallets.answer(unpaid, { wallet }))).toMatchObject({ reason: 'invalid_payer' })
    }
    expect(cashWallets.calls.filter((call) => call === 'settle')).toHaveLength(settled)
  })

  it('is not read beside PAYMENT-SIGNATURE, which decides', async () => {
    const unpaid = header(await get(shop.other), 'payment-required')
    const { 'payment-signature': cash = '' } = cashWallets.answer(unpaid, { wallet: 'wallet:beside' })
    const both = { 'payment-signature': accepting({ network: 'eip155:0' }), 'x-payment': cash }
    expect(await told(both)).toMatchObject({ reason: 'invalid_network' })
    expect((await get(shop.paid, { 'x-payment': cash })).body).toContain(SECRET_WORD)
  })
})

describe('a payment header on a resource that may be read anyway', () => {
  const refusedOne = () => ({ 'payment-signature': accepting({ network: 'eip155:0' }) })

  it('is ignored where the page is open', async () => {
    const answer = await get(shop.open, refusedOne())
    expect([answer.statusCode, answer.headers['payment-response']]).toEqual([200, undefined])
  })

  it('is ignored for a reader with a purchase, and for the team', async () => {
    const paid = cashWallets.answer(header(await get(shop.paid), 'payment-required'), { wallet: 'wallet:regular' })
    const bought = await get(shop.paid, paid)
    const wallet = header(bought, 'x-eep-payer-wallet')
    const network = header(bought, 'x-eep-payer-network')
    const entitled = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': network }
    const again = await get(shop.paid, { ...entitled, ...refusedOne() })
    expect([again.statusCode, again.headers['payment-response']]).toEqual([200, undefined])
    expect(again.body).toContain(SECRET_WORD)
    const owner = await shop.get(shop.paid, refusedOne())
    expect([owner.statusCode, owner.headers['payment-response']]).toEqual([200, undefined])
  })
})

describe('a request that takes no payment', () => {
  it('reports the refusal to HEAD with a payment only', async () => {
    const headers = { 'payment-signature': envelope({}) }
    const answer = await test.app.inject({ method: 'HEAD', url: shop.paid, headers })
    expect(answer.statusCode).toBe(402)
    expect(decodeHeader(answer, 'payment-response')).toMatchObject({
      success: false,
      errorReason: 'method_takes_no_payment',
      network: 'eip155:84532',
    })
    const plain = await test.app.inject({ method: 'HEAD', url: shop.paid })
    expect(plain.headers['payment-response']).toBeUndefined()
  })
})

describe('a service without a rail for x402', () => {
  it('refuses an x402 payment with a network that no chain has', async () => {
    const card = cardRail({ secretKey: 'sk_test_1', profileId: 'profile_1', secret: 'x'.repeat(32) })
    const cards = await createTestApp({ payments: { rails: [card] } })
    const sold = await openShop(cards.app, 'cards-alone', { amount: 1, currency: 'usd' })
    const responseTo = async (payment: string) =>
      decodeHeader(await client(cards.app).get(sold.paid, { 'payment-signature': payment }), 'payment-response')
    expect(await responseTo('rubbish')).toMatchObject({ errorReason: 'invalid_payload', network: 'eip155:0' })
    expect(await responseTo(envelope({}))).toMatchObject({ errorReason: 'unsupported_scheme', network: 'eip155:84532' })
    await cards.close()
  })
})
