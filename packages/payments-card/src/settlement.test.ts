import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBench, outcomeOf, purchaseOf, railOn } from './testing/bench.ts'
import { answerChallenge, type FakeStripe, startFakeStripe, TAKING } from './testing/index.ts'

const MINUTE = 60_000

let stripe: FakeStripe
let later = 0
const now = () => new Date(Date.now() + later)
beforeAll(async () => {
  stripe = await startFakeStripe({ now })
})
afterAll(() => stripe.stop())

/** A credential whose settlement failed, with a token that outlives the challenge. */
async function lost(fault: Parameters<FakeStripe['failNext']>[1]) {
  const bench = createBench(stripe, { now })
  const payment = await bench.paid({ expiresAt: 4_000_000_000 })
  stripe.failNext(TAKING, fault)
  expect(await outcomeOf(payment.settle())).toBe('settlement_pending: settlement_pending')
  return payment
}

async function after<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  later = ms
  try {
    return await work()
  } finally {
    later = 0
  }
}

describe('an error that Stripe stores for an idempotency key', () => {
  it('settles a call that took the money as soon as Stripe finds the payment', async () => {
    const taken = stripe.balance()
    stripe.delaySearch(true)
    const { recover } = await lost('stored_error_after')
    expect(await outcomeOf(recover())).toMatch(/^settlement_pending/)
    expect(await after(30 * MINUTE, () => outcomeOf(recover()))).toMatch(/^settlement_pending/)
    stripe.delaySearch(false)
    expect(await outcomeOf(recover())).toBe('settled')
    expect(stripe.balance() - taken).toBe(500n)
  })

  it('refuses a call that took nothing when the token was unused for ten minutes', async () => {
    const taken = stripe.balance()
    const { recover } = await lost('stored_error_before')
    expect(await outcomeOf(recover())).toMatch(/^settlement_pending/)
    expect(await after(11 * MINUTE, () => outcomeOf(recover()))).toBe('payment_refused: verification_failed')
    expect(stripe.balance()).toBe(taken)
  })
})

describe('two tokens for one challenge', () => {
  it('pays a challenge with the first of two tokens, also when its answer was lost', async () => {
    const taken = stripe.balance()
    const { rail, read, offerOf } = createBench(stripe, { now })
    const purchase = purchaseOf()
    const { challenge } = await offerOf(purchase)
    const parameters = typeof challenge === 'function' ? challenge({ field: 'Authorization' }) : challenge
    // The parameters of a challenge are JSON in the port; `answerChallenge` takes those of this rail.
    const [first, second] = [1, 2].map(() =>
      read({ authorization: answerChallenge(stripe, parameters as never, { expiresAt: 4_000_000_000 }) }),
    ) as [ReturnType<typeof read>, ReturnType<typeof read>]
    const checkpoint = await rail.verify(first, purchase)
    stripe.failNext(TAKING, 'hang_after')
    expect(await outcomeOf(rail.settle(first, purchase, checkpoint))).toMatch(/^settlement_pending/)
    expect(await outcomeOf(rail.settle(second, purchase, checkpoint))).toBe('payment_refused: invalid_challenge')
    expect(await outcomeOf(rail.recover(second, purchase, checkpoint))).toMatch(/^settlement_pending/)
    expect(await after(11 * MINUTE, () => outcomeOf(rail.recover(second, purchase, checkpoint)))).toBe(
      'payment_refused: verification_failed',
    )
    expect(await outcomeOf(rail.recover(first, purchase, checkpoint))).toBe('settled')
    expect(stripe.balance() - taken).toBe(500n)
  })
})

it('settles a payment for a resource whose name is longer than Stripe accepts as metadata', async () => {
  const purchase = purchaseOf({ resource: `content.${'a'.repeat(800)}` })
  const { settle } = await createBench(stripe, { now }).paid({ expiresAt: 4_000_000_000 }, purchase)
  expect(await outcomeOf(settle())).toBe('settled')
})

describe('the rail', () => {
  it('is ready when its key is valid, and reports an invalid key', async () => {
    await railOn(stripe).ping?.()
    stripe.failNext(/GET .*payment_intents/, 'bad_key')
    expect(await outcomeOf(Promise.resolve(railOn(stripe).ping?.()))).toBe('rail_unavailable')
  })

  it('checks Stripe again 30 seconds after a successful check', async () => {
    const rail = railOn(stripe, { now })
    await rail.ping?.()
    stripe.failNext(/GET .*payment_intents/, 'bad_key')
    await rail.ping?.()
    const answer = after(30_000, () => outcomeOf(Promise.resolve(rail.ping?.())))
    expect(await answer).toBe('rail_unavailable')
  })

  it.each([
    [{ secretKey: 'pk_test_1' }, 'secretKey'],
    [{ profileId: '' }, 'profileId'],
    [{ currencies: ['doge'] }, 'doge'],
    [{ currencies: [] }, 'currencies'],
    [{ challengeSeconds: 5 }, 'challengeSeconds'],
    [{ secret: 'short' }, 'secret'],
  ])('rejects the options %j', (options, problem) => {
    expect(() => railOn(stripe, options)).toThrow(problem)
  })

  it('sends the token in the field that the API version requires', async () => {
    const bench = createBench(stripe, { now, tokenParameter: 'payment_method_data' })
    expect(await outcomeOf((await bench.paid()).settle())).toBe('settled')
    const old = createBench(stripe, { now, apiVersion: '2026-10-28.endive' })
    expect(await outcomeOf((await old.paid()).settle())).toBe('rail_unavailable')
  })

  it('refuses an unrestricted token when the option forbids it', () => {
    const { rail } = createBench(stripe, { acceptRawToken: false })
    expect(() => rail.read({ authorization: 'Payment spt_1' })).toThrow()
  })
})

describe('a page of Stripe', () => {
  const back = { successUrl: 'https://id.example/thanks', cancelUrl: 'https://id.example/gate' }

  it('is not settled by another amount than its purchase costs', async () => {
    const rail = railOn(stripe)
    const purchase = purchaseOf()
    const page = await rail.processor?.openCheckout(purchase, back)
    if (!page) throw new Error('the rail has no pages')
    stripe.completeCheckout(page.credential.id)
    const settle = (amount: string) =>
      outcomeOf(rail.recover(page.credential, { ...purchase, price: { amount, currency: 'usd' } }, {}))
    for (const amount of ['4', '6']) expect(await settle(amount)).toMatch(/^settlement_pending/)
    expect(await settle('5')).toBe('settled')
  })

  it.each([
    [{ eep_checkout: 'true' }, 'cs_test_1'],
    [{}, undefined],
  ])('with the metadata %j is reported as %s', (metadata, id) => {
    const page = { id: 'cs_test_1', object: 'checkout.session', mode: 'payment', metadata }
    const { body, headers } = stripe.message(stripe.event('checkout.session.completed', page))
    expect(railOn(stripe).processor?.readMessage(Buffer.from(body), headers)).toBe(id)
  })
})
