import { endOfLog, eventsAfter } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createMailbox } from '../support/mailbox.ts'
import { createSandboxApp, openBrowser } from '../support/sandbox.ts'
import { openShop, SECRET_WORD, type Shop } from '../support/shop.ts'
import { soon } from '../support/wait.ts'

// People who pay with a test card, on a page of the service and without script.

const BACK = '/eep/payment/sandbox/checkout-human/'

let test: Awaited<ReturnType<typeof createSandboxApp>>
let shop: Shop
const mailbox = createMailbox()
beforeAll(async () => {
  test = await createSandboxApp({ email: { mailer: mailbox.mailer } })
  shop = await openShop(test.app, 'play-seller', { amount: 5, currency: 'eur' })
})
afterAll(() => test.close())

const recorded = (session: string) => test.storage.read.payments.get({ rail: 'sandbox-card', credentialId: session })

/** A browser that bought the page, and the id of its checkout. */
async function bought(more: Record<string, string> = {}) {
  const browser = openBrowser(test.app)
  const id = await browser.checkout(shop.paid)
  await browser.answer(id, 'pay', more)
  await browser.get(`${BACK}${id}`)
  return { browser, id }
}

describe('the page for test cards', () => {
  it('shows what is sold by whom at which price, and works without script', async () => {
    const browser = openBrowser(test.app)
    const page = await browser.get(`/sandbox/checkout/${await browser.checkout(shop.paid)}`)
    expect(page.statusCode).toBe(200)
    for (const text of [
      'Engines',
      'play-seller',
      '€5.00',
      'Pay with test card',
      'Decline',
      'Leave it unknown',
      'Cancel',
    ])
      expect(page.body).toContain(text)
    expect(page.body).not.toContain('<script')
    const { 'content-security-policy': policy, 'cache-control': cache, 'x-robots-tag': robots } = page.headers
    expect(policy).toMatch(/default-src 'none'/)
    expect(policy).not.toMatch(/script-src|unsafe-inline/)
    expect([cache, robots]).toEqual(['private, no-store', 'noindex'])
  })

  it.each([
    ['de', 'Mit Testkarte zahlen'],
    ['ja', 'テストカードで支払う'],
    ['ar', 'ادفع ببطاقة تجريبية'],
  ])('is in the language of the reader: %s', async (language, button) => {
    const browser = openBrowser(test.app, { 'accept-language': language })
    const { body } = await browser.get(`/sandbox/checkout/${await browser.checkout(shop.paid)}`)
    expect(body).toContain(button)
    expect(body).not.toContain('Pay with test card')
  })

  it('sells to a visitor, whom the return address leads to the bought page', async () => {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    const paid = await browser.answer(id, 'pay')
    expect([paid.statusCode, paid.headers.location]).toEqual([303, `${BACK}${id}`])
    const back = await browser.get(`${BACK}${id}`)
    expect([back.statusCode, back.headers.location]).toEqual([303, `https://profiles.example${shop.paid}`])
    const page = await browser.get(shop.paid)
    expect([page.statusCode, page.body.includes(SECRET_WORD)]).toEqual([200, true])
    expect((await openBrowser(test.app).get(shop.paid)).statusCode).toBe(402)
  })

  it('sends the receipt of a card processor to the address that the buyer entered, once', async () => {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    const form = { email: 'guest-with-receipt@example.com' }
    await Promise.all([browser.answer(id, 'pay', form), browser.answer(id, 'pay', form)])
    await browser.answer(id, 'pay', form)
    const mails = () =>
      mailbox.mails.filter(({ to, subject }) => to === form.email && subject.startsWith('Receipt for'))
    await soon(() => expect(mails()).toHaveLength(1))
    for (const part of ['Engines', '€5.00', 'play-seller', '/purchases']) expect(mails()[0]?.text).toContain(part)
  })

  it('records the sale immediately, also when the buyer never returns', async () => {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    await browser.answer(id, 'pay')
    expect((await recorded(id))?.state).toBe('settled')
    const sales = await shop.get(`/eep/payment/sales?profile_id=${shop.profileId}`)
    expect(sales.body).toContain((await test.paymentOf(id)).id)
    expect(sales.body).not.toContain(id)
  })

  it('shows a paid page as paid, without a further payment', async () => {
    const { browser, id } = await bought()
    const { body } = await browser.get(`/sandbox/checkout/${id}`)
    expect(body).toContain('This payment was made with a test card')
    expect(body).not.toContain('<form')
    expect(body).toContain(`/eep/payment/sandbox/checkout-human/${id}`)
  })

  it('stays open after a declined card, and can be paid then', async () => {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    const declined = await browser.answer(id, 'decline')
    expect([declined.statusCode, declined.headers.location]).toEqual([303, `/sandbox/checkout/${id}?done=declined`])
    const { body } = await browser.get(String(declined.headers.location))
    expect(body).toContain('The test card was declined. Nothing was charged.')
    expect([(await test.paymentOf(id)).state, (await recorded(id))?.state]).toEqual(['open', 'settling'])
    expect((await browser.answer(id, 'pay')).headers.location).toBe(`${BACK}${id}`)
    expect((await recorded(id))?.state).toBe('settled')
  })

  it('leads a buyer who cancels to the page of a cancelled checkout, and can no longer be paid', async () => {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    const left = await browser.answer(id, 'cancel', { email: 'no address' })
    expect(left.statusCode).toBe(303)
    const { body } = await browser.get(String(left.headers.location))
    expect(body).toContain('Payment cancelled')
    expect(body).not.toContain('/sandbox/checkout/')
    expect((await recorded(id))?.state).toBe('refused')
    expect((await browser.answer(id, 'pay')).headers.location).toBe(left.headers.location)
    expect((await test.paymentOf(id)).state).toBe('canceled')
    expect(await browser.checkout(shop.paid)).not.toBe(id)
  })

  it('counts one of several concurrent answers, and leads all of them to the same address', async () => {
    for (const others of ['pay', 'cancel', 'unknown']) {
      const browser = openBrowser(test.app)
      const id = await browser.checkout(shop.paid)
      const answers = await Promise.all(
        ['pay', others, 'pay', others].map((answer) =>
          browser.answer(id, answer).then(({ headers }) => headers.location),
        ),
      )
      expect(new Set(answers).size).toBe(1)
      const { state } = await test.paymentOf(id)
      expect(answers[0] === `${BACK}${id}`).toBe(state === 'paid' || state === 'unknown')
      const expected = { paid: 'settled', canceled: 'refused' }[String(state)] ?? 'settling'
      expect((await recorded(id))?.state).toBe(expected)
    }
  })

  it('keeps a text in the form that is not an email address, and charges nothing', async () => {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    const refused = await browser.answer(id, 'pay', { email: 'ada at "home"' })
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('value="ada at &quot;home&quot;"')
    expect((await test.paymentOf(id)).state).toBe('open')
  })

  it('lets a buyer find the purchase again by the address that was entered', async () => {
    await bought({ email: 'play-buyer@mail.example' })
    const asked = await client(test.app).post('/eep/payment/recovery', { email: 'play-buyer@mail.example' })
    expect(asked.statusCode).toBe(202)
    await expect.poll(() => mailbox.mails.map(({ to }) => to), { timeout: 60_000 }).toContain('play-buyer@mail.example')
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['without an origin', { origin: '' }],
    ['that a browser calls cross-site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ])('takes no form %s', async (_, headers) => {
    const id = await openBrowser(test.app).checkout(shop.paid)
    const refused = await openBrowser(test.app, headers).answer(id, 'pay')
    expect(refused.statusCode).toBe(403)
    expect((await test.paymentOf(id)).state).toBe('open')
  })

  it.each([
    ['an unknown button', { answer: 'free' }],
    ['no button', {}],
    ['a further field', { answer: 'pay', amount: '1' }],
  ])('returns 400 for a form with %s', async (_, fields) => {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    expect((await browser.post(`/sandbox/checkout/${id}`, fields as Record<string, string>)).statusCode).toBe(400)
  })

  it('returns 404 for a page that does not exist', async () => {
    const browser = openBrowser(test.app)
    expect((await browser.get(`/sandbox/checkout/${'a'.repeat(22)}`)).statusCode).toBe(404)
    expect((await browser.answer('a'.repeat(22), 'pay')).statusCode).toBe(404)
  })

  it('is closed when the buyer opens another one for the same tier', async () => {
    const browser = openBrowser(test.app)
    const first = await browser.checkout(shop.paid)
    const second = await browser.checkout(shop.other)
    expect(second).not.toBe(first)
    const { body } = await browser.get(`/sandbox/checkout/${first}`)
    expect(body).toContain('This page has expired')
    expect((await browser.answer(first, 'pay')).headers.location).toBe(`/sandbox/checkout/${first}`)
    expect((await test.paymentOf(first)).state).toBe('expired')
  })

  it('is returned again to a browser that asks for it twice', async () => {
    const browser = openBrowser(test.app)
    expect(await browser.checkout(shop.paid)).toBe(await browser.checkout(shop.paid))
  })

  it('sells to a signed-in account, which opens the page from then on', async () => {
    const buyer = await signUp(test.app)
    const asked = { did: shop.did, resource: 'content.notes.engines' }
    const opened = (await buyer.post('/eep/payment/sandbox/checkout-human', asked)).json()
    expect(opened.checkout_url).toBe(`https://profiles.example/sandbox/checkout/${opened.checkout_id}`)
    await openBrowser(test.app).answer(opened.checkout_id, 'pay')
    expect((await buyer.get(shop.paid)).statusCode).toBe(200)
  })
})

describe('a payment whose outcome is unknown', () => {
  async function undecided() {
    const browser = openBrowser(test.app)
    const id = await browser.checkout(shop.paid)
    expect((await browser.answer(id, 'unknown')).headers.location).toBe(`${BACK}${id}`)
    return { browser, id, payment: await test.paymentOf(id) }
  }

  it('offers the buyer no second payment until a person decides', async () => {
    const { browser, id, payment } = await undecided()
    const pages = [await browser.get(`${BACK}${id}`), await browser.buy(shop.paid), await browser.buy(shop.other)]
    for (const page of pages) {
      expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '5'])
      expect(page.body).toContain('The outcome of your payment is not known yet')
      expect(page.body).not.toContain('<form')
    }
    const checkout = await browser.get(`/sandbox/checkout/${id}`)
    expect(checkout.body).toContain('Do not pay again')
    expect(checkout.body).not.toContain('<form')
    expect((await browser.answer(id, 'pay')).headers.location).toBe(`${BACK}${id}`)
    expect((await test.paymentOf(id)).state).toBe('unknown')
    expect((await test.eep.sandboxPayments.listPayments())[0]?.state).toBe('unknown')
    await test.eep.sandboxPayments.decidePayment(payment.id, 'declined')
  })

  it('opens the page once a person decides that it was paid', async () => {
    const { browser, id, payment } = await undecided()
    expect((await test.eep.sandboxPayments.decidePayment(payment.id, 'paid'))?.state).toBe('paid')
    expect((await recorded(id))?.state).toBe('settled')
    expect((await browser.get(`${BACK}${id}`)).statusCode).toBe(303)
    expect((await browser.get(shop.paid)).body).toContain(SECRET_WORD)
  })

  it('can be paid again once a person decides that it was not paid', async () => {
    const { browser, id, payment } = await undecided()
    expect((await test.eep.sandboxPayments.decidePayment(payment.id, 'declined'))?.state).toBe('declined')
    expect((await recorded(id))?.state).toBe('refused')
    expect((await browser.get(`${BACK}${id}`)).body).toContain('nothing was charged')
    expect(await browser.checkout(shop.paid)).not.toBe(id)
  })

  it('is decided once, also by several people concurrently', async () => {
    const { id, payment } = await undecided()
    const decided = await Promise.all(
      (['paid', 'declined', 'paid'] as const).map((outcome) =>
        test.eep.sandboxPayments.decidePayment(payment.id, outcome),
      ),
    )
    expect(new Set(decided.map((each) => each?.state)).size).toBe(1)
    const state = (await recorded(id))?.state
    expect(state).toBe(decided[0]?.state === 'paid' ? 'settled' : 'refused')
    expect((await test.eep.sandboxPayments.decidePayment(payment.id, 'paid'))?.state).toBe(decided[0]?.state)
    expect(await test.eep.sandboxPayments.decidePayment('pi_nobody', 'paid')).toBeUndefined()
  })
})

describe('a payment that goes back', () => {
  it('closes the page of its buyer when it is refunded at the processor, once', async () => {
    const { browser, id } = await bought()
    expect((await browser.get(shop.paid)).statusCode).toBe(200)
    const { id: payment } = await test.paymentOf(id)
    const [first, second] = await Promise.all([
      test.eep.sandboxPayments.refundPayment(payment),
      test.eep.sandboxPayments.refundPayment(payment),
    ])
    expect(first?.refundedAt).toEqual(second?.refundedAt)
    expect((await browser.get(shop.paid)).statusCode).toBe(402)
    const receiptId = (await recorded(id))?.receiptId ?? ''
    const { refund } = (await shop.get(`/eep/payment/receipts/${receiptId}`)).json()
    expect(refund.reference).toBe(payment.replace('pi_', 're_'))
    expect((await shop.post(`/eep/payment/receipts/${receiptId}/refund`, {})).statusCode).toBe(409)
  })

  it('is given back by the seller through the service', async () => {
    const { browser, id } = await bought()
    const receiptId = (await recorded(id))?.receiptId ?? ''
    expect((await shop.post(`/eep/payment/receipts/${receiptId}/refund`, {})).statusCode).toBe(200)
    expect((await browser.get(shop.paid)).statusCode).toBe(402)
    expect((await test.paymentOf(id)).refundedAt).not.toBeNull()
  })

  it('is not refunded while it is open or unknown', async () => {
    const id = await openBrowser(test.app).checkout(shop.paid)
    expect(await test.eep.sandboxPayments.refundPayment((await test.paymentOf(id)).id)).toBeUndefined()
    expect(await test.eep.sandboxPayments.refundPayment('pi_nobody')).toBeUndefined()
  })

  it('reports a dispute, and how it was decided, to the service', async () => {
    const { id } = await bought()
    const { id: payment } = await test.paymentOf(id)
    const before = await endOfLog(test.storage)
    expect(await test.eep.sandboxPayments.disputePayment(payment, 'won')).toBeUndefined()
    for (const state of ['opened', 'lost'] as const)
      expect((await test.eep.sandboxPayments.disputePayment(payment, state))?.dispute).toBe(state)
    expect(await test.eep.sandboxPayments.disputePayment(payment, 'won')).toBeUndefined()
    const reported = (await eventsAfter(test.storage, before)).filter(
      ({ type }) => type === 'payments.payment_disputed',
    )
    expect(reported.map(({ data }) => data.state)).toEqual(['opened', 'lost'])
  })

  it('is suspended while it is disputed, and resumed when the seller wins', async () => {
    const { browser, id } = await bought()
    const { id: payment } = await test.paymentOf(id)
    for (const [state, status] of [
      ['opened', 402],
      ['won', 200],
    ] as const) {
      await test.eep.sandboxPayments.disputePayment(payment, state)
      expect((await browser.get(shop.paid)).statusCode).toBe(status)
    }
  })

  it('is compared with the records of the service, as payments of other rails are', async () => {
    await bought()
    const findings = new Set<string>()
    for await (const { finding } of test.eep.paywall.comparePayments()) findings.add(finding)
    // Pages that are open have no outcome yet.
    findings.delete('unknown')
    expect([...findings]).toEqual(['matches'])
  })
})

describe('a price that cards cannot pay', () => {
  it.each([
    ['below the minimum of its currency', { amount: 0.49, currency: 'usd' }],
    ['with a fraction of the smallest unit', { amount: 120.5, currency: 'jpy' }],
    ['in a currency that cards do not have', { amount: 5, currency: 'usdc' }],
  ])('is not saved: %s', async (_, price) => {
    const seller = await signUp(test.app)
    const did = test.app.eep.profiles.didOf({ type: 'person', username: seller.account.username })
    const requirements = [{ type: 'payment', per: 'day', ...price }]
    const saved = await seller.put(`/eep/gates/${did.replaceAll('%', '%25')}`, {
      default_tier: 'public',
      tiers: { public: { requirements: [], access: ['profile.*'] }, reader: { requirements, access: ['content.*'] } },
    })
    expect([saved.statusCode, saved.json().error.code]).toEqual([422, 'price_not_payable'])
    expect(saved.json().error.details.rails).toEqual([expect.objectContaining({ rail: 'sandbox-card' })])
  })

  it('sells in every currency that cards are charged in', async () => {
    const yen = await openShop(test.app, 'play-yen', { amount: 50, currency: 'jpy' })
    const browser = openBrowser(test.app)
    const id = await browser.checkout(yen.paid)
    expect((await browser.get(`/sandbox/checkout/${id}`)).body).toContain('¥50')
    await browser.answer(id, 'pay')
    expect((await recorded(id))?.settlement?.amount).toMatchObject({ atomic: '50', decimal: '50', currency: 'jpy' })
  })
})
