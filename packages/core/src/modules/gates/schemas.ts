import { z } from 'zod'
import { line } from '../../http/text-fields.ts'
import { gateConfigForm } from './gate-config.ts'
import { proofsSchema } from './requirements/index.ts'
import { normalizeResource, WRITTEN_RESOURCE } from './resource-name.ts'
import { sessionSchema } from './session.ts'
import type { EntitlementRecord, GateVersion, GateVersionSummary } from './store.ts'

/** A resource or a wildcard, as {@link normalizeResource} reads it. */
const resource = z
  .string()
  .max(512)
  .regex(WRITTEN_RESOURCE, 'Write a resource like content.notes.my_page, or content.notes.* for all below')
  .transform(normalizeResource)

export const verifyProofBody = z.strictObject({ resource, proofs: proofsSchema.default([]) })

export const provenSchema = z.object({
  access: z.literal('granted'),
  granted: z.literal(true),
  resource: z.string(),
  tier: z.string(),
  session_token: z.string().optional().meta({ description: 'For `Authorization: EEP-Session <token>`' }),
  session: sessionSchema.optional(),
  expires_at: z.string().optional(),
})

export const explainQuery = z.object({
  resource,
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

export const gateVersionSummarySchema = z.object({
  version: z.int(),
  bytes: z.int().meta({ description: 'The size of the configuration as JSON' }),
  changed_by: z.string().nullable().meta({ description: 'The account that wrote it, while there is one' }),
  changed_at: z.string(),
})

export const gateVersionSchema = gateVersionSummarySchema.extend({ config: gateConfigForm })

export const gateVersionSummaryDocument = ({ version, bytes, changedBy, changedAt }: GateVersionSummary) => ({
  version,
  bytes,
  changed_by: changedBy,
  changed_at: changedAt.toISOString(),
})

export const gateVersionDocument = (version: GateVersion) => ({
  ...gateVersionSummaryDocument(version),
  config: version.config,
})

export const grantBody = z.strictObject({
  profile_id: z.int().min(1),
  tier: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/),
  payer_wallet: z.string().min(1).max(128).optional(),
  payer_network: z.string().min(1).max(128).optional().meta({ description: 'CAIP-2, or an alias like base' }),
  payer_did: z
    .string()
    .max(512)
    .regex(/^did:[a-z0-9]+:\S+$/)
    .optional(),
  account: z.string().min(1).max(254).optional().meta({ description: 'An account by id, username or email' }),
  email: z
    .email()
    .max(254)
    .optional()
    .meta({ description: 'Opens for the account that has verified this address, now or later' }),
  valid_until: z.iso.datetime({ offset: true }).nullish().meta({ description: 'Without it for ever' }),
  reason: line(256).optional(),
})

export const revokeQuery = z.object({ reason: line(256).optional() })

const time = z.iso.datetime()

export const entitlementSchema = z.object({
  id: z.uuid(),
  profile_id: z.int(),
  resource_pattern: z.string(),
  tier: z.string(),
  payer_wallet_address: z.string().meta({ description: 'A wallet, DID, account id or email, by payer_network' }),
  payer_network: z.string().meta({ description: 'CAIP-2, the method of a DID, `account`, or `email`' }),
  receipt_id: z.string().nullable().meta({ description: 'Null when it was given by hand' }),
  valid_until: time.nullable(),
  revoked_at: time.nullable(),
  created_at: time,
})

export const entitlementDocument = (one: EntitlementRecord) => ({
  id: one.id,
  profile_id: one.profileId,
  resource_pattern: one.resourcePattern,
  tier: one.tier,
  payer_wallet_address: one.payerWalletAddress,
  payer_network: one.payerNetwork,
  receipt_id: one.receiptId,
  valid_until: one.validUntil?.toISOString() ?? null,
  revoked_at: one.revokedAt?.toISOString() ?? null,
  created_at: one.createdAt.toISOString(),
})
