import { z } from 'zod'
import { entitlementSchema } from '../../receipts/index.ts'
import { purchaseCoordinatesSchema } from '../pay/resolve-purchase.ts'

const url = z.string().min(1).max(2_048)

const { did, resource, tier, link_key } = purchaseCoordinatesSchema

export const settleBody = z
  .strictObject({
    ...purchaseCoordinatesSchema,
    shared_payment_token: z.string().min(1).max(512).optional(),
    credential: z.string().min(1).max(16_384).optional(),
  })
  .refine(
    ({ shared_payment_token: token, credential }) => (token === undefined) !== (credential === undefined),
    'Exactly one of shared_payment_token and credential is needed',
  )

export const settledSchema = z
  .object({
    settled: z.literal(true),
    reference: z.string(),
    receipt_id: z.string().nullable(),
    payer: z.object({ wallet: z.string(), network: z.string() }),
    /** In the smallest unit of the currency. */
    amount: z.int(),
    currency: z.string(),
  })
  .meta({ id: 'SettledCredential' })

export const checkoutBody = z.strictObject({
  ...purchaseCoordinatesSchema,
  success_url: url.optional(),
  cancel_url: url.optional(),
  tell_seller_email: z
    .boolean()
    .optional()
    .meta({ description: 'The seller gets the email address that the buyer enters on the page. Default: false' }),
})

export const checkoutForm = z.strictObject({
  did,
  resource,
  tier,
  link_key,
  tell_seller_email: z.literal('yes').optional(),
  key: z
    .string()
    .regex(/^[\w-]{16,64}$/)
    .meta({ description: 'The same for every submission of one page, which open one checkout page' }),
})

export const checkoutSchema = z
  .object({
    checkout_url: z.string(),
    checkout_id: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'Checkout' })

export const offersBody = z.strictObject(purchaseCoordinatesSchema)

export const offersSchema = z
  .object({
    payment_required_b64: z.string().meta({ description: 'As the header PAYMENT-REQUIRED of the 402' }),
    decoded_payment_required: z.looseObject({ x402Version: z.literal(2), accepts: z.array(z.looseObject({})) }),
  })
  .meta({ id: 'PaymentOffers' })

export const settlePaymentBody = z
  .strictObject({
    payment_signature: z.string().min(1).max(8_192).meta({ description: 'As the header PAYMENT-SIGNATURE' }),
    did: did.optional(),
    resource: resource.optional(),
    tier,
    link_key,
  })
  .refine(
    (body) => (body.did === undefined) === (body.resource === undefined),
    'Send did and resource together; without them the payment must name its resource',
  )

export const settledPaymentSchema = z
  .object({
    success: z.literal(true),
    transaction: z.string().meta({ description: 'Empty when an earlier payment opens it and this one was not used' }),
    network: z.string(),
    payer: z.string(),
    receipt_id: z.string().nullable(),
    entitlement: entitlementSchema.nullable().meta({ description: 'Null when it was paid for one request' }),
  })
  .meta({ id: 'SettledPayment' })

export const challengeBody = z.strictObject({
  pay_to_did: did,
  resource,
  link_key,
  amount: z.union([z.number().positive().max(1e12), z.string().regex(/^\d{1,12}(\.\d{1,6})?$/)]),
  currency: z.string().regex(/^[A-Za-z]{3,8}$/),
})

export const priceChallengeSchema = z
  .object({
    challenge: z
      .string()
      .meta({ description: 'Compact JWS (EdDSA) of this price, verifiable with /.well-known/jwks.json' }),
    exp: z.int().meta({ description: 'Seconds since 1970' }),
    pay_to: z.string(),
    amount: z.string(),
    currency: z.string(),
    resource_url: z.string(),
  })
  .meta({ id: 'PriceChallenge' })
