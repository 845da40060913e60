import { type PaymentChallenge, type PaymentRail, parsePaymentChallenges } from '@eep/core/ports'
import { type CardRailOptions, cardRail } from '@eep/payments-card'
import { type FakeStripe, hastyWhenHanging, startFakeStripe } from '@eep/payments-card/testing'
import type { LightMyRequestResponse } from 'fastify'
import { createTestApp, SECRET, type TestAppOptions } from './app.ts'
import { mergeOptions } from './options.ts'

/** A card rail on a fake Stripe. */
export function cardRailOn(stripe: FakeStripe, options: Partial<CardRailOptions> = {}): PaymentRail {
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
  return hastyWhenHanging(stripe, waiting(60_000), waiting(250))
}

/** The service with a card rail and its fake Stripe, and other rails after it. */
export async function createCardApp(
  options: TestAppOptions = {},
  railOptions: Partial<CardRailOptions> = {},
  others: readonly PaymentRail[] = [],
) {
  const stripe = await startFakeStripe()
  const test = await createTestApp(
    mergeOptions(
      {
        payments: {
          rails: [cardRailOn(stripe, railOptions), ...others],
          // Outcomes are resolved by the requests of a test, not by the reconciler.
          settlementLeaseMs: 600_000,
        },
      },
      options,
    ),
  )
  return {
    ...test,
    stripe,
    async close() {
      await test.close()
      await stripe.stop()
    },
  }
}

/** The challenge for Stripe in a 402; undefined when it has none. */
export function challengeIn({ headers }: LightMyRequestResponse): PaymentChallenge | undefined {
  const values = [headers['www-authenticate'] ?? []].flat().map(String)
  return parsePaymentChallenges(values).find(({ method }) => method === 'stripe')
}
