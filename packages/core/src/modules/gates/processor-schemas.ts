import { z } from 'zod'
import { coordinatesSchema } from './coordinates.ts'

const url = z.string().min(1).max(2_048)

export const settleBody = z
  .strictObject({
    ...coordinatesSchema,
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

export const checkoutBody = z.strictObject({
  ...coordinatesSchema,
  success_url: url.optional(),
  cancel_url: url.optional(),
})

export const checkoutSchema = z.object({
  checkout_url: z.string(),
  checkout_id: z.string(),
  expires_at: z.iso.datetime(),
})
