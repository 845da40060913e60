import { z } from 'zod'
import { coordinatesSchema } from './coordinates.ts'
import { entitlementSchema } from './schemas.ts'

export const offersBody = z.strictObject(coordinatesSchema)

export const offersSchema = z.object({
  payment_required_b64: z.string().meta({ description: 'As the header PAYMENT-REQUIRED of the 402' }),
  decoded_payment_required: z.looseObject({ x402Version: z.literal(2), accepts: z.array(z.looseObject({})) }),
})

const { did, resource, tier } = coordinatesSchema

export const settlePaymentBody = z
  .strictObject({
    payment_signature: z.string().min(1).max(8_192).meta({ description: 'As the header PAYMENT-SIGNATURE' }),
    did: did.optional(),
    resource: resource.optional(),
    tier,
  })
  .refine(
    (body) => (body.did === undefined) === (body.resource === undefined),
    'did and resource come together; without them the payment says what it is for',
  )

export const settledPaymentSchema = z.object({
  success: z.literal(true),
  transaction: z.string().meta({ description: 'Empty when an earlier payment opens it and this one was not used' }),
  network: z.string(),
  payer: z.string(),
  receipt_id: z.string().nullable(),
  entitlement: entitlementSchema.nullable().meta({ description: 'Null when it was paid for one request' }),
})

export const challengeBody = z.strictObject({
  pay_to_did: did,
  resource,
  amount: z.union([z.number().positive().max(1e12), z.string().regex(/^\d{1,12}(\.\d{1,6})?$/)]),
  currency: z.string().regex(/^[A-Za-z]{3,8}$/),
})

export const priceChallengeSchema = z.object({
  challenge: z
    .string()
    .meta({ description: 'Compact JWS (EdDSA) of this price, verifiable with /.well-known/jwks.json' }),
  exp: z.int().meta({ description: 'Seconds since 1970' }),
  pay_to: z.string(),
  amount: z.string(),
  currency: z.string(),
  resource_url: z.string(),
})
