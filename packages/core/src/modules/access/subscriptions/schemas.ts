import { z } from 'zod'
import { listResponse, pagination } from '../../../http/documents/lists.ts'
import { serializeTierLimits, tierLimitsShape } from '../../../http/pipeline/tier-limits.ts'
import { PLANS, type PlanTable } from '../../../model/plan.ts'
import { SUBSCRIPTION_STATUSES } from '../../../model/subscription-status.ts'
import type { Subscription, TierPricing } from '../../../ports/storage/subscriptions.ts'
import type { InvoicePage } from './invoices.ts'
import type { SubscriptionChange } from './plan-changes.ts'

export const MAX_CENTS = 1_000_000_000
export const MAX_TRIAL_DAYS = 730

const cents = z.int().min(0).max(MAX_CENTS)
const trialDays = z.int().min(0).max(MAX_TRIAL_DAYS)
const moment = z.iso.datetime()
const tier = z.enum(PLANS)

export const subscriptionSchema = z
  .object({
    id: z.uuid(),
    tier,
    processor: z.string(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    currency: z.string(),
    price_at_creation_cents: z.int().min(0).describe('The price of this subscription, also after price changes'),
    next_tier: tier.nullable().describe('The plan of the next period, when it is another one'),
    next_price_cents: z.int().min(0).nullable(),
    trial_end: moment.nullable(),
    current_period_end: moment.nullable(),
    cancel_at_period_end: z.boolean(),
    canceled_at: moment.nullable(),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Subscription' })

/** A subscription as its account sees it, without the ids at the processor. */
export const serializeSubscription = (one: Subscription): z.input<typeof subscriptionSchema> => ({
  id: one.id,
  tier: one.tier,
  processor: one.processor,
  status: one.status,
  currency: one.currency,
  price_at_creation_cents: one.priceAtCreationCents,
  next_tier: one.nextTier,
  next_price_cents: one.nextPriceCents,
  trial_end: one.trialEnd?.toISOString() ?? null,
  current_period_end: one.currentPeriodEnd?.toISOString() ?? null,
  cancel_at_period_end: one.cancelAtPeriodEnd,
  canceled_at: one.canceledAt?.toISOString() ?? null,
  created_at: one.createdAt.toISOString(),
  updated_at: one.updatedAt.toISOString(),
})

export const changeBody = z
  .strictObject({ tier: z.enum(['pro', 'team']).optional(), cancel_at_period_end: z.boolean().optional() })
  .refine(
    ({ tier, cancel_at_period_end: ends }) => (tier === undefined) !== (ends === undefined),
    'Requires either tier or cancel_at_period_end',
  )

/** The change that a body asks for. */
export const changeOf = ({ tier, cancel_at_period_end: ends }: z.output<typeof changeBody>): SubscriptionChange =>
  tier === undefined ? { cancelAtPeriodEnd: ends === true } : { tier }

export const portalSchema = z
  .object({ url: z.url().describe('A page of the processor, which leads back to the page of the plan') })
  .meta({ id: 'BillingPortal' })

const invoiceSchema = z
  .object({
    id: z.string(),
    number: z.string().nullable().describe('The number on the invoice'),
    created_at: moment,
    total_cents: z.int().describe('Negative for a credit'),
    currency: z.string(),
    status: z.enum(['open', 'paid', 'uncollectible', 'void']),
    url: z.url().nullable().describe('A page that shows the invoice'),
    pdf_url: z.url().nullable(),
  })
  .meta({ id: 'Invoice' })

export const invoicesSchema = z
  .object({
    data: z.array(invoiceSchema),
    pagination,
  })
  .meta({ id: 'InvoiceList' })

/** Invoices as their account sees them. */
export const serializeInvoices = (page: InvoicePage): z.input<typeof invoicesSchema> =>
  listResponse(page, (one) => ({
    id: one.id,
    number: one.number,
    created_at: one.createdAt.toISOString(),
    total_cents: one.totalCents,
    currency: one.currency,
    status: one.status,
    url: one.url,
    pdf_url: one.pdfUrl,
  }))

export const currentQuery = z.object({
  checkout_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The checkout page from which the buyer returns; its state is read from the processor'),
})
export const currentSchema = z
  .object({ subscription: subscriptionSchema.nullable() })
  .meta({ id: 'CurrentSubscription' })

export const startQuery = z.object({ tier: z.enum(['pro', 'team']), currency: z.enum(['usd', 'eur']) })
export const startedSchema = z
  .object({ checkout_url: z.string(), checkout_id: z.string() })
  .meta({ id: 'PlanCheckout' })

const prices = {
  price_usd_monthly_cents: cents,
  price_eur_monthly_cents: cents,
  price_usdc_yearly_cents: cents,
}

export const tiersSchema = z
  .object({
    tiers: z.array(
      z.object({
        tier,
        name: z.string(),
        limits: z.object({ ...tierLimitsShape, max_file_mb: z.int().min(0) }),
        commission_bps: z.int().min(0),
        prices: z.object(prices),
        trial_days: z.int().min(0),
        api_requests_per_minute: z.int().min(0),
      }),
    ),
  })
  .meta({ id: 'Tiers' })

const serializePrice = (one: TierPricing) => ({
  price_usd_monthly_cents: one.priceUsdMonthlyCents,
  price_eur_monthly_cents: one.priceEurMonthlyCents,
  price_usdc_yearly_cents: one.priceUsdcYearlyCents,
})

/** The available plans. */
export const serializeTiers = (all: readonly TierPricing[], planLimits: PlanTable): z.input<typeof tiersSchema> => ({
  tiers: all.map((one) => {
    const { name, limits, maxFileMb, commissionBps, apiRequestsPerMinute } = planLimits(one.tier)
    return {
      tier: one.tier,
      name,
      limits: { ...serializeTierLimits(limits), max_file_mb: maxFileMb },
      commission_bps: commissionBps,
      prices: serializePrice(one),
      trial_days: one.trialDays,
      api_requests_per_minute: apiRequestsPerMinute,
    }
  }),
})

export const pricingParams = z.object({ tier })
export const pricingSchema = z.object({ tier, ...prices, trial_days: trialDays }).meta({ id: 'Pricing' })
export const allPricingSchema = z.object({ tiers: z.array(pricingSchema) }).meta({ id: 'AllPricing' })

/** The row of a tier as administrators see it. */
export const serializePricing = (one: TierPricing): z.input<typeof pricingSchema> => ({
  tier: one.tier,
  ...serializePrice(one),
  trial_days: one.trialDays,
})

export const pricingBody = z
  .strictObject({
    price_usd_monthly_cents: cents.optional(),
    price_eur_monthly_cents: cents.optional(),
    price_usdc_yearly_cents: cents.optional(),
    trial_days: trialDays.optional(),
  })
  .refine(
    (body) => Object.values(body).some((value) => value !== undefined),
    'Requires a price or the days of the trial',
  )

/** The changes of a body. */
export const pricingChanges = (body: z.output<typeof pricingBody>) => ({
  priceUsdMonthlyCents: body.price_usd_monthly_cents,
  priceEurMonthlyCents: body.price_eur_monthly_cents,
  priceUsdcYearlyCents: body.price_usdc_yearly_cents,
  trialDays: body.trial_days,
})
