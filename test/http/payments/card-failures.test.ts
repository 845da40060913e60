import { encodePaymentJson, formatPaymentCredential, type PaymentChallenge } from '@eep/core/ports'
import { answerChallenge, type StripeFaultKind, TAKING } from '@eep/payments-card/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { challengeIn, createCardApp } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { decodeHeader, header, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

// What a payer by card sees when something goes wrong, and what was charged then.

type CardApp = Awaited<ReturnType<typeof createCardApp>>

let test: CardApp
let shop: Shop
let now = new Date()
let charged = 0

beforeAll(async () => {
  const clock = () => new Date(Math.max(now.getTime(), Date.now()))
  test = await createCardApp({ clock }, { now: clock })
  shop = await openShop(test.app, 'card-seller', { amount: 5, currency: 'usd' })
})
afterAll(() => test.close())

const read = (headers: Record<string, string> = {}, url = shop.paid) => client(test.app).get(url, headers)
const pay = (authorization: string, url?: string) => read({ authorization }, url)

async function offered(url?: string, headers?: Record<string, string>): Promise<PaymentChallenge> {
  const challenge = challengeIn(await read(headers, url))
  if (!challenge) throw new Error('the 402 has no challenge')
  return challenge
}

/** How many payments were taken since this was last asked. */
function takenNow(): number {
  const { length } = test.stripe.charges()
  const since = length - charged
  charged = length
  return since
}

async function expectRefused(response: Awaited<ReturnType<typeof read>>, reason: string) {
  expect([response.statusCode, response.json().error.details?.reason]).toEqual([402, reason])
  expect(challengeIn(response)?.id).toBeTruthy()
  expect(response.headers['payment-receipt']).toBeUndefined()
  expect(response.body).not.toContain(SECRET_WORD)
  expect(decodeHeader(response, 'payment-response')).toMatchObject({ success: false, errorReason: reason })
}

function expectServed(response: Awaited<ReturnType<typeof read>>) {
  expect(response.statusCode).toBe(200)
  expect(response.body).toContain(SECRET_WORD)
}

describe('without a payment', () => {
  it('sends a 402 with the gate, the challenge and the offers, which shared caches must not store', async () => {
    const response = await read()
    expect(response.statusCode).toBe(402)
    const [gate, payment] = response.headers['www-authenticate'] as string[]
    expect(gate).toBe(`EEP realm="gate", resource="${shop.paid}"`)
    expect(payment).toMatch(
      /^Payment id="[^"]+", realm="profiles.example", method="stripe", intent="charge", request="/,
    )
    expect(response.headers['cache-control']).toBe('no-store')
    const { request, expires = '' } = challengeIn(response) as PaymentChallenge
    expect(JSON.parse(Buffer.from(request, 'base64url').toString())).toEqual({
      amount: '500',
      currency: 'usd',
      methodDetails: { networkId: test.stripe.profileId, paymentMethodTypes: ['card', 'link'] },
    })
    expect(new Date(expires).toISOString()).toBe(expires)
    expect(decodeHeader(response, 'payment-required').accepts).toEqual([
      expect.objectContaining({ scheme: 'stripe-mpp', network: 'stripe:test', asset: 'usd', amount: '500' }),
    ])
  })

  it('makes each challenge unique', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await offered()).id))
    expect(new Set(ids).size).toBe(50)
  })

  it('sends no challenge for a price below the minimum', async () => {
    const cheap = await openShop(test.app, 'card-cheap', { amount: 0.49, currency: 'usd' }, { allow: 'unpayable' })
    const response = await read({}, cheap.paid)
    expect([response.statusCode, challengeIn(response)]).toEqual([402, undefined])
  })

  it('sends no challenge to a client that does not accept cards', async () => {
    expect(challengeIn(await read({ 'accept-payment': 'stripe/charge;q=0' }))).toBeUndefined()
    expect(challengeIn(await read({ 'accept-payment': 'stripe/charge' }))).toBeDefined()
  })
})

describe('a payment', () => {
  it('opens the page to the payer, and keeps it open', async () => {
    const paid = await pay(answerChallenge(test.stripe, await offered()))
    expectServed(paid)
    const receipt = JSON.parse(Buffer.from(header(paid, 'payment-receipt'), 'base64url').toString())
    expect(receipt).toMatchObject({ method: 'stripe', status: 'success', reference: test.stripe.charges().at(-1)?.id })
    const wallet = header(paid, 'x-eep-payer-wallet')
    expect([wallet, header(paid, 'x-eep-payer-network')]).toEqual([
      expect.stringMatching(/^card_[\w-]{22}$/),
      'stripe:test',
    ])
    const payer = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'stripe:test' }
    expectServed(await read(payer))
    expectServed(await read(payer, shop.other))
    expect(takenNow()).toBe(1)
  })

  it('opens the page once for a bare token', async () => {
    const { id } = test.stripe.grant()
    expectServed(await pay(`Payment ${id}`))
    expectServed(await pay(`Payment ${id}`))
    expect(takenNow()).toBe(1)
  })

  it('accepts a payment in the other header next to a session', async () => {
    const { headers } = await signUp(test.app, 'card-buyer')
    const challenge = await offered(shop.paid, headers)
    expect(challenge.header).toBe('Payment-Authorization')
    const credential = answerChallenge(test.stripe, challenge)
    expectServed(await read({ ...headers, 'payment-authorization': credential }))
    const receipts = await client(test.app).get('/eep/payment/receipts', headers)
    expect(receipts.json().data).toEqual([
      expect.objectContaining({
        rail: 'stripe-mpp',
        amount: { atomic: '500', decimal: '5.00', asset: 'usd', currency: 'usd' },
        payer_network: 'stripe:test',
      }),
    ])
    expect(takenNow()).toBe(1)
  })

  it('ignores a payment in a header that its challenge does not name', async () => {
    const credential = answerChallenge(test.stripe, await offered())
    await expectRefused(await read({ 'payment-authorization': credential }), 'malformed_credential')
    expect(takenNow()).toBe(0)
  })
})

describe('a credential that is wrong', () => {
  it.each([
    ['', 'malformed_credential'],
    [' ', 'malformed_credential'],
    [' not one word', 'malformed_credential'],
    [' dGhpcyBpcyBnYXJiYWdl', 'malformed_credential'],
    [` ${'a'.repeat(20_000)}`, 'malformed_credential'],
    [` ${encodePaymentJson({ challenge: 'none', payload: {} })}`, 'malformed_credential'],
    [` ${encodePaymentJson([1])}`, 'malformed_credential'],
  ])('Payment%.30s: %s', async (text, reason) => {
    await expectRefused(await pay(`Payment${text}`), reason)
    expect(takenNow()).toBe(0)
  })

  const altered: [string, (challenge: PaymentChallenge) => PaymentChallenge][] = [
    ['id', (one) => ({ ...one, id: `${one.id.slice(0, -1)}${one.id.endsWith('A') ? 'B' : 'A'}` })],
    ['an id without a signature', (one) => ({ ...one, id: 'x' })],
    ['realm', (one) => ({ ...one, realm: 'elsewhere.example' })],
    ['expiry', (one) => ({ ...one, expires: '2099-01-01T00:00:00.000Z' })],
    ['opaque', (one) => ({ ...one, opaque: 'e30' })],
    ['description', (one) => ({ ...one, description: 'cheap' })],
    ['amount', (one) => ({ ...one, request: changed(one, { amount: '50' }) })],
    ['currency', (one) => ({ ...one, request: changed(one, { currency: 'eur' }) })],
  ]
  const changed = ({ request }: PaymentChallenge, changes: object) =>
    encodePaymentJson({ ...JSON.parse(Buffer.from(request, 'base64url').toString()), ...changes })

  it.each(altered)('rejects a challenge with altered %s', async (_, alter) => {
    const { id } = test.stripe.grant()
    const calls = test.stripe.calls.length
    const credential = formatPaymentCredential(alter(await offered()), { spt: id })
    const answer = await pay(credential)
    await expectRefused(answer, 'invalid_challenge')
    expect(answer.json().error.details).toEqual({ reason: 'invalid_challenge' })
    expect(test.stripe.calls.length).toBe(calls)
  })

  it('rejects a credential for another page or another seller', async () => {
    const foreign = await openShop(test.app, 'card-foreign', { amount: 5, currency: 'usd' })
    await expectRefused(await pay(answerChallenge(test.stripe, await offered()), shop.other), 'invalid_challenge')
    await expectRefused(await pay(answerChallenge(test.stripe, await offered(foreign.paid))), 'invalid_challenge')
    expect(takenNow()).toBe(0)
  })

  it.each([[{}], [{ spt: 7 }], [{ spt: 'tok_visa' }], [{ spt: 'spt_' }]])('rejects the payload %j', async (payload) => {
    await expectRefused(await pay(formatPaymentCredential(await offered(), payload)), 'invalid_payload')
  })

  it('rejects a credential of another method', async () => {
    const challenge = { ...(await offered()), method: 'tempo' }
    const response = await pay(formatPaymentCredential(challenge, { signature: '0x' }))
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'method_unsupported'])
  })
})

describe('a challenge that has expired', () => {
  it('refuses an expired challenge without a call to Stripe', async () => {
    const credential = answerChallenge(test.stripe, await offered(), { expiresAt: 4_000_000_000 })
    now = new Date(Date.now() + 301_000)
    await expectRefused(await pay(credential), 'payment_expired')
    now = new Date()
    expect(takenNow()).toBe(0)
  })

  it('accepts an expired challenge for a payment whose outcome is unknown', async () => {
    const credential = answerChallenge(test.stripe, await offered())
    test.stripe.failNext(TAKING, 'hang_after')
    expect((await pay(credential)).statusCode).toBe(503)
    now = new Date(Date.now() + 301_000)
    expectServed(await pay(credential))
    now = new Date()
    expect(takenNow()).toBe(1)
  })
})

describe('a payment that was used', () => {
  it('serves a used payment again to a client that lost the answer, without charging', async () => {
    const credential = answerChallenge(test.stripe, await offered())
    expectServed(await pay(credential))
    expectServed(await pay(credential))
    expect(takenNow()).toBe(1)
  })

  it('serves a payment to a client that repeats it a day later, whether its outcome was known or not', async () => {
    const [known, unknown] = [
      answerChallenge(test.stripe, await offered()),
      answerChallenge(test.stripe, await offered()),
    ]
    expectServed(await pay(known))
    test.stripe.failNext(TAKING, 'hang_after')
    expect((await pay(unknown)).statusCode).toBe(503)
    await test.eep.paywall.reconcile()
    now = new Date(Date.now() + 24 * 3_600_000)
    for (const credential of [known, unknown]) expectServed(await pay(credential))
    now = new Date()
    expect(takenNow()).toBe(2)
  })

  it('does not pay with another challenge, at another seller, or as a bare token', async () => {
    const foreign = await openShop(test.app, 'card-used', { amount: 5, currency: 'usd' })
    const challenge = await offered()
    const { id } = test.stripe.grant()
    expectServed(await pay(formatPaymentCredential(challenge, { spt: id })))
    await expectRefused(await pay(formatPaymentCredential(await offered(), { spt: id })), 'invalid_payload')
    const again = await pay(`Payment ${id}`)
    await expectRefused(again, 'invalid_payload')
    expect(again.json().error.details.already_settled).toBe(true)
    await expectRefused(await pay(`Payment ${id}`, foreign.paid), 'invalid_payload')
    const elsewhere = formatPaymentCredential(await offered(foreign.paid), { spt: id })
    await expectRefused(await pay(elsewhere, foreign.paid), 'invalid_payload')
    expect(takenNow()).toBe(1)
  })

  it('charges the first of two tokens for one challenge', async () => {
    const challenge = await offered()
    expectServed(await pay(answerChallenge(test.stripe, challenge)))
    await expectRefused(await pay(answerChallenge(test.stripe, challenge)), 'invalid_challenge')
    expect(takenNow()).toBe(1)
  })

  it('charges a credential once that is sent twenty times concurrently, and serves all requests', async () => {
    const credential = answerChallenge(test.stripe, await offered())
    test.stripe.failNext(TAKING, 'slow_after')
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(credential)))
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status !== 200 && status !== 503)).toEqual([])
    expectServed(await pay(credential))
    expect(takenNow()).toBe(1)
  })

  it('opens a single-request page once', async () => {
    const single = await openShop(test.app, 'card-single', { amount: 5, currency: 'usd', per: 'request' })
    const credential = answerChallenge(test.stripe, await offered(single.paid))
    expectServed(await pay(credential, single.paid))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const again = await pay(credential, single.paid)
    await expectRefused(again, 'credential_already_used')
    expect(again.json().error.details.already_settled).toBe(true)
    expect(takenNow()).toBe(1)
  })
})

describe('a token that Stripe does not take', () => {
  it.each([
    ['allows less', { maxAmount: 499 }],
    ['is of another currency', { currency: 'eur' }],
    ['has expired', { expiresAt: 1 }],
  ])('refuses a token that %s, and takes nothing', async (_, token) => {
    await expectRefused(await pay(answerChallenge(test.stripe, await offered(), token)), 'verification_failed')
    expect(takenNow()).toBe(0)
  })

  it('refuses a revoked or unknown token', async () => {
    const { id } = test.stripe.grant()
    test.stripe.revoke(id)
    await expectRefused(await pay(formatPaymentCredential(await offered(), { spt: id })), 'verification_failed')
    await expectRefused(await pay('Payment spt_unknown'), 'verification_failed')
    expect(takenNow()).toBe(0)
  })

  it.each([
    ['pm_card_chargeDeclined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_authenticationRequired', 'payment_action_required'],
  ])('refuses the card %s: %s', async (paymentMethod, reason) => {
    const credential = answerChallenge(test.stripe, await offered(), { paymentMethod })
    await expectRefused(await pay(credential), reason)
    await expectRefused(await pay(credential), reason)
    expect(test.stripe.intents().filter(({ status }) => status === 'requires_action')).toEqual([])
    expect(takenNow()).toBe(0)
  })

  it('reports an invalid key as its own error, takes nothing, and accepts the same payment later', async () => {
    const credential = answerChallenge(test.stripe, await offered())
    test.stripe.failNext(TAKING, 'bad_key')
    const response = await pay(credential)
    expect([response.statusCode, response.json().error.code]).toEqual([503, 'rail_unavailable'])
    expect(challengeIn(response)).toBeUndefined()
    expect(takenNow()).toBe(0)
    expectServed(await pay(credential))
    expect(takenNow()).toBe(1)
  })
})

describe('an unknown outcome', () => {
  const faults = [
    'hang_before',
    'hang_after',
    'error_before',
    'error_after',
    'rate_limit',
    'conflict',
    'redirect_before',
    'redirect_after',
    'wrong_amount_after',
    'wrong_currency_after',
    'no_json_after',
    'stored_error_after',
  ] as const satisfies readonly StripeFaultKind[]

  it.each(faults)('%s: returns 503 without a challenge, and serves the repeat for one charge', async (fault) => {
    const credential = answerChallenge(test.stripe, await offered())
    test.stripe.failNext(TAKING, fault)
    const lost = await pay(credential)
    expect([lost.statusCode, lost.json().error.code]).toEqual([503, 'settlement_pending'])
    expect(lost.headers['retry-after']).toBeDefined()
    expect([challengeIn(lost), lost.headers['payment-required']]).toEqual([undefined, undefined])
    expectServed(await pay(credential))
    expect(takenNow()).toBe(1)
  })

  it.each(['reset_before', 'reset_after', 'twice_after'] as const)(
    '%s: serves the page immediately for one charge',
    async (fault) => {
      const credential = answerChallenge(test.stripe, await offered())
      test.stripe.failNext(TAKING, fault)
      expectServed(await pay(credential))
      expectServed(await pay(credential))
      expect(takenNow()).toBe(1)
    },
  )

  it('charges one token once after three lost responses', async () => {
    const credential = answerChallenge(test.stripe, await offered())
    test.stripe.delaySearch(true)
    for (let lost = 0; lost < 3; lost++) {
      test.stripe.failNext(TAKING, 'hang_after')
      expect((await pay(credential)).statusCode).toBe(503)
    }
    expectServed(await pay(credential))
    test.stripe.delaySearch(false)
    expect(takenNow()).toBe(1)
  })

  it('does not refuse a payment of unknown outcome when the key becomes invalid', async () => {
    const credential = answerChallenge(test.stripe, await offered())
    test.stripe.delaySearch(true)
    test.stripe.failNext(TAKING, 'hang_after')
    expect((await pay(credential)).statusCode).toBe(503)
    test.stripe.failNext(TAKING, 'bad_key')
    expect((await pay(credential)).json().error.code).toBe('settlement_pending')
    test.stripe.delaySearch(false)
    expectServed(await pay(credential))
    expect(takenNow()).toBe(1)
  })

  it('returns 503 while a card payment is processing, with one payment at Stripe', async () => {
    const credential = answerChallenge(test.stripe, await offered(), { paymentMethod: 'pm_card_processing' })
    expect((await pay(credential)).statusCode).toBe(503)
    expect((await pay(credential)).statusCode).toBe(503)
    expect(takenNow()).toBe(0)
  })

  it('takes nothing a day later for a call that never arrived', async () => {
    const { id } = test.stripe.grant({ expiresAt: 4_000_000_000 })
    const credential = formatPaymentCredential(await offered(), { spt: id })
    test.stripe.failNext(TAKING, 'hang_before')
    expect((await pay(credential)).statusCode).toBe(503)
    test.stripe.forgetKeys()
    now = new Date(Date.now() + 24 * 3_600_000)
    await expectRefused(await pay(credential), 'verification_failed')
    now = new Date()
    expect(takenNow()).toBe(0)
  })
})
