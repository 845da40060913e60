import type { PaymentChallenge } from '@eep/core/ports'
import { answerChallenge, TAKING } from '@eep/payments-card/testing'
import { describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { challengeIn, createCardApp } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { openShop, SECRET_WORD } from '../../support/shop.ts'

// Card payments have no wallet, so the session of the request or the credential identifies the payer.

/** A service that takes cards, a shop, and an account that buys there. */
async function openSale(beforeSettle?: () => Promise<void>) {
  const test = await createCardApp({ hooks: { beforeSettle: async () => beforeSettle?.() } })
  const shop = await openShop(test.app, 'card-seller', { amount: 5, currency: 'usd' })
  const buyer = await signUp(test.app, 'card-buyer')
  const read = (headers: Record<string, string> = {}, url = shop.paid) =>
    client(test.app).get(url, { ...buyer.headers, ...headers })
  return {
    test,
    shop,
    buyer,
    read,
    /** Requests a page, and returns the header of a repeat that pays for it with a new token. */
    async paymentFor(url = shop.paid) {
      const challenge = challengeIn(await read({}, url))
      if (!challenge) throw new Error('the 402 has no challenge')
      return { 'payment-authorization': answerChallenge(test.stripe, challenge) }
    },
  }
}

describe('a payment by card without a session', () => {
  it('proves its payer when it is repeated', async () => {
    const test = await createCardApp({ payments: { payerProof: 'signed' } })
    const { paid } = await openShop(test.app, 'card-prover', { amount: 5, currency: 'usd' })
    const { get } = client(test.app)
    const challenge = challengeIn(await get(paid))
    const credential = { authorization: answerChallenge(test.stripe, challenge as PaymentChallenge) }
    await get(paid, credential)
    const { cookies } = await get(paid, credential)
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    expect((await get(paid, { cookie })).statusCode).toBe(200)
    await test.close()
  })
})

describe('a payment by card with a session', () => {
  it('takes nothing when its account becomes entitled before the card is charged', async () => {
    const grants: (() => Promise<unknown>)[] = []
    const { test, shop, buyer, read, paymentFor } = await openSale(async () => void (await grants.pop()?.()))
    try {
      const payment = await paymentFor()
      grants.push(() =>
        shop.post('/manage/entitlements', {
          profile_id: shop.profileId,
          tier: 'reader',
          account: buyer.account.username,
        }),
      )
      const response = await read(payment)
      expect(response.statusCode, response.body).toBe(200)
      expect(response.body).toContain(SECRET_WORD)
      expect(test.stripe.charges()).toEqual([])
    } finally {
      await test.close()
    }
  })

  it('keeps a second token unspent while the outcome of the first is unknown', async () => {
    const { test, shop, read, paymentFor } = await openSale()
    try {
      test.stripe.failNext(TAKING, 'hang_after')
      expect((await read(await paymentFor())).statusCode).toBe(503)
      expect((await read(await paymentFor())).statusCode).toBe(200)
      expect((await read({}, shop.other)).statusCode).toBe(200)
      expect(test.stripe.charges()).toHaveLength(1)
    } finally {
      await test.close()
    }
  })
})
