import { answerChallenge, type StripeEvent, type StripeFaultKind } from '@eep/payments-card/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, makeAdministrator, type Person, proveAddress, signUp } from '../../support/accounts.ts'
import { challengeIn, createCardApp } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { createMailbox } from '../../support/mailbox.ts'
import { readNotifications, untilNotified } from '../../support/notifications.ts'
import { cookieOf, header, openShop, type Shop } from '../../support/shop.ts'

// A seller gives the money of a card payment back.

const GIVING_BACK = /^POST \/v1\/refunds$/

let test: Awaited<ReturnType<typeof createCardApp>>
let shop: Shop
/** The errors in the log. */
const lines: string[] = []
const mailbox = createMailbox()
/** The subjects of the emails about refunds. */
const mailsTo = ({ account }: Person) =>
  mailbox.mails
    .filter(({ to, subject }) => to === account.email && /refund/.test(subject))
    .map(({ subject }) => subject)

beforeAll(async () => {
  const note = (fields: { readonly err?: Error }) => void lines.push(String(fields.err?.message))
  test = await createCardApp({ email: { mailer: mailbox.mailer }, logger: { info() {}, warn() {}, error: note } })
  shop = await openShop(test.app, 'card-returner', { amount: 5, currency: 'usd' })
})
afterAll(() => test.close())

const read = (headers: Record<string, string> = {}) => client(test.app).get(shop.paid, headers)

/** A sale: what opens the page, its receipt, and the payment at Stripe. */
async function sell() {
  const buyer = await signUp(test.app)
  const { headers } = buyer
  const challenge = challengeIn(await read(headers))
  if (!challenge) throw new Error('there is no challenge')
  const paid = await read({ ...headers, 'payment-authorization': answerChallenge(test.stripe, challenge) })
  expect(paid.statusCode, paid.body).toBe(200)
  const [receipt] = (await client(test.app).get('/eep/payment/receipts', headers)).json().data
  const payer = {
    'x-eep-payer-wallet': header(paid, 'x-eep-payer-wallet'),
    'x-eep-payer-network': header(paid, 'x-eep-payer-network'),
  }
  const url = `/eep/payment/receipts/${receipt.receipt_id}`
  return {
    buyer,
    payer,
    intent: receipt.settlement.reference as string,
    receipt: async () => (await shop.get(url)).json(),
    refund: (payload: object = {}) => shop.post(`${url}/refund`, payload),
  }
}

const backsOf = (intent: string) => test.stripe.refunds().filter((one) => one.payment_intent === intent)

describe('a refund of a card payment', () => {
  it('refunds at Stripe, marks the receipt, and revokes the access', async () => {
    const { payer, intent, receipt, refund } = await sell()
    expect((await read(payer)).statusCode).toBe(200)
    const given = await refund({ reason: 'Late' })
    expect(given.statusCode, given.body).toBe(200)
    const [back, ...more] = backsOf(intent)
    expect(more).toEqual([])
    expect(back).toMatchObject({ amount: 500, currency: 'usd' })
    expect((await receipt()).refund).toMatchObject({ reference: back?.id, reason: 'Late' })
    expect((await read(payer)).statusCode).toBe(402)
  })

  it('notifies the buyer, in the app and by email', async () => {
    const { buyer, refund } = await sell()
    await proveAddress(test, buyer)
    expect((await refund()).statusCode).toBe(200)
    const title = 'You were refunded $5.00 for Engines'
    await untilNotified(buyer, (items) => expect(items.map((item) => item.title)).toContain(title))
    await vi.waitFor(() => expect(mailsTo(buyer)).toEqual([title]), { timeout: 60_000, interval: 50 })
  })

  it('refunds once for repeated and concurrent requests', async () => {
    const { intent, refund } = await sell()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund()))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409])
    const again = await refund()
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'already_refunded'])
    expect(backsOf(intent)).toHaveLength(1)
  })

  it.each([
    'hang_after',
    'error_after',
    'error_before',
    'rate_limit',
    'redirect_after',
    'no_json_after',
  ] satisfies StripeFaultKind[])(
    'records no refund whose response is lost (%s), and refunds once when it is requested again',
    async (fault) => {
      const { payer, intent, receipt, refund } = await sell()
      test.stripe.failNext(GIVING_BACK, fault)
      const lost = await refund()
      expect([lost.statusCode, codeOf(lost), header(lost, 'retry-after')]).toEqual([503, 'refund_pending', '5'])
      expect((await receipt()).refund).toBeNull()
      expect((await read(payer)).statusCode).toBe(200)
      expect((await refund()).statusCode).toBe(200)
      expect(backsOf(intent).map(({ id }) => id)).toEqual([(await receipt()).refund.reference])
      expect((await read(payer)).statusCode).toBe(402)
    },
  )

  it('finds and records a refund that was already made at Stripe', async () => {
    const { intent, receipt, refund } = await sell()
    test.stripe.failNext(GIVING_BACK, 'error_after')
    await refund()
    test.stripe.forgetKeys()
    expect((await refund()).statusCode).toBe(200)
    expect(backsOf(intent).map(({ id }) => id)).toEqual([(await receipt()).refund.reference])
  })

  it('reports a refund that the key does not permit as its own error, and refunds nothing', async () => {
    const { intent, payer, refund } = await sell()
    test.stripe.failNext(GIVING_BACK, 'bad_key')
    const failed = await refund()
    expect([failed.statusCode, codeOf(failed)]).toEqual([503, 'rail_unavailable'])
    expect(backsOf(intent)).toEqual([])
    expect((await read(payer)).statusCode).toBe(200)
  })
})

describe('money that went back at Stripe without us', () => {
  const webhook = '/eep/payment/stripe/webhook'
  function tell(event: StripeEvent, delivery?: Parameters<typeof test.stripe.message>[1]) {
    const { body, headers } = test.stripe.message(event, delivery)
    return client(test.app).post(webhook, body, headers)
  }
  const handled = { received: true, handled: true }
  const ignored = { received: true, handled: false }

  it('marks the receipt and revokes the access once for repeated messages', async () => {
    const { payer, intent, receipt, refund } = await sell()
    const event = test.stripe.refundCharge(intent)
    expect((await tell(event, { secret: 'whsec_other' })).statusCode).toBe(400)
    expect((await read(payer)).statusCode).toBe(200)
    const answers = await Promise.all([tell(event), tell(event), tell(event)])
    expect(answers.map((one) => one.json())).toEqual([handled, handled, handled])
    expect((await receipt()).refund).toMatchObject({ reference: backsOf(intent)[0]?.id, reason: null })
    expect((await read(payer)).statusCode).toBe(402)
    const late = await refund()
    expect([late.statusCode, codeOf(late)]).toEqual([409, 'already_refunded'])
    expect(backsOf(intent)).toHaveLength(1)
  })

  it('notifies the buyer of a refund that was made at Stripe', async () => {
    const { buyer, intent } = await sell()
    expect((await tell(test.stripe.refundCharge(intent))).json()).toEqual(handled)
    await untilNotified(buyer, (items) =>
      expect(items.map(({ title }) => title)).toContain('You were refunded $5.00 for Engines'),
    )
  })

  it('reports a recorded refund that fails later to the operator', async () => {
    const { intent, refund } = await sell()
    expect((await refund()).statusCode).toBe(200)
    const [back] = backsOf(intent)
    const failed = test.stripe.returnRefund(String(back?.id))
    expect((await tell(failed)).json()).toEqual(handled)
    expect(lines.join('\n')).toContain(`The refund ${back?.id} failed after the payment was recorded as refunded`)
    const other = await sell()
    expect((await tell(test.stripe.refundCharge(other.intent, 200))).json()).toEqual(ignored)
    const part = backsOf(other.intent)[0]
    expect((await tell(test.stripe.returnRefund(String(part?.id)))).json()).toEqual(ignored)
  })

  it('revokes no access before the payment is fully refunded', async () => {
    const { payer, intent, receipt } = await sell()
    expect((await tell(test.stripe.refundCharge(intent, 200))).json()).toEqual(ignored)
    expect([(await receipt()).refund, (await read(payer)).statusCode]).toEqual([null, 200])
    const last = test.stripe.refundCharge(intent)
    test.stripe.failNext(/GET .*refunds/, 'error_before')
    expect((await tell(last)).statusCode).toBe(503)
    expect((await read(payer)).statusCode).toBe(200)
    expect((await tell(last)).json()).toEqual(handled)
    expect((await read(payer)).statusCode).toBe(402)
  })

  it('rejects forged refund messages, and ignores genuine ones about other payments', async () => {
    const { payer, intent } = await sell()
    const invented = { id: 'ch_1', object: 'charge', payment_intent: intent, refunded: true }
    expect((await tell(test.stripe.event('charge.refunded', invented))).json()).toEqual(ignored)
    expect((await read(payer)).statusCode).toBe(200)
    expect((await tell(test.stripe.event('charge.refunded', { object: 'charge' }))).json()).toEqual(ignored)
  })

  it('opens nothing when the refund arrives before the payment', async () => {
    const opened = await client(test.app).post('/eep/payment/stripe/checkout-human', {
      did: shop.did,
      resource: shop.paid,
    })
    const id = opened.json().checkout_id as string
    const paid = test.stripe.completeCheckout(id)
    const { payment_intent: intent } = paid.data.object as { payment_intent: string }
    expect((await tell(test.stripe.refundCharge(intent))).json()).toEqual(handled)
    expect((await tell(paid)).json()).toEqual(handled)
    const back = await client(test.app).get(`/eep/payment/stripe/checkout-human/${id}`)
    const cookie = `eep_payer=${cookieOf(back, 'eep_payer')}`
    expect((await read({ cookie })).statusCode).toBe(402)
  })

  describe('a dispute', () => {
    const disputed = (intent: string, type: string, status: string, amount = 500, more: object = {}, at?: Date) =>
      test.stripe.event(
        `charge.dispute.${type}`,
        {
          id: `dp_${intent}`,
          object: 'dispute',
          payment_intent: intent,
          status,
          amount,
          currency: 'usd',
          ...more,
        },
        at,
      )
    const titlesOf = (who: Person) => async () =>
      (await readNotifications(who)).data.filter(({ kind }) => kind === 'dispute').map(({ title }) => title)
    const until = (who: Person, titles: readonly string[]) =>
      vi.waitFor(async () => expect(await titlesOf(who)()).toEqual(titles), { timeout: 60_000, interval: 50 })

    it('notifies the seller and the administrators, suspends the access while it is open, and is recorded as a refund when it is lost', async () => {
      const operator = await signUp(test.app)
      await makeAdministrator(test, operator)
      const { payer, intent, receipt } = await sell()
      const opened = disputed(intent, 'created', 'needs_response')
      expect((await tell(opened, { secret: 'whsec_other' })).statusCode).toBe(400)
      for (let round = 0; round < 2; round++) expect((await tell(opened)).json()).toEqual(handled)
      expect((await read(payer)).statusCode).toBe(402)
      const first = 'A buyer disputes the payment of $5.00 for Engines'
      await until(operator, [first])
      for (let round = 0; round < 2; round++)
        expect((await tell(disputed(intent, 'closed', 'lost'))).json()).toEqual(handled)
      const titles = ['The dispute about $5.00 for Engines was lost', first]
      await until(operator, titles)
      await until(shop, titles)
      expect((await read(payer)).statusCode).toBe(402)
      expect((await receipt()).refund).toMatchObject({ reference: `dp_${intent}`, reason: 'chargeback' })
    })

    it('resumes the access when it is won, also when the messages arrive in another order or again', async () => {
      for (const messages of [
        ['needs_response', 'won', 'needs_response', 'won'],
        ['won', 'needs_response'],
      ]) {
        const { payer, intent } = await sell()
        for (const status of messages) {
          const type = status === 'won' ? 'closed' : 'created'
          expect((await tell(disputed(intent, type, status))).json()).toEqual(handled)
        }
        expect((await read(payer)).statusCode).toBe(200)
      }
    })

    it('suspends nothing when it was prevented, and the access ends with the refund that prevented it', async () => {
      for (const messages of [
        [['created', 'prevented']],
        [
          ['created', 'needs_response'],
          ['closed', 'prevented'],
        ],
      ] as const) {
        const { payer, intent, receipt } = await sell()
        for (const [type, status] of messages)
          expect((await tell(disputed(intent, type, status))).json()).toEqual(handled)
        expect([(await receipt()).refund, (await read(payer)).statusCode]).toEqual([null, 200])
        expect((await tell(test.stripe.refundCharge(intent))).json()).toEqual(handled)
        expect((await receipt()).refund).toMatchObject({ reference: backsOf(intent)[0]?.id, reason: null })
        expect((await read(payer)).statusCode).toBe(402)
      }
    })

    it.each(['updated', 'funds_withdrawn'])('suspends the access when an inquiry becomes one (%s)', async (type) => {
      const { payer, intent, receipt } = await sell()
      expect((await tell(disputed(intent, 'created', 'warning_needs_response'))).json()).toEqual(ignored)
      expect((await read(payer)).statusCode).toBe(200)
      for (let round = 0; round < 2; round++)
        expect((await tell(disputed(intent, type, 'needs_response'))).json()).toEqual(handled)
      expect([(await receipt()).refund, (await read(payer)).statusCode]).toEqual([null, 402])
    })

    it('about a part of the payment resumes the access when it is lost, records no refund, and is reported to the operator', async () => {
      const { payer, intent, receipt } = await sell()
      expect((await tell(disputed(intent, 'created', 'needs_response', 200))).json()).toEqual(handled)
      expect((await read(payer)).statusCode).toBe(402)
      for (let round = 0; round < 2; round++)
        expect((await tell(disputed(intent, 'closed', 'lost', 200))).json()).toEqual(handled)
      expect([(await receipt()).refund, (await read(payer)).statusCode]).toEqual([null, 200])
      const reported = `The dispute dp_${intent} about a part of the payment was lost`
      expect(lines.filter((line) => line.startsWith(reported))).toHaveLength(1)
    })

    it('about all that earlier refunds left of the payment is recorded as a refund when it is lost', async () => {
      const { payer, intent, receipt } = await sell()
      expect((await tell(test.stripe.refundCharge(intent, 200))).json()).toEqual(ignored)
      expect((await tell(disputed(intent, 'closed', 'lost', 300))).json()).toEqual(handled)
      expect((await receipt()).refund).toMatchObject({ reference: `dp_${intent}`, reason: 'chargeback' })
      expect((await read(payer)).statusCode).toBe(402)
    })

    it('ends the access once when the payment is refunded while it is open', async () => {
      const { payer, intent, refund } = await sell()
      expect((await tell(disputed(intent, 'created', 'needs_response'))).json()).toEqual(handled)
      expect((await refund()).statusCode).toBe(200)
      expect((await tell(disputed(intent, 'closed', 'won'))).json()).toEqual(handled)
      expect((await read(payer)).statusCode).toBe(402)
    })

    it.each([
      ['won', 'lost'],
      ['lost', 'won'],
    ] as const)('that was %s and is %s after an appeal changes the access again', async (first, last) => {
      const { payer, intent, receipt } = await sell()
      const stateOf = async () => [(await receipt()).refund?.reference ?? null, (await read(payer)).statusCode]
      const expected = { won: [null, 200], lost: [`dp_${intent}`, 402] }
      const start = Date.now()
      const messages = ['needs_response', first, 'appeal_under_review', last].map((status, day) =>
        disputed(intent, 'updated', status, 500, {}, new Date(start + day * 86_400_000)),
      )
      const [opened, decided, appealed, final] = messages as [StripeEvent, StripeEvent, StripeEvent, StripeEvent]
      for (const message of [opened, decided, opened]) expect((await tell(message)).json()).toEqual(handled)
      expect(await stateOf()).toEqual(expected[first])
      expect((await tell(appealed)).json()).toEqual(handled)
      expect((await read(payer)).statusCode).toBe(402)
      for (const message of [final, appealed, decided, final]) expect((await tell(message)).json()).toEqual(handled)
      expect(await stateOf()).toEqual(expected[last])
    })

    it('about a part of the payment ends the access when another one took the rest', async () => {
      const { payer, intent, receipt } = await sell()
      for (const [id, amount] of [
        ['one', 200],
        ['two', 300],
      ] as const) {
        expect((await tell(disputed(intent, 'closed', 'lost', amount, { id: `dp_${id}_${intent}` }))).json()).toEqual(
          handled,
        )
        expect((await read(payer)).statusCode).toBe(id === 'one' ? 200 : 402)
      }
      expect((await receipt()).refund).toMatchObject({ reference: `dp_two_${intent}`, reason: 'chargeback' })
    })

    it('prevents a refund by the seller, unless Stripe allows it', async () => {
      const { intent, refund } = await sell()
      const opened = (is_charge_refundable: boolean) =>
        tell(disputed(intent, 'updated', 'needs_response', 500, { is_charge_refundable }))
      await opened(false)
      const refused = await refund()
      expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'payment_disputed'])
      await opened(true)
      expect((await refund()).statusCode).toBe(200)
    })

    it('is ignored as an inquiry, and for payments of others', async () => {
      const { intent } = await sell()
      expect((await tell(disputed(intent, 'created', 'warning_needs_response'))).json()).toEqual(ignored)
      expect((await tell(disputed(intent, 'closed', 'warning_closed'))).json()).toEqual(ignored)
      expect((await tell(disputed('pi_unknown', 'created', 'needs_response'))).json()).toEqual(ignored)
    })
  })
})
