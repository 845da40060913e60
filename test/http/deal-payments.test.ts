import { endOfLog, eventsAfter } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { didOf, makeAdministrator, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { type Deal, NEGOTIATIONS, openDeal, price } from '../support/deals.ts'
import { createCashApp, header, openShop, receiptIdOf, type Shop } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let seller: Person
let paid = 0

beforeAll(async () => {
  test = await createCashApp()
  shop = await openShop(test.app, 'bookseller', { amount: 5, currency: 'usdc' })
  seller = shop
})
afterAll(() => test.close())

/** Buys the page of the shop; the receipt. */
async function pay(headers: Record<string, string>, at: Shop = shop): Promise<string> {
  const offer = await client(test.app).get(at.paid, headers)
  const proof = test.cashWallets.answer(header(offer, 'payment-required'), { wallet: `wallet:deal-${++paid}` })
  const answer = await client(test.app).get(at.paid, { ...headers, ...proof })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return receiptIdOf(answer)
}

/** Ends every entitlement at the shop, so that its page can be bought again. */
async function takeBack() {
  const list = await seller.get(`/manage/entitlements?profile_id=${shop.profileId}&limit=100`)
  for (const { id } of list.json().data) await seller.delete(`/manage/entitlements/${id}`)
}

async function invoiced(amount = 5, buyer?: Person, more: object = {}): Promise<Deal> {
  const deal = await openDeal(test.app, { seller, ...(buyer ? { buyer } : {}) })
  await deal.play('seller accept')
  const { status } = await deal.move(seller, 'invoice', { invoice_id: 'inv-7', amount, currency: 'usd', ...more })
  if (status !== 200) throw new Error('not invoiced')
  return deal
}

const proofOf = (receiptId: string, token = receiptId) => ({
  receipt_id: receiptId,
  payment_proof: { type: 'eep_receipt', token },
})

describe('a payment of a deal', () => {
  it('verifies a payment that the buyer made through this service', async () => {
    const deal = await invoiced(5, undefined, { payment_methods: ['content.notes.engines'] })
    const { status, body } = await deal.move(deal.buyer, 'receipt', proofOf(await pay(deal.buyer.headers)))
    expect([status, body.state, body.receipt]).toMatchObject([200, 'paid', { verified: true }])
  })

  it('stores a purchase as claimed when the invoice names no page to buy', async () => {
    for (const more of [{}, { payment_methods: ['bank', 'x402'] }]) {
      const deal = await invoiced(5, undefined, more)
      const { status, body } = await deal.move(deal.buyer, 'receipt', proofOf(await pay(deal.buyer.headers)))
      expect([status, body.state, body.receipt]).toMatchObject([200, 'paid', { verified: false }])
    }
  })

  it('stores a payment that was made elsewhere as claimed', async () => {
    const deal = await invoiced()
    const { body } = await deal.move(deal.buyer, 'receipt', proofOf('bank-slip-1', 'transfer of Monday'))
    expect(body.receipt).toMatchObject({ verified: false })
  })

  it('accepts a payment for one negotiation only, in any spelling and concurrently', async () => {
    const [one, two] = [await invoiced(), await invoiced()]
    const spellings = [`0x${'ab'.repeat(32)}`, ` 0x${'AB'.repeat(32)}`]
    const answers = await Promise.all([
      one.move(one.buyer, 'receipt', proofOf('slip-a', spellings[0])),
      two.move(two.buyer, 'receipt', proofOf('slip-b', spellings[1])),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.error?.code).toBe('payment_proof_used')
    const loser = answers[0]?.status === 409 ? one : two
    expect((await loser.buyer.get(loser.path)).json()).toMatchObject({ state: 'invoiced', receipt: null })

    const buyer = await signUp(test.app)
    const [first, second] = [await invoiced(5, buyer), await invoiced(5, buyer)]
    const receipt = await pay(buyer.headers)
    expect((await first.move(buyer, 'receipt', proofOf(receipt))).status).toBe(200)
    const again = await second.move(buyer, 'receipt', proofOf(receipt, 'another token'))
    expect(again.body.error?.code).toBe('payment_proof_used')
  })

  it('rejects a payment from before the invoice', async () => {
    const deal = await openDeal(test.app, { seller })
    await deal.play('seller accept')
    const early = await pay(deal.buyer.headers)
    await deal.move(seller, 'invoice', { invoice_id: 'inv-8', amount: 5, currency: 'usd' })
    await takeBack()
    const refused = await deal.move(deal.buyer, 'receipt', proofOf(early))
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'payment_proof_refused'])
    expect((await deal.move(deal.buyer, 'receipt', proofOf(await pay(deal.buyer.headers)))).status).toBe(200)
  })

  it('requires a payment to match the resource and the invoice', async () => {
    const answer = async (methods: readonly string[], more: object = {}) => {
      const deal = await invoiced(5, undefined, { payment_methods: methods })
      const proof = { ...proofOf(await pay(deal.buyer.headers)), ...more }
      return (await deal.move(deal.buyer, 'receipt', proof)).body.error?.code ?? 'paid'
    }
    expect(await answer(['usdc', 'content.notes.looms'])).toBe('payment_proof_refused')
    expect(await answer(['content.notes.looms', 'content.notes.engines'])).toBe('paid')
    expect(await answer(['usdc', 'bank transfer'], { invoice_id: 'inv-7' })).toBe('paid')
    expect(await answer([], { invoice_id: 'inv-6' })).toBe('payment_proof_refused')
  })

  it('rejects a payment that contradicts its receipt', async () => {
    const deal = await invoiced()
    const refusal = async (body: object) => {
      const answer = await deal.move(deal.buyer, 'receipt', body)
      return [answer.status, answer.body.error?.code]
    }
    const refused = [400, 'payment_proof_refused']
    expect(await refusal(proofOf('rcpt_nothing'))).toEqual(refused)
    expect(await refusal(proofOf('slip', 'rcpt_nothing'))).toEqual(refused)
    expect(await refusal(proofOf(await pay((await signUp(test.app)).headers)))).toEqual(refused)
    const other = await openShop(test.app, 'stationer', { amount: 5 })
    expect(await refusal(proofOf(await pay(deal.buyer.headers, other)))).toEqual(refused)
    const early = await signUp(test.app)
    const receipt = await pay(early.headers)
    const later = await invoiced(5, early)
    expect((await later.move(early, 'receipt', proofOf(receipt))).body.error?.code).toBe('payment_proof_refused')
    const dear = await invoiced(6)
    const short = await dear.move(dear.buyer, 'receipt', proofOf(await pay(dear.buyer.headers)))
    expect(short.body.error).toMatchObject({ code: 'payment_proof_refused' })
    const back = await invoiced()
    const gone = await pay(back.buyer.headers)
    const url = `/eep/payment/receipts/${gone}/refund`
    expect((await seller.post(url, { reference: await test.handBack(gone) })).statusCode).toBe(200)
    expect((await back.move(back.buyer, 'receipt', proofOf(gone))).body.error?.code).toBe('payment_proof_refused')
  })
})

describe('a dispute', () => {
  const claim = { reason_code: 'not_delivered', evidence: ['Nothing came.'], requested_remedy: 'refund' }
  async function disputed(by: 'buyer' | 'seller' = 'buyer') {
    const deal = await openDeal(test.app)
    await deal.play('seller accept')
    const { body } = await deal.move(deal[by], 'dispute', claim)
    expect(body).toMatchObject({ state: 'disputed', dispute: { ...claim, opened_by: by } })
    return deal
  }
  async function newAdmin(): Promise<Person> {
    const admin = await signUp(test.app)
    await makeAdministrator(test, admin)
    return admin
  }

  it.each([
    ['accept', 'accepted', 'dismissed', 'penalty_applied'],
    ['reject', 'rejected', 'refunded', 'penalty_applied'],
    ['complete', 'completed', 'rejected', 'dismissed'],
  ])('ends by %s of the seller: %s', async (action, state, usual, named) => {
    const after = await endOfLog(test.storage)
    const [deal, other] = [await disputed(), await disputed()]
    const { body } = await deal.move(deal.seller, action, { reason: 'It was late' })
    expect(body).toMatchObject({ state, dispute: { outcome: usual, resolved_by: 'seller' } })
    const { body: second } = await other.move(other.seller, action, { outcome: named })
    expect(second).toMatchObject({ state, dispute: { outcome: named } })
    const events = await eventsAfter(test.storage, after)
    const told = events.filter(({ type }) => type.startsWith('commerce.dispute'))
    expect(told.map(({ type, data }) => [type, data.reasonCode ?? data.outcome])).toEqual([
      ['commerce.dispute_opened', 'not_delivered'],
      ['commerce.dispute_opened', 'not_delivered'],
      ['commerce.dispute_resolved', usual],
      ['commerce.dispute_resolved', named],
    ])
  })

  it('lets only the party that opened a dispute withdraw it', async () => {
    const deal = await disputed('seller')
    const refused = async (who: Person, action: string, body: object = {}) =>
      (await deal.move(who, action, body)).body.error?.code
    expect(await refused(deal.buyer, 'accept')).toBe('not_your_move')
    expect(await refused(deal.seller, 'reject')).toBe('not_your_move')
    expect(await refused(deal.seller, 'complete', { outcome: 'penalty_applied' })).toBe('not_your_move')
    const { body } = await deal.move(deal.seller, 'accept')
    expect(body).toMatchObject({ state: 'accepted', dispute: { outcome: 'dismissed' } })
  })

  it('lets an administrator see and settle a disputed deal, and no other deal', async () => {
    const admin = await newAdmin()
    const deal = await disputed('seller')
    expect((await admin.get(deal.path)).json()).toMatchObject({
      role: 'admin',
      allowed_actions: ['accept', 'reject', 'complete'],
    })
    const { body } = await deal.move(admin, 'reject', { outcome: 'refunded' })
    expect(body).toMatchObject({ state: 'rejected', dispute: { outcome: 'refunded', resolved_by: 'admin' } })
    expect((await admin.get(deal.path)).statusCode).toBe(404)
    const open = await openDeal(test.app)
    expect((await admin.get(open.path)).statusCode).toBe(404)
    expect((await open.move(admin, 'reject')).status).toBe(404)
  })

  it('keeps the payments of a deal that continues after a dispute', async () => {
    const deal = await openDeal(test.app)
    await deal.play('seller accept', 'seller invoice', 'buyer receipt', 'buyer dispute', 'seller accept')
    await deal.play('seller invoice')
    const { history } = (await deal.buyer.get(deal.path)).json()
    const { data } = history.find(({ action }: { action: string }) => action === 'receipt')
    const { body } = await deal.move(deal.buyer, 'receipt', data.receipt)
    expect(body.error?.code).toBe('payment_proof_used')
  })
})

describe('offers', () => {
  it('limits the number of offers', async () => {
    const few = await createCashApp({ limits: { rateLimit: { multiplier: 0.5 } } })
    const [other, buyer] = [await signUp(few.app), await signUp(few.app)]
    const body = { seller_did: didOf(other), service: 'Advice', pricing: price(1) }
    const statuses: number[] = []
    for (let count = 0; count < 31; count++) statuses.push((await buyer.post(NEGOTIATIONS, body)).statusCode)
    expect(statuses).toEqual([...Array(30).fill(201), 429])
    await few.close()
  })
})
