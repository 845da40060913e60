import { z } from 'zod'
import { checkedGateConfig, gateConfigForm } from '../../../model/gate-config.ts'
import type { GateVersion, GateVersionSummary } from '../../../ports/storage/gates.ts'
import type { GateWarning } from './service.ts'

export const gateVersionSummarySchema = z
  .object({
    version: z.int(),
    bytes: z.int().meta({ description: 'The size of the configuration as JSON' }),
    changed_by: z.string().nullable().meta({ description: 'The account that wrote it, while there is one' }),
    changed_at: z.string(),
  })
  .meta({ id: 'GateVersionSummary' })

export const gateVersionSchema = gateVersionSummarySchema.extend({ config: gateConfigForm }).meta({ id: 'GateVersion' })

/** A configuration to save. */
export const gateBody = checkedGateConfig(
  gateConfigForm.safeExtend({
    allow: z
      .literal('unpayable')
      .optional()
      .meta({ description: 'Saves prices that no configured payment method takes, too. Not stored' }),
  }),
)

/** Whether a payment method takes a price, and why not. */
export const railVerdictSchema = z
  .object({
    rail: z.string(),
    ok: z.boolean(),
    reason: z.enum(['method', 'currency', 'below_minimum', 'above_maximum', 'decimals']).optional().meta({
      description: 'Why it does not take the price. method: the requirement does not allow this payment method',
    }),
    minimum: z.string().optional().meta({ description: 'A decimal in the currency of the price' }),
    maximum: z.string().optional(),
    decimals: z.int().optional().meta({ description: 'The largest number of decimals' }),
    currencies: z.array(z.string()).optional().meta({ description: 'What it takes, when the reason is currency' }),
  })
  .meta({ id: 'RailVerdict' })

/** Something that the owner should know about a configuration. */
export const gateWarningSchema = z
  .object({
    code: z
      .enum([
        'payer_lookup',
        'no_payment_method',
        'price_partly_payable',
        'audience_declared',
        'audience_evadable',
        'audience_shadowed',
        'audience_opens_sold',
        'audience_unprovable',
        'search_engines_pay',
      ])
      .meta({
        description:
          'payer_lookup: the tier costs more than 1.00, and the public address of a payer is enough to open what it bought. no_payment_method: the payment allows only methods that are not configured. price_partly_payable: some of the payment methods that the payment allows do not take its price; rails has the reasons. audience_declared: browsers opens it, which any client can claim to be. audience_evadable: programs that sign pay more than those that do not. audience_shadowed: tiers cover a part of it more closely, and keep the audience from there. audience_opens_sold: the audience alone opens what tiers sell to everyone. audience_unprovable: nothing in this service proves that a reader is one of audiences. search_engines_pay: the crawlers of engines are asked to pay, so pages leave their results',
      }),
    tier: z.string(),
    tiers: z.array(z.string()).optional().meta({ description: 'The other tiers of a warning about an audience' }),
    audiences: z.array(z.string()).optional().meta({ description: 'The audiences that nothing proves' }),
    engines: z.array(z.string()).optional().meta({ description: 'The search engines of search_engines_pay' }),
    rails: z.array(railVerdictSchema).optional(),
  })
  .meta({ id: 'GateWarning' })

/** A configuration that was saved, as JSON with the warnings about it, if there are any. */
export const savedGateSchema = gateConfigForm
  .safeExtend({
    warnings: z.array(gateWarningSchema).optional().meta({ description: 'Absent when there are none' }),
  })
  .meta({ id: 'SavedGate' })

export const serializeGateVersionSummary = ({ version, bytes, changedBy, changedAt }: GateVersionSummary) => ({
  version,
  bytes,
  changed_by: changedBy,
  changed_at: changedAt.toISOString(),
})

export const serializeGateVersion = (version: GateVersion) => ({
  ...serializeGateVersionSummary(version),
  config: version.config,
})

export const serializeGateWarning = ({ code, tier, tiers, audiences, engines, rails }: GateWarning) => ({
  code,
  tier,
  ...(tiers && { tiers: [...tiers] }),
  ...(audiences && { audiences: [...audiences] }),
  ...(engines && { engines: [...engines] }),
  ...(rails && { rails: rails.map((rail) => ({ ...rail })) }),
})
