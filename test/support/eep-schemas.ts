import { z } from 'zod'

// The schemas of EEP 0.1 in zod. They are not shared with the service: they would not find its mistakes.

export const did = z.string().regex(/^did:[a-z0-9]+:.+$/)
export const version = z.string().regex(/^\d+\.\d+/)
export const eventType = z.string().regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)+$/)
const tier = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/)
const timestamp = z.iso.datetime()

export const manifestSchema = z.strictObject({
  did,
  eep_version: version,
  eep_versions: z.array(version).min(1).optional(),
  preferred_version: version.optional(),
  layers: z.strictObject({
    layer1: z.url(),
    layer2_sse: z.url().optional(),
    layer2_webhook: z.url().optional(),
    layer3_ws: z.url().optional(),
  }),
  supported_content_types: z.array(z.string()).min(1),
  event_types: z
    .array(
      z.strictObject({
        type: eventType,
        description: z.string().max(512).optional(),
        dataschema: z.url().optional(),
        since: z.string().max(32).optional(),
        deprecated: z.boolean().optional(),
      }),
    )
    .max(500)
    .optional(),
  event_catalog_url: z.url().optional(),
  gates_url: z.url().optional(),
  services_url: z.url().optional(),
  capabilities_query_url: z.url().optional(),
  // Optional in the schema; validators demand both.
  pqc_ready: z.boolean(),
  x402_enabled: z.boolean(),
  signing_algorithms: z
    .array(z.enum(['EdDSA', 'ES256K', 'ES256']))
    .min(1)
    .optional(),
  signing_jwks_url: z.url().optional(),
  x402: z
    .strictObject({
      facilitator_url: z.url().optional(),
      payment_rails: z.array(z.string()).optional(),
      network: z.string().optional(),
    })
    .optional(),
  discovery_hints: z.strictObject({ link_header_supported: z.boolean().optional() }).optional(),
})

const plainRequirement = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('payment'),
    amount: z.number().positive(),
    currency: z.string().regex(/^[a-z]{3}$|^usdc$/),
    per: z.enum(['request', 'hour', 'day', 'week', 'month', 'year', 'once']),
    payment_methods: z.array(z.string()).max(10).optional(),
  }),
  z.strictObject({ type: z.literal('trust'), min_score: z.int().min(0).max(100) }),
])
const extensionRequirement = z.looseObject({ type: z.string().regex(/^x-[a-z][a-z0-9_-]*$/) })

/** A gate configuration with payments, trust and extensions. */
export const gateConfigSchema = z.strictObject({
  default_tier: tier,
  tiers: z.record(
    tier,
    z.strictObject({
      label: z.string().max(128).optional(),
      description: z.string().max(512).optional(),
      requirements: z.array(z.union([plainRequirement, extensionRequirement])).max(10),
      access: z
        .array(z.string().regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*(\.(\*|[a-z][a-z0-9_]*))?$|^\*$/))
        .min(1)
        .max(100),
    }),
  ),
  fallback_behavior: z.enum(['restrict', 'default']).optional(),
})

const requirement = z.looseObject({ type: z.string(), resolution_hint: z.string().max(512).optional() })
const problem = <Status extends number>(status: Status, type: string, title: string) => ({
  type: z.literal(`https://eep.dev/problems/${type}`),
  title: z.literal(title),
  status: z.literal(status),
  detail: z.string().optional(),
  instance: z.string().optional(),
})
const terms = { resource: z.string(), current_tier: tier, required_tier: tier, gates_config_url: z.url().optional() }

export const paymentRequiredSchema = z.strictObject({
  ...problem(402, 'payment-required', 'Payment Required'),
  ...terms,
  error: z.literal('access_restricted'),
  unmet_requirements: z.array(requirement),
  available_tiers: z
    .record(
      tier,
      z.strictObject({
        label: z.string().optional(),
        description: z.string().optional(),
        requirements: z.array(requirement),
        access: z.array(z.string()),
      }),
    )
    .optional(),
  retry_after: z.int().min(0).optional(),
})
export const forbiddenSchema = z.strictObject({
  ...problem(403, 'access-restricted', 'Access Restricted'),
  ...terms,
  error: z.literal('access_forbidden'),
  unmet_requirements: z.array(requirement).min(1),
})
export const restrictedSchema = z.strictObject({
  ...problem(451, 'legally-restricted', 'Unavailable For Legal Reasons'),
  error: z.literal('legally_restricted'),
  resource: z.string(),
  reason: z.string(),
  legal_basis: z.string().optional(),
  jurisdiction: z.string().optional(),
  contact: z.string().optional(),
})

export const versionSchema = z.looseObject({
  error: z.literal('eep_version_not_supported'),
  requested_version: z.string(),
  supported_versions: z.array(version).min(1),
  preferred_version: version,
})

export const envelopeSchema = z.looseObject({
  specversion: z.literal('1.0'),
  id: z.string().min(1).max(128),
  source: did,
  type: eventType,
  time: timestamp,
  datacontenttype: z.literal('application/json'),
  eep_version: version,
})

export const subscriptionSchema = z.looseObject({
  subscription_id: z.string().regex(/^sub_/),
  status: z.enum(['pending_verification', 'active', 'paused', 'rejected', 'expired', 'cancelled']),
  source_did: did,
  event_types: z.array(z.string()).min(1),
  delivery_method: z.enum(['webhook', 'sse']),
  expires_at: timestamp,
})

export const auditLogSchema = z.strictObject({
  entries: z
    .array(
      z.strictObject({
        entry_id: z.uuid(),
        event_type: z.string(),
        actor_did: did,
        publisher_did: did,
        timestamp,
        outcome: z.enum(['success', 'failure', 'partial', 'pending']),
        signature: z.string().min(16),
        resource: z.string().optional(),
        gate_type: z.string().optional(),
        failure_reason: z.string().optional(),
        session_token_id: z.string().optional(),
        commerce_id: z.string().optional(),
        metadata: z.looseObject({}).optional(),
      }),
    )
    .min(1),
  total: z.int().min(1),
  page: z.int().min(1),
  per_page: z.int().min(1).max(1_000),
  next_cursor: z.string().optional(),
  publisher_did: did.optional(),
})

export const registrySchema = z.strictObject({
  did,
  registry_name: z.string().max(128),
  scope: z.strictObject({
    geography: z.array(z.string()).optional(),
    sectors: z.array(z.string()).optional(),
    capabilities: z.array(z.string()).optional(),
  }),
  conformance_tier_required: z.enum(['Core', 'Standard', 'Full']),
  federation_credential_url: z.url(),
  registry_url: z.url().optional(),
  cross_registry_resolution_url: z.url().optional(),
  eep_version: version.optional(),
})

export const sessionSchema = z.strictObject({
  agent_did: did,
  issuer_did: did,
  tiers: z.array(tier).min(1),
  iat: z.int(),
  exp: z.int(),
  refresh_threshold: z.int(),
  context_id: z.string().max(256).optional(),
  gate_version: z.string().max(64).optional(),
  signature: z.string().min(16),
})

export const acknowledgementSchema = z.strictObject({
  withdrawal_id: z.string(),
  claim_id: z.string(),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  acknowledged_at: timestamp,
  expected_completion_at: timestamp,
  publisher_signature: z.string().min(16),
})
