import { z } from 'zod'
import { AUDIENCES } from '../../../../model/audience.ts'
import { gateConfigForm, priceSchema } from '../../../../model/gate-config.ts'
import { proofsSchema } from '../../../../model/gate-proof.ts'
import { normalizeResource, WRITTEN_RESOURCE } from '../../../../model/resource-name.ts'
import { gateWarningSchema, railVerdictSchema } from '../../gates/index.ts'
import { sessionSchema } from './session.ts'

/** A resource or a wildcard, as {@link normalizeResource} reads it. */
const resource = z
  .string()
  .max(512)
  .regex(WRITTEN_RESOURCE, 'Write a resource like content.notes.my_page, or content.notes.* for all below')
  .transform(normalizeResource)

export const verifyProofBody = z.strictObject({ resource, proofs: proofsSchema.default([]) })

export const provenSchema = z
  .object({
    access: z.literal('granted'),
    granted: z.literal(true),
    resource: z.string(),
    tier: z.string(),
    session_token: z.string().optional().meta({ description: 'For `Authorization: EEP-Session <token>`' }),
    session: sessionSchema.optional(),
    expires_at: z.string().optional(),
  })
  .meta({ id: 'VerifiedProof' })

export const explainQuery = z.object({
  resource,
  payer_wallet: z.string().max(256).optional(),
  payer_network: z.string().max(128).optional(),
  as: z.enum(AUDIENCES).optional().meta({ description: 'The audience of the visitor. Default: unverified' }),
})

const requirement = z.looseObject({ type: z.string() })

const audienceExplanation = z.object({
  granted: z.boolean(),
  tier: z.string().nullable(),
  price: priceSchema.extend({ amount: z.string() }).nullable(),
})

const audiences = z
  .record(z.enum(AUDIENCES), audienceExplanation)
  .meta({ description: 'The decision for each audience, without other proofs, entitlements or payments' })

export const explanationSchema = z
  .object({
    resource: z.string(),
    state: z.enum(['open', 'closed']),
    reason: z.string(),
    default_tier: z.object({ tier: z.string(), pattern: z.string().nullable(), score: z.int() }),
    tiers: z.array(
      z.object({
        tier: z.string(),
        label: z.string().optional(),
        pattern: z.string(),
        score: z.int(),
        opens_by: z.enum(['payment', 'proof', 'nothing']),
        rails: z
          .array(railVerdictSchema)
          .optional()
          .meta({ description: 'Whether each payment method takes the price of the tier; absent without a price' }),
        requirements: z.array(z.object({ requirement, verifiable: z.boolean() })),
      }),
    ),
    audiences,
    visitor: z.object({
      granted: z.boolean(),
      tier: z.string().nullable(),
      unmet_requirements: z.array(requirement),
    }),
  })
  .meta({ id: 'AccessExplanation' })

/** A configuration made from a preset, and what it does. */
export const presetSchema = z
  .object({
    config: gateConfigForm,
    explain: z.array(
      z.object({
        access: z.string(),
        example: z
          .string()
          .meta({ description: 'A resource that the pattern covers, and nothing covers more closely' }),
        audiences,
        closer_tiers: z
          .array(z.string())
          .meta({ description: 'The tiers inside of the pattern that stay as they are' }),
        open: z
          .array(z.string())
          .meta({ description: 'The patterns inside of the pattern that stay open to everyone' }),
      }),
    ),
    warnings: z.array(gateWarningSchema),
  })
  .meta({ id: 'GatePreset' })
