import { type CashPayment, createCashWallets } from '@eep/core/testing'
import { expect } from 'vitest'
import { CHAIN, fixture, newUser, onBare, post, time } from './fixture.ts'
import { codeIs, count, type Headers, is, moment, type Row, row, text } from './row.ts'

const START = '/checkout/start-yearly-usdc'
const REDEEM = '/checkout/usdc-receipt'

const payers = createCashWallets({ clock: time.clock })

/** The challenge of an account without a subscription, answered by a payment. */
async function answered(as: Headers, payment: CashPayment = {}) {
  const { challenge, payment_required: required } = (await post(`${START}?tier=pro`, as)).json()
  const { paymentSignature } = payers.pay(required.accepts[0], payment)
  return { tier: 'pro', challenge, payment_proof: JSON.parse(Buffer.from(paymentSignature, 'base64').toString()) }
}

/** Asks while the rail makes no offers. */
async function without(offers: 'none' | 'failing', as: Headers) {
  fixture.offers = offers
  try {
    return await post(`${START}?tier=team`, as)
  } finally {
    fixture.offers = 'made'
  }
}

/** The years of the table of subscriptions and pricing. */
export const prepaidPlans: readonly Row[] = [
  row(
    `POST ${START}`,
    'bearer',
    is(
      200,
      'a tier',
      (as) => post(`${START}?tier=pro`, as),
      expect.objectContaining({
        challenge: text,
        pay_to: text,
        network: `eip155:${CHAIN}`,
        resource: text,
        amount: '120',
        payment_required: expect.objectContaining({ x402Version: 2 }),
        payment_required_b64: text,
      }),
    ),
    is(400, 'the free tier', (as) => post(`${START}?tier=community`, as)),
    is(400, 'no tier', (as) => post(START, as)),
    is(502, 'a rail that fails', (as) => without('failing', as)),
    is(
      503,
      'no rail for it',
      (as) => onBare('POST', `${START}?tier=pro`, as),
      undefined,
      codeIs('usdc_not_configured'),
    ),
    is(503, 'no address to be paid at', (as) => without('none', as), undefined, codeIs('usdc_operator_config_missing')),
  ),
  row(
    `POST ${REDEEM}`,
    'bearer',
    is(
      200,
      'a payment, and the same to the same payment',
      async () => {
        const { headers } = await newUser()
        const body = await answered(headers)
        const [first, again] = [await post(REDEEM, headers, body), await post(REDEEM, headers, body)]
        expect(again.json()).toEqual(first.json())
        return again
      },
      {
        success: true,
        year: expect.objectContaining({ receipt_id: text, tier: 'pro', price_cents: count, paid_at: moment }),
        subscription: expect.objectContaining({ tier: 'pro', status: 'active', current_period_end: moment }),
      },
    ),
    is(400, 'no payment', (as) => post(REDEEM, as, { tier: 'pro', challenge: 'a.b.c' })),
    is(400, 'the challenge of another account', async (as) =>
      post(REDEEM, as, await answered((await newUser()).headers)),
    ),
    is(402, 'a payment of too little', async (as) => post(REDEEM, as, await answered(as, { amount: '1' }))),
  ),
]
