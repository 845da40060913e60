import { receiptPdf } from '@eep/core/pdf'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { answerChallenge } from '@eep/payments-card/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { challengeIn, createCardApp } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { openShop, type Shop } from '../../support/shop.ts'

// The time at which a receipt has its buyer meet the gate: as far as the client carries it, else the request that paid.

let test: Awaited<ReturnType<typeof createCardApp>>
let shop: Shop
let now = new Date(Math.floor(Date.now() / 1_000) * 1_000)
const cashWallets = createCashWallets()

beforeAll(async () => {
  test = await createCardApp({ clock: () => now, payments: { receiptPdf: receiptPdf() } }, { now: () => now }, [
    cashRail({ cashWallets }),
  ])
  shop = await openShop(test.app, 'timekeeper', { amount: 5, currency: 'usd', per: 'year' })
})
afterAll(() => test.close())

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000)
  return now.toISOString()
}

async function onlyReceipt(headers: Record<string, string>) {
  const { data } = (await client(test.app).get('/eep/payment/receipts', headers)).json()
  expect(data).toHaveLength(1)
  return data[0]
}

const times = (basis: string, hit: string, paid: string) =>
  expect.objectContaining({ gate_hit_at: hit, challenge_issued_at: hit, basis, paid_at: paid })

it('takes the time of the challenge from a credential that answers it', async () => {
  const { headers } = await signUp(test.app, 'by-challenge')
  const offered = later(10)
  const challenge = challengeIn(await client(test.app).get(shop.paid, headers))
  if (!challenge) throw new Error('the 402 has no challenge')
  const paid = later(40)
  const credential = answerChallenge(test.stripe, challenge)
  const read = await client(test.app).get(shop.paid, { ...headers, 'payment-authorization': credential })
  expect(read.statusCode, read.body).toBe(200)
  expect((await onlyReceipt(headers)).timeline).toEqual(times('challenge', offered, paid))
})

it('takes the arrival of the request for a token without a challenge', async () => {
  const { headers } = await signUp(test.app, 'by-token')
  const paid = later(10)
  const authorization = `Payment ${test.stripe.grant().id}`
  const read = await client(test.app).get(shop.paid, { ...headers, 'payment-authorization': authorization })
  expect(read.statusCode, read.body).toBe(200)
  expect((await onlyReceipt(headers)).timeline).toEqual(times('request', paid, paid))
})

it('takes the arrival of the request for a payment that carries no extension back', async () => {
  const { headers } = await signUp(test.app, 'by-request')
  later(10)
  const refused = await client(test.app).get(shop.paid, headers)
  const envelope = JSON.parse(Buffer.from(String(refused.headers['payment-required']), 'base64').toString())
  const { extensions: _, ...bare } = envelope
  const paid = later(20)
  const payment = cashWallets.answer(Buffer.from(JSON.stringify(bare)).toString('base64'))
  const read = await client(test.app).get(shop.paid, { ...headers, ...payment })
  expect(read.statusCode, read.body).toBe(200)
  expect((await onlyReceipt(headers)).timeline).toEqual(times('request', paid, paid))
})

it('takes the making of a hosted checkout', async () => {
  const { headers } = await signUp(test.app, 'by-checkout')
  const made = later(10)
  const body = { did: shop.did, resource: 'content.notes.engines' }
  const page = await client(test.app).post('/eep/payment/stripe/checkout-human', body, headers)
  const { checkout_id: id } = page.json()
  later(120)
  test.stripe.completeCheckout(id)
  await client(test.app).get(`/eep/payment/stripe/checkout-human/${id}`)
  expect((await onlyReceipt(headers)).timeline).toEqual(
    expect.objectContaining({ gate_hit_at: made, challenge_issued_at: made, basis: 'checkout' }),
  )
})
