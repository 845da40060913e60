import { randomUUID } from 'node:crypto'
import type { Purchase, SubscriptionOrder } from '@eep/core/ports'
import { type CardBillingOptions, cardBilling } from '../card-billing.ts'
import { type CardRailOptions, cardRail } from '../card-rail.ts'
import { payOffer } from './buyer.ts'
import type { TokenRequest } from './fake-records.ts'
import type { FakeStripe } from './fake-stripe.ts'
import { hastyWhenHanging } from './patience.ts'

export const purchaseOf = (changes: Partial<Purchase> = {}): Purchase => ({
  profileId: 7,
  sellerDid: 'did:web:id.example:u:ada',
  resource: 'content.notes.engines',
  pattern: 'content.notes.*',
  tier: 'reader',
  access: ['content.notes.*'],
  rails: null,
  per: 'day',
  price: { amount: '5', currency: 'usd' },
  shown: { url: 'https://id.example/u/ada/content/notes/engines', description: 'Engines', mimeType: 'text/markdown' },
  payTo: {},
  ...changes,
})

const SECRET = 'a secret for tests, of thirty-two characters or more'

/** A rail on a fake Stripe. */
export const railOn = (stripe: FakeStripe, options: Partial<CardRailOptions> = {}) => {
  const waiting = (timeoutMs: number) =>
    cardRail({
      secretKey: stripe.secretKey,
      apiBase: stripe.url,
      profileId: stripe.profileId,
      webhookSecret: stripe.webhookSecret,
      secret: SECRET,
      timeoutMs,
      ...options,
    })
  return hastyWhenHanging(stripe, waiting(60_000), waiting(200))
}

/** Subscriptions on a fake Stripe. */
export const billingOn = (stripe: FakeStripe, options: Partial<CardBillingOptions> = {}) =>
  cardBilling({
    secretKey: stripe.secretKey,
    apiBase: stripe.url,
    webhookSecret: stripe.webhookSecret,
    ...options,
  })

export const newOrder = (changes: Partial<SubscriptionOrder> = {}): SubscriptionOrder => ({
  accountId: randomUUID(),
  tier: 'pro',
  currency: 'usd',
  priceCents: 800,
  trialDays: 0,
  title: 'Pro',
  email: 'ada@mail.example',
  successUrl: 'https://pages.example/subscribed',
  cancelUrl: 'https://pages.example/pricing',
  attempt: randomUUID(),
  ...changes,
})

export function createBench(stripe: FakeStripe, options: Partial<CardRailOptions> = {}) {
  const rail = railOn(stripe, options)
  const offerOf = async (purchase = purchaseOf()) => {
    const offer = await rail.offer(purchase)
    if (!offer) throw new Error('the rail has no offer for this purchase')
    return offer
  }
  const read = (headers: Parameters<typeof rail.read>[0]) => {
    const credential = rail.read(headers)
    if (!credential) throw new Error('the rail has not read its credential')
    return credential
  }
  return {
    rail,
    offerOf,
    read,
    /** Returns a credential with a new token for the purchase, and a function that settles it. */
    async paid(token?: TokenRequest, purchase = purchaseOf()) {
      const headers = payOffer(stripe, await offerOf(purchase), token)
      const credential = read(headers)
      const checkpoint = await rail.verify(credential, purchase)
      return {
        headers,
        credential,
        checkpoint,
        settle: () => rail.settle(credential, purchase, checkpoint),
        recover: () => rail.recover(credential, purchase, checkpoint),
      }
    },
  }
}

/** Returns `settled`, or the code and reason of the error. */
export async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
    return 'settled'
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { reason?: string } }
    return [code ?? String(error), details?.reason].filter(Boolean).join(': ')
  }
}
