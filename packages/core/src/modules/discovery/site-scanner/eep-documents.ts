import { z } from 'zod'
import { jsonOf, type Site } from './site.ts'

// The documents of EEP 0.1 as other services publish them.

const did = z.string().regex(/^did:[a-z0-9]+:.+$/, 'is not a DID')
const version = z.string().regex(/^\d+\.\d+/, 'is not a version')
const tier = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'is not the name of a tier')
const eventType = z.string().regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)+$/, 'is not a type of events')

/** `/.well-known/eep.json`. Members that do not matter for the checks are not described. */
export const eepManifest = z.looseObject({
  did,
  eep_version: version,
  layers: z.strictObject({
    layer1: z.url(),
    layer2_sse: z.url().optional(),
    layer2_webhook: z.url().optional(),
    layer3_ws: z.url().optional(),
  }),
  supported_content_types: z.array(z.string()).min(1),
  event_types: z
    .array(z.looseObject({ type: eventType }))
    .max(500)
    .optional(),
  event_catalog_url: z.url().optional(),
  // Optional in the schema of the protocol; its validator demands both.
  pqc_ready: z.boolean(),
  x402_enabled: z.boolean(),
})

/** Whether the manifest declares that the service takes no payments: its prices cannot be paid, by x402 or another way. */
export async function takesNoPayments(site: Site): Promise<boolean> {
  const answer = await site.get('/.well-known/eep.json')
  return answer.is === 'answer' && answer.status === 200 && jsonOf(answer)?.x402_enabled === false
}

/** The member `eep` of an entity. */
export const entityMember = z.looseObject({
  version,
  endpoint: z.url(),
  supported_delivery: z.array(z.string()),
  identity: z.looseObject({ did }),
})

/** The gates of an entity. */
export const gateConfig = z.looseObject({
  default_tier: tier,
  tiers: z
    .record(
      tier,
      z.looseObject({ requirements: z.array(z.looseObject({ type: z.string() })), access: z.array(z.string()) }),
    )
    .refine((tiers) => Object.keys(tiers).length > 0, 'has no tier'),
})

/** The closed form of a 402. */
export const eepPaymentRequired = z.looseObject({
  error: z.literal('access_restricted'),
  title: z.literal('Payment Required'),
  status: z.literal(402),
  resource: z.string(),
  current_tier: tier,
  required_tier: tier,
  unmet_requirements: z.array(z.looseObject({ type: z.string() })),
})

/** The response to an unsupported version. */
export const unsupportedVersion = z.looseObject({
  error: z.literal('eep_version_not_supported'),
  supported_versions: z.array(version).min(1),
})

/** The services of an entity. */
export const serviceList = z.looseObject({ entity_did: did, services: z.array(z.looseObject({ name: z.string() })) })

/** The trust of an agent. */
export const trustStatus = z.looseObject({ agent_did: did, trust_state: z.enum(['cold_start', 'standard']) })

/** `/.well-known/eep-registry.json`. */
export const eepRegistry = z.looseObject({
  did,
  registry_name: z.string().max(128),
  scope: z.looseObject({}),
  conformance_tier_required: z.enum(['Core', 'Standard', 'Full']),
  federation_credential_url: z.url(),
})

/** Describes the first problem of a document: `layers.layer1 Invalid URL`. Undefined when it is valid. */
export function problemOf(schema: z.ZodType, value: unknown): string | undefined {
  const result = schema.safeParse(value)
  if (result.success) return undefined
  const [issue] = result.error.issues
  return `${issue?.path.join('.') || 'the document'} ${issue?.message ?? 'is not valid'}`
}
