import { z } from 'zod'

const version = z.string().regex(/^\d+\.\d+/)
const text = (max: number) => z.string().max(max)

/**
 * `/.well-known/eep.json`: the closed schema `eep-manifest.json` of EEP v0.1, and the two booleans that validators of the
 * protocol demand beyond it, and `sandbox` where all money is play money. The members that only a host could know (compliance, residency, reputation) are not sent.
 */
export const manifestSchema = z
  .strictObject({
    did: z.string().regex(/^did:[a-z]+:.+/),
    sandbox: z.literal(true).optional(),
    eep_version: version,
    eep_versions: z.array(version).min(1),
    preferred_version: version,
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
          type: z.string().regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)+$/),
          description: text(512).optional(),
        }),
      )
      .max(500)
      .optional(),
    event_catalog_url: z.url().optional(),
    gates_url: z.url().optional(),
    services_url: z.url().optional(),
    pqc_ready: z.boolean(),
    signing_algorithms: z.array(z.enum(['EdDSA', 'ES256K', 'ES256'])).min(1),
    signing_jwks_url: z.url(),
    x402_enabled: z.boolean(),
    x402: z
      .strictObject({
        facilitator_url: z.url().optional(),
        payment_rails: z.array(z.string()).optional(),
        network: z.string().optional(),
      })
      .optional(),
    discovery_hints: z.strictObject({ link_header_supported: z.boolean() }),
  })
  .meta({ id: 'Manifest' })

export type Manifest = z.infer<typeof manifestSchema>

const link = z.object({ rel: z.string(), url: z.url(), title: z.string() })

export const bootstrapSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    did: z.string(),
    eep_version: z.string(),
    profile_url: z.string(),
    formats: z.array(z.string()),
    start: z.array(link),
  })
  .meta({ id: 'Bootstrap' })

export const referenceSchema = z.object({ title: z.string(), documents: z.array(link) }).meta({ id: 'ApiReference' })

const rail = z.object({
  id: z.string(),
  protocol: z.enum(['x402', 'mpp']).optional(),
  versions: z.array(z.int()).optional().meta({ description: 'The versions of x402 that it takes' }),
  accepts: z.array(z.object({ network: z.string(), asset: z.string(), currencies: z.array(z.string()) })),
})

export const capabilitiesSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    did: z.string(),
    eep_version: z.string(),
    profile_types: z.array(z.object({ type: z.string(), prefix: z.string(), url: z.string(), schema: z.url() })),
    formats: z.array(z.object({ format: z.string(), media_type: z.string() })),
    authentication: z.array(z.object({ carrier: z.string(), use: z.string() })),
    mcp: z.object({ url: z.url(), account_url: z.url(), server_card: z.url() }).optional(),
    oauth: z.object({ issuer: z.url(), metadata: z.url(), guide: z.url() }).optional(),
    payment: z.object({ docs_url: z.string(), rails: z.array(rail), steps: z.array(z.string()) }),
    rate_limits: z.object({
      window_seconds: z.int(),
      groups: z.array(z.object({ group: z.string(), requests: z.int() })),
      keys: z.array(z.object({ tier: z.string(), requests: z.int() })),
      headers: z.array(z.string()),
    }),
    errors: z.object({ body: z.string(), problem: z.string(), catalogue: z.string() }),
    features: z.array(
      z.object({
        feature: z.string(),
        routes: z.array(z.object({ route: z.string(), auth: z.string(), summary: z.string() })),
      }),
    ),
    sold: z.array(
      z.object({
        method: z.string(),
        url: z.string(),
        resource: z.string(),
        description: z.string(),
        mime_type: z.string(),
        price: z.object({ amount: z.string(), currency: z.string(), per: z.string() }).nullable(),
        seller: z.string().nullable(),
      }),
    ),
    links: z.array(link),
  })
  .meta({ id: 'ServiceCapabilities' })

export const paymentGuideSchema = z
  .object({ rails: z.array(rail), steps: z.array(z.string()) })
  .meta({ id: 'PaymentGuide' })

const errorEntry = z.object({ code: z.string(), status: z.int(), message: z.string(), url: z.url() })
export const errorListSchema = z.object({ errors: z.array(errorEntry) }).meta({ id: 'ErrorReferenceList' })
export const errorSchema = errorEntry.extend({ routes: z.array(z.string()) }).meta({ id: 'ErrorReference' })

export const aiCatalogSchema = z
  .object({
    specVersion: z.string(),
    host: z.object({ displayName: z.string(), identifier: z.string(), documentationUrl: z.url() }),
    entries: z.array(
      z.object({
        identifier: z.string(),
        displayName: z.string(),
        type: z.string(),
        url: z.url(),
        description: z.string(),
        updatedAt: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'AiCatalog' })

export const skillsIndexSchema = z
  .object({
    $schema: z.url(),
    skills: z.array(
      z.object({
        name: z.string(),
        type: z.literal('skill-md'),
        description: z.string(),
        url: z.url(),
        digest: z.string().meta({ description: '`sha256:` and the hexadecimal digest of the file' }),
      }),
    ),
  })
  .meta({ id: 'AgentSkillsIndex' })

export const agentCardSchema = z
  .looseObject({
    protocolVersion: z.string(),
    name: z.string(),
    description: z.string(),
    url: z.url(),
    version: z.string(),
    skills: z.array(
      z.looseObject({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) }),
    ),
    'x-eep': z.looseObject({ source_did: z.string() }),
  })
  .meta({ id: 'AgentCard' })

export const apiCatalogSchema = z
  .object({ linkset: z.array(z.looseObject({ anchor: z.url() })) })
  .meta({ id: 'ApiCatalog' })

export const guideSchema = z.object({ title: z.string(), markdown: z.string() }).meta({ id: 'AgentGuide' })

export const jwksSchema = z
  .object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) })
  .meta({ id: 'JsonWebKeySet' })

export const didDocumentSchema = z
  .looseObject({ id: z.string(), verificationMethod: z.array(z.looseObject({})) })
  .meta({ id: 'ServiceDidDocument' })

const schemaRow = z.object({
  name: z.string().describe('Its place: `tiers.*.requirements[].type`; `*` is any name, `[]` an item of a list'),
  type: z.string(),
  required: z.boolean(),
  description: z.string().nullable(),
})

export const operationSchema = z
  .object({
    operation_id: z.string(),
    url: z.url(),
    method: z.string(),
    path: z.string(),
    tag: z.string(),
    summary: z.string(),
    auth: z.string(),
    scope: z.string().nullable(),
    transitional: z.boolean(),
    available: z.boolean(),
    parameters: z.array(schemaRow.extend({ in: z.string() })),
    body: z.object({ content_type: z.string(), fields: z.array(schemaRow) }).nullable(),
    responses: z.array(
      z.object({
        status: z.string(),
        description: z.string(),
        codes: z.array(z.object({ code: z.string(), message: z.string() })),
        content_types: z.array(z.string()),
        fields: z.array(schemaRow),
      }),
    ),
    example: z.string(),
  })
  .meta({ id: 'OperationReference' })
