import { z } from 'zod'
import { CARD_CURRENCIES } from '../../../ports/card/index.ts'
import { SANDBOX_PROCESSOR, TEST_CARDS, type TestCard } from './rail/records.ts'

/** Of the ids of checkout pages: 128 random bits. */
export const checkoutParams = z.object({ checkoutId: z.string().regex(/^[\w-]{22}$/) })

/** The form of a checkout page. */
export const checkoutForm = z.strictObject({
  answer: z.enum(['pay', 'decline', 'unknown', 'cancel']).meta({ description: 'The button that was pressed' }),
  email: z.string().max(1_024).optional().meta({ description: 'For the receipt' }),
})

/** The body of `POST /sandbox/tokens`: the names are those that clients of the scheme `Payment` pass to `createToken`. */
export const tokenBody = z.strictObject({
  paymentMethod: z
    .enum(Object.keys(TEST_CARDS) as [TestCard, ...TestCard[]])
    .meta({ description: 'What becomes of a payment with the token' }),
  amount: z
    .string()
    .regex(/^[1-9]\d{0,7}$/)
    .meta({ description: 'The most that the token pays, in the smallest unit of the currency' }),
  currency: z.enum(CARD_CURRENCIES as [string, ...string[]]),
  networkId: z.literal(SANDBOX_PROCESSOR).meta({ description: 'As the challenge has it' }),
  expiresAt: z
    .int()
    .positive()
    .max(99_999_999_999)
    .meta({ description: 'In seconds since 1970, at most an hour from now' }),
  metadata: z
    .record(z.string().min(1).max(40), z.string().max(500))
    .refine((members) => Object.keys(members).length <= 20, 'At most 20 members')
    .nullish(),
})

/** The answer of `POST /sandbox/tokens`. */
export const tokenSchema = z.object({ spt: z.string().meta({ description: 'Pays once' }) }).meta({ id: 'SandboxToken' })
