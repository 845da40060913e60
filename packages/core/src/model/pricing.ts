import { z } from 'zod'
import { line } from '../kernel/text-fields.ts'

const MODELS = 'fixed|per_request|per_event|subscription|metered|tiered_volume|x-[a-z][a-z0-9_-]*'
const PERIODS = ['hour', 'day', 'week', 'month', 'year'] as const
const MAX_TIERS = 50

const money = z.number().min(0).max(1e12)

/** A currency code in the format of EEP: `usd`. */
export const currency = z
  .string()
  .regex(/^[a-z]{3}$/, 'Must be a currency code of three lower-case letters such as usd')
export const amount = money

const members = {
  currency,
  amount: money.optional(),
  period: z.enum(PERIODS).optional(),
  unit: line(64).optional(),
  rate: money.optional(),
  tiers: z
    .array(z.strictObject({ up_to: z.union([z.int().min(1), z.literal('infinity')]), rate: money }))
    .max(MAX_TIERS)
    .optional(),
  minimum_charge: money.optional(),
  maximum_charge: money.optional(),
}

type Priced = z.output<z.ZodObject<typeof members>> & { readonly model: string }

/** Returns what a pricing model lacks: the path and a message for each issue. */
function faultsOf(pricing: Priced): readonly { readonly path: string; readonly message: string }[] {
  const { model, period, unit, rate, tiers, minimum_charge: least, maximum_charge: most } = pricing
  const wrong = (is: boolean, path: string, message: string) => (is ? [{ path, message }] : [])
  return [
    ...wrong(model === 'subscription' && period === undefined, 'period', 'Subscription pricing needs a period'),
    ...wrong(model === 'metered' && unit === undefined, 'unit', 'Metered pricing needs a unit'),
    ...wrong(model === 'metered' && rate === undefined, 'rate', 'Metered pricing needs a rate'),
    ...wrong(model === 'tiered_volume' && !tiers?.length, 'tiers', 'Volume pricing needs tiers'),
    ...wrong(
      least !== undefined && most !== undefined && least > most,
      'maximum_charge',
      'The maximum must not be below the minimum',
    ),
  ]
}

const priced = (models: string) =>
  z
    .strictObject({
      model: z
        .string()
        .max(64)
        .regex(new RegExp(`^(${models})$`), 'Must be a pricing model of EEP'),
      ...members,
    })
    .superRefine((pricing, context) => {
      for (const { path, message } of faultsOf(pricing)) context.addIssue({ code: 'custom', path: [path], message })
    })

/** The price of an offer. */
export const pricingSchema = priced(MODELS)
/** The price of a listed service, which may be free. */
export const listedPricingSchema = priced(`${MODELS}|free`)

/** The price of an offer, as deals and listings store it. */
export type Pricing = z.output<typeof pricingSchema>
