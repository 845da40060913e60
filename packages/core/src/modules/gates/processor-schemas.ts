import { z } from 'zod'

const url = z.string().min(1).max(2_048)

/** What is to be bought: a page by the name its gate has for it or by its path, and the tier where several sell it. */
const coordinates = {
  did: z.string().min(1).max(512),
  resource: z.string().min(1).max(1_024),
  tier: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/)
    .optional(),
  /** A tier asks for one payment, so this is 0. */
  requirement_index: z.literal(0).optional(),
}

export const settleBody = z
  .strictObject({
    ...coordinates,
    shared_payment_token: z.string().min(1).max(512).optional(),
    credential: z.string().min(1).max(16_384).optional(),
  })
  .refine(
    ({ shared_payment_token: token, credential }) => (token === undefined) !== (credential === undefined),
    'Exactly one of shared_payment_token and credential is needed',
  )

export const settledSchema = z.object({
  settled: z.literal(true),
  reference: z.string(),
  receipt_id: z.string().nullable(),
  payer: z.object({ wallet: z.string(), network: z.string() }),
  /** In the smallest unit of the currency. */
  amount: z.int(),
  currency: z.string(),
})

export const checkoutBody = z.strictObject({ ...coordinates, success_url: url.optional(), cancel_url: url.optional() })

export const checkoutSchema = z.object({
  checkout_url: z.string(),
  checkout_id: z.string(),
  expires_at: z.iso.datetime(),
})
