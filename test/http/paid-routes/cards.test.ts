import { formatPaymentCredential, type PaymentChallenge } from '@eep/core/ports'
import { startFakeStripe } from '@eep/payments-card/testing'
import { expect, it, onTestFinished } from 'vitest'
import { cardRailOn, challengeIn } from '../../support/cards.ts'
import { contentDigest, openPaidRoutes } from '../../support/paid-routes.ts'
import { decodeHeader, header } from '../../support/shop.ts'

const RENDER = 'POST /render'
const json = { 'content-type': 'application/json' }

/** A paid route that is sold for 5 usd by card. */
async function open(options: Parameters<typeof openPaidRoutes>[0][string] = {}) {
  const stripe = await startFakeStripe()
  const test = await openPaidRoutes(
    { [RENDER]: { price: { amount: 5, currency: 'usd', per: 'request' }, compensateAfterMs: 60_000, ...options } },
    { payments: { rails: [cardRailOn(stripe)], settlementLeaseMs: 200 } },
  )
  onTestFinished(async () => {
    await test.close()
    await stripe.stop()
  })
  const offered = async (body: string): Promise<PaymentChallenge> => {
    const challenge = challengeIn(await test.send(RENDER, body, json))
    if (!challenge) throw new Error('the 402 has no challenge')
    return challenge
  }
  const pay = (body: string, challenge: PaymentChallenge, token = stripe.grant().id) =>
    test.send(RENDER, body, { ...json, authorization: formatPaymentCredential(challenge, { spt: token }) })
  return { ...test, stripe, offered, paidBy: pay }
}

it('binds a challenge to the content, and runs nothing for another one', async () => {
  const test = await open()
  const body = JSON.stringify({ text: 'one' })
  const challenge = await test.offered(body)
  expect(challenge.digest).toBe(contentDigest(body))
  const { id } = test.stripe.grant()
  const other = await test.paidBy(JSON.stringify({ text: 'two' }), challenge, id)
  expect([other.statusCode, other.json().error.details.reason]).toEqual([402, 'invalid_challenge'])
  const { digest: _, ...without } = challenge
  expect((await test.paidBy(body, without, id)).statusCode).toBe(402)
  expect([test.stripe.charges().length, test.renderer.runs.length]).toEqual([0, 0])
  const paid = await test.paidBy(body, challenge, id)
  expect([paid.statusCode, header(paid, 'payment-receipt') !== '']).toEqual([200, true])
  expect((await test.paidBy(body, challenge, id)).statusCode).toBe(402)
  expect([test.stripe.charges().length, test.renderer.runs.length]).toEqual([1, 1])
})

it('binds the claim where the challenge has no digest', async () => {
  const test = await open({ maxUnpaidBytes: 10 })
  const [body, other] = ['the first text', 'another text'].map((text) => JSON.stringify({ text })) as [string, string]
  const challenge = await test.offered(body)
  expect(challenge.digest).toBeUndefined()
  const { id } = test.stripe.grant()
  expect((await test.paidBy(body, challenge, id)).statusCode).toBe(200)
  expect((await test.paidBy(other, challenge, id)).statusCode).toBe(402)
  expect([test.stripe.charges().length, test.renderer.runs.length]).toEqual([1, 1])
})

it('charges a card before the handler, also where others are charged after it', async () => {
  const test = await open({ charge: 'after' })
  test.renderer.on('/render', () => {
    expect(test.stripe.charges()).toHaveLength(1)
    return 'rendered'
  })
  const body = JSON.stringify({ text: 'one' })
  expect((await test.paidBy(body, await test.offered(body))).statusCode).toBe(200)
})

it('refunds a rejected request immediately, and notifies the team', async () => {
  const test = await open()
  test.renderer.on('/render', (_request, reply) => reply.code(422).send({ wrong: true }))
  const body = JSON.stringify({ text: 'bad' })
  const [challenge, { id }] = [await test.offered(body), test.stripe.grant()]
  const rejected = await test.paidBy(body, challenge, id)
  expect([rejected.statusCode, decodeHeader(rejected, 'payment-response').success]).toEqual([422, true])
  expect(header(rejected, 'payment-receipt')).toBe('')
  await expect.poll(() => test.stripe.refunds().length, { timeout: 20_000 }).toBe(1)
  const sales = async () =>
    (await test.seller.get(`/eep/payment/sales?profile_id=${test.seller.account.active_profile_id}`)).json().data
  await expect.poll(async () => (await sales())[0]?.refund?.reason, { timeout: 20_000 }).toBe('not_delivered')
  expect((await sales())[0]).toMatchObject({ undelivered: true, resource: 'api.render' })
  const notices = async () =>
    (await test.seller.get(`/notifications?profile_id=${test.seller.account.active_profile_id}`)).json().data
  await expect
    .poll(async () => (await notices()).map(({ kind }: { kind: string }) => kind), { timeout: 20_000 })
    .toContain('undelivered')
  expect((await test.paidBy(body, challenge, id)).statusCode).toBe(402)
  expect(test.renderer.runs).toHaveLength(1)
})

it('refunds after three failures, and never what was delivered', async () => {
  const test = await open()
  let fails = true
  test.renderer.on('/render', (_request, reply) => (fails ? reply.code(500).send({}) : 'rendered'))
  const body = JSON.stringify({ text: 'one' })
  const [challenge, { id }] = [await test.offered(body), test.stripe.grant()]
  for (const _ of [1, 2]) expect((await test.paidBy(body, challenge, id)).statusCode).toBe(500)
  fails = false
  expect((await test.paidBy(body, challenge, id)).statusCode).toBe(200)
  fails = true
  const [next, token] = [await test.offered(body), test.stripe.grant().id]
  for (const _ of [1, 2, 3]) expect((await test.paidBy(body, next, token)).statusCode).toBe(500)
  await expect.poll(() => test.stripe.refunds().length, { timeout: 20_000 }).toBe(1)
  fails = false
  expect((await test.paidBy(body, next, token)).statusCode).toBe(402)
  expect(test.stripe.charges()).toHaveLength(2)
})
