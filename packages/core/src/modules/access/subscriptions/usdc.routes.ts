import { z } from 'zod'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { billingFailed } from '../../../ports/billing-processor.ts'
import { railUnavailable, settlementPending } from '../../../ports/payment-rail.ts'
import { encodeEnvelope, headersOfPayment, notTakenNow, paymentRequired } from '../paywall/index.ts'
import { alreadySubscribed } from './errors.ts'
import {
  invalidYearChallenge,
  payerMismatch,
  usdcNotConfigured,
  usdcOperatorConfigMissing,
  yearChallengeExpired,
  yearNotForSale,
} from './prepaid-errors.ts'
import type { PrepaidPlans } from './prepaid-plans.ts'
import { serializeSubscription, subscriptionSchema } from './schemas.ts'
import type { SubscriptionService } from './service.ts'
import { prepaidPlanSchema, serializePrepaidPlan, yearOfferSchema, yearPaymentBody, yearQuery } from './usdc-schemas.ts'

const HINT =
  'Sign payment_required with an x402 client and send the payload as payment_proof. Clients that limit what they spend need a higher limit for this: setSpendControls of @x402/fetch.'

/** Routes of prepaid years. */
export function usdcRoutes(
  app: EepRoutes,
  {
    prepaidPlans,
    subscriptions,
  }: { readonly prepaidPlans: PrepaidPlans; readonly subscriptions: Pick<SubscriptionService, 'get'> },
): void {
  const shared = { auth: 'bearer', tag: 'subscriptions' } as const

  app.post(
    '/checkout/start-yearly-usdc',
    {
      config: routeConfig({
        ...shared,
        operationId: 'createYearlyUsdcOffer',
        summary: 'Get a signed price in USDC for a year of a tier, valid for some minutes',
        errors: [yearNotForSale, alreadySubscribed, billingFailed, usdcNotConfigured, usdcOperatorConfigMissing],
      }),
      schema: { querystring: yearQuery, response: { 200: yearOfferSchema } },
    },
    async (request, reply) => {
      const { tier } = request.query
      const { challenge, expiresAt, price, resourceUrl, offer, required } = await prepaidPlans.start(
        tier,
        callerOf(request),
      )
      reply.header('cache-control', 'no-store')
      return {
        challenge,
        expires_at: expiresAt.toISOString(),
        tier,
        term: 'P1Y' as const,
        ...price,
        pay_to: offer.payTo,
        network: offer.network,
        asset: offer.asset,
        resource: resourceUrl,
        payment_required_b64: required.encoded,
        payment_required: { ...required.decoded },
        hint: HINT,
      }
    },
  )

  app.post(
    '/checkout/usdc-receipt',
    {
      config: routeConfig({
        ...shared,
        operationId: 'payYearlyUsdc',
        summary: 'Pay for a year of a tier; repeating it charges nothing',
        errors: [
          invalidYearChallenge,
          yearChallengeExpired,
          payerMismatch,
          paymentRequired,
          alreadySubscribed,
          settlementPending,
          notTakenNow,
          railUnavailable,
          usdcNotConfigured,
        ],
      }),
      schema: {
        body: yearPaymentBody,
        response: {
          200: z
            .object({
              success: z.literal(true),
              year: prepaidPlanSchema,
              subscription: subscriptionSchema.nullable(),
            })
            .meta({ id: 'PaidYear' }),
        },
      },
    },
    async (request, reply) => {
      const { tier, challenge, payment_proof: proof, ...payer } = request.body
      const caller = callerOf(request)
      const payment = {
        tier,
        challenge,
        paymentSignature: encodeEnvelope(proof),
        payer: { wallet: payer.payer_wallet_address, network: payer.payer_network, did: payer.payer_did },
      }
      const { year, payment: accepted } = await prepaidPlans.redeem(payment, caller)
      reply.headers({ ...(accepted && headersOfPayment(accepted)), 'cache-control': 'private, no-store' })
      const subscription = await subscriptions.get(caller)
      return {
        success: true as const,
        year: serializePrepaidPlan(year),
        subscription: subscription ? serializeSubscription(subscription) : null,
      }
    },
  )
}
