import { z } from 'zod'
import { gateConfigSchema } from './gate-config.ts'
import { proofsSchema } from './requirements/index.ts'
import { sessionSchema } from './session.ts'
import type { GateVersion } from './store.ts'

/** A resource as gates name it; a path below the profile is written the same way. */
const resourceName = z
  .string()
  .max(512)
  .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, 'A resource is named like content.notes.my_page')

export const verifyProofBody = z.strictObject({ resource: resourceName, proofs: proofsSchema.default([]) })

export const provenSchema = z.object({
  granted: z.literal(true),
  resource: z.string(),
  tier: z.string(),
  session_token: z.string().optional().meta({ description: 'For `Authorization: EEP-Session <token>`' }),
  session: sessionSchema.optional(),
  expires_at: z.string().optional(),
})

export const explainQuery = z.object({
  resource: resourceName,
  payer_wallet: z.string().max(256).optional(),
  payer_network: z.string().max(128).optional(),
})

const requirement = z.looseObject({ type: z.string() })

export const explanationSchema = z.object({
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
      requirements: z.array(z.object({ requirement, verifiable: z.boolean() })),
    }),
  ),
  visitor: z.object({
    granted: z.boolean(),
    tier: z.string().nullable(),
    unmet_requirements: z.array(requirement),
  }),
})

export const gateVersionSchema = z.object({
  version: z.int(),
  config: gateConfigSchema,
  changed_by: z.string().nullable().meta({ description: 'The account that wrote it, while there is one' }),
  changed_at: z.string(),
})

export const gateVersionDocument = ({ version, config, changedBy, changedAt }: GateVersion) => ({
  version,
  config,
  changed_by: changedBy,
  changed_at: changedAt.toISOString(),
})
