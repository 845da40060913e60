import { z } from 'zod'
import type { PrepaidPlan } from '../../../ports/storage/prepaid-plans.ts'

const PAID_TIERS = ['pro', 'team'] as const

export const yearQuery = z.strictObject({ tier: z.enum(PAID_TIERS) })

export const yearOfferSchema = z
  .object({
    challenge: z.string().describe('Send it back with the payment'),
    expires_at: z.iso.datetime(),
    tier: z.enum(PAID_TIERS),
    term: z.literal('P1Y'),
    /** A decimal in units of the currency. */
    amount: z.string(),
    currency: z.string(),
    pay_to: z.string(),
    network: z.string(),
    asset: z.string(),
    resource: z.url(),
    payment_required_b64: z.string(),
    payment_required: z.looseObject({ x402Version: z.literal(2) }),
    hint: z.string(),
  })
  .meta({ id: 'PrepaidYearOffer' })

/** Longer than any valid payment; longer values are rejected. */
const MAX_PROOF = 12_000

export const yearPaymentBody = z.strictObject({
  tier: z.enum(PAID_TIERS),
  challenge: z.string().min(1).max(8_192),
  payment_proof: z
    .looseObject({ x402Version: z.literal(2) })
    .refine((proof) => JSON.stringify(proof).length <= MAX_PROOF, `Longer than ${MAX_PROOF} characters of JSON`)
    .describe('PaymentPayload of x402 v2, made of `payment_required`'),
  payer_did: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('The DID of a profile of the account, or did:pkh of the wallet that signed'),
  payer_wallet_address: z.string().min(1).max(128).optional(),
  payer_network: z.string().min(1).max(64).optional(),
})

const termSchema = z.object({ starts_at: z.iso.datetime(), ends_at: z.iso.datetime() })

export const prepaidPlanSchema = z
  .object({
    receipt_id: z.string(),
    tier: z.enum(['community', 'pro', 'team']),
    price_cents: z.int(),
    paid_at: z.iso.datetime(),
    /** Null while the year waits for the end of another subscription. */
    term: termSchema.nullable(),
  })
  .meta({ id: 'PrepaidYear' })

export const serializePrepaidPlan = ({
  receiptId,
  tier,
  priceCents,
  paidAt,
  term,
}: PrepaidPlan): z.input<typeof prepaidPlanSchema> => ({
  receipt_id: receiptId,
  tier,
  price_cents: priceCents,
  paid_at: paidAt.toISOString(),
  term: term && { starts_at: term.startsAt.toISOString(), ends_at: term.endsAt.toISOString() },
})
