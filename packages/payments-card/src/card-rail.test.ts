import { type CredentialHeaders, challengeIn, type RailOffer } from '@eep/core/ports'
import { paymentRailContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { purchaseOf, railOn } from './testing/bench.ts'
import { payOffer, type StripeFaultKind, startFakeStripe, TAKING } from './testing/index.ts'

const FAULTS = [
  'hang_before',
  'hang_after',
  'reset_before',
  'reset_after',
  'error_before',
  'error_after',
  'rate_limit',
  'conflict',
  'redirect_before',
  'redirect_after',
  'wrong_amount_after',
  'wrong_currency_after',
  'no_json_after',
  'twice_after',
  'slow_after',
] as const satisfies readonly StripeFaultKind[]

paymentRailContract(vitest, async () => {
  const stripe = await startFakeStripe()
  const purchase = purchaseOf()
  const pay = async (offer: RailOffer): Promise<CredentialHeaders> => payOffer(stripe, offer)
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const challenge = { id: 'x.y', realm: 'r', method: 'stripe', intent: 'charge', request: 'e30' }
  return {
    rail: railOn(stripe),
    purchase,
    pay,
    underpay: async (offer) => payOffer(stripe, offer, { maxAmount: 499 }),
    broken: [
      { authorization: `Payment ${encoded({ challenge, payload: {} })}` },
      { authorization: `Payment ${encoded({ challenge, payload: { spt: 'tok_1' } })}` },
      { paymentAuthorization: `Payment ${encoded({ challenge, payload: { spt: 'spt_1' } })}` },
      {
        authorization: `Payment ${encoded({ challenge: { ...challenge, expires: 'soon' }, payload: { spt: 'spt_1' } })}`,
      },
    ],
    taken: async () => stripe.balance(),
    loseAnswer: () => stripe.failNext(TAKING, 'hang_after'),
    lies: {
      ...Object.fromEntries(FAULTS.map((fault) => [fault, () => stripe.failNext(TAKING, fault)])),
      'three lost answers': () => {
        for (let lost = 0; lost < 3; lost++) stripe.failNext(TAKING, 'error_after')
        stripe.failNext(/search/, 'reset_before')
      },
      'a lost answer, a search that lags and a redirect': () => {
        stripe.failNext(TAKING, 'hang_after')
        stripe.delaySearch(true)
        stripe.failNext(/GET .*payment_intents\/pi_/, 'redirect_before')
      },
    },
    another: async () => railOn(stripe),
    close: () => stripe.stop(),
  }
})

vitest.describe('a challenge', () => {
  vitest.it('is made for the field that is free', async () => {
    const stripe = await startFakeStripe()
    const offer = await railOn(stripe).offer(purchaseOf())
    const challenge = challengeIn(offer ?? {}, { field: 'Payment-Authorization' })
    vitest.expect(challenge).toMatchObject({ header: 'Payment-Authorization', method: 'stripe', intent: 'charge' })
    await stripe.stop()
  })
})
