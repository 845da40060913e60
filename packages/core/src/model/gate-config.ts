import { z } from 'zod'
import type { Json } from '../kernel/json.ts'
import { isNameable, NAMEABLE } from '../kernel/text-fields.ts'
import { type AudienceRequirement, audienceRequirement } from './audience.ts'
import { checkConfigSize, MAX_METADATA_MEMBERS, MAX_TIERS } from './gate-config-size.ts'
import { guardsNoField, PROFILE_FIELDS } from './profile-fields.ts'

/**
 * The gate configuration of EEP v0.1 (`gate.config.json`): strict objects, the limits of its schema, and the additional
 * rules of its parser (the default tier exists and has no requirements).
 */
const TIER_NAME = /^[a-z][a-z0-9_]{0,31}$/
const ACCESS_PATTERN = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*(\.(\*|[a-z][a-z0-9_]*))?$|^\*$/

/** A pattern of resources: `content.notes.*`, `profile.email`, or `*` for everything. */
export const accessPattern = z.string().max(512).regex(ACCESS_PATTERN)

const sha256 = z.string().regex(/^sha256:[a-f0-9]{64}$/)

const paymentRequirement = z.strictObject({
  type: z.literal('payment'),
  /** In units of the currency: 0.01 is one cent of a dollar. At most six decimals. */
  amount: z
    .number()
    .positive()
    .max(1_000_000)
    .refine((amount) => Number(amount.toFixed(6)) === amount, 'At most six decimals'),
  currency: z
    .string()
    .regex(/^[a-z]{3}$|^usdc$/, 'Must be usdc or a currency code of three lower case letters, such as usd'),
  per: z.enum(['request', 'hour', 'day', 'week', 'month', 'year', 'once']),
  payment_methods: z.array(z.string().max(64)).max(10).optional(),
  x402: z
    .strictObject({
      enabled: z.boolean(),
      facilitator_url: z.url().optional(),
      payment_rails: z.array(z.string().max(64)).max(10).optional(),
      network: z.string().max(64).optional(),
    })
    .optional(),
})

const plainRequirements = [
  paymentRequirement,
  z.strictObject({ type: z.literal('trust'), min_score: z.int().min(0).max(100) }),
  z.strictObject({
    type: z.literal('identity'),
    method: z.enum(['did_verified', 'email_verified', 'domain_verified', 'kyc', 'any']),
  }),
  z.strictObject({ type: z.literal('connection'), relation: z.enum(['follower', 'following', 'mutual', 'any']) }),
  z.strictObject({
    type: z.literal('credential'),
    credential_type: z.string().min(1).max(256),
    issuer: z.string().max(256).optional(),
    accepted_formats: z
      .array(z.enum(['jwt_vc', 'ldp_vc', 'sd_jwt_vc']))
      .min(1)
      .optional(),
  }),
  z.strictObject({
    type: z.literal('capability'),
    required_capabilities: z.array(z.string().min(1).max(128)).min(1).max(50),
  }),
  z.strictObject({
    type: z.literal('allowlist'),
    dids: z
      .array(
        z
          .string()
          .regex(/^did:[a-z0-9]+:.+$/)
          .max(512),
      )
      .min(1)
      .max(1000),
  }),
  z.strictObject({ type: z.literal('reciprocal'), access_level: z.string().min(1).max(64) }),
  z.strictObject({
    type: z.literal('data_request'),
    requested_claims: z
      .array(
        z.strictObject({
          claim: z.string().min(1).max(128),
          purpose: z.string().regex(/^dpv:[A-Z][a-zA-Z]+$/),
          retention_days: z.int().min(0).max(3650),
          shareable: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(20),
    policy_url: z.url().optional(),
    policy_hash: sha256.optional(),
  }),
  z.strictObject({
    type: z.literal('agreement'),
    document_hash: sha256,
    document_url: z.url(),
    document_title: z.string().max(256).refine(isNameable, NAMEABLE).optional(),
    signature_algo: z.enum(['EdDSA', 'ES256K']).optional(),
  }),
  audienceRequirement,
] as const

// An unknown type ends the check, so that it is not reported as a misspelt extension.
const extensionRequirement = z.looseObject({
  type: z.string().regex(/^x-(?!audience$)[a-z][a-z0-9_-]*$/, { abort: true }),
})

/** The price of a payment requirement: an amount, a currency and a term. */
export const priceSchema = paymentRequirement.pick({ amount: true, currency: true, per: true })

export type PaymentRequirement = z.infer<typeof paymentRequirement>
export type PlainRequirement = z.infer<(typeof plainRequirements)[number]> | z.infer<typeof extensionRequirement>

export interface CombinedRequirement {
  type: 'combined'
  combine_mode: 'all' | 'any'
  requirements: GateRequirement[]
  recommended_collection_order?: string[] | undefined
}

/** A requirement of a tier (EEP v0.1). */
export type GateRequirement = PlainRequirement | CombinedRequirement

const KNOWN_TYPES = [...plainRequirements.map(({ shape }) => shape.type.value), 'combined']
  .filter((type) => !type.startsWith('x-'))
  .join(', ')

const requirement: z.ZodType<GateRequirement> = z
  .union(
    [
      z.discriminatedUnion('type', [...plainRequirements]),
      z.strictObject({
        type: z.literal('combined'),
        combine_mode: z.enum(['all', 'any']),
        get requirements(): z.ZodArray<z.ZodType<GateRequirement>> {
          return z.array(requirement).min(2).max(10)
        },
        recommended_collection_order: z.array(z.string().max(64)).max(10).optional(),
      }),
      extensionRequirement,
    ],
    { error: `The type of a requirement must be one of ${KNOWN_TYPES}, or an extension that starts with x-` },
  )
  .meta({ id: 'GateRequirement' })

const tier = z.strictObject({
  label: z.string().max(128).refine(isNameable, NAMEABLE).optional(),
  description: z.string().max(512).optional(),
  requirements: z.array(requirement).max(10),
  access: z.array(accessPattern).min(1).max(100),
  rate_limit: z
    .strictObject({
      requests_per_minute: z.int().min(1).optional(),
      requests_per_hour: z.int().min(1).optional(),
      requests_per_day: z.int().min(1).optional(),
      concurrent_connections: z.int().min(1).max(100).optional(),
    })
    .optional(),
  metadata: z
    // A request body is JSON already; its size is checked before, in `checkConfigSize`.
    .record(z.string().max(64), z.unknown() as z.ZodType<Json>)
    .refine((map) => Object.keys(map).length <= MAX_METADATA_MEMBERS, `At most ${MAX_METADATA_MEMBERS} members`)
    .optional(),
})

/** A tier: its requirements, and the patterns it opens. */
export type GateTier = z.infer<typeof tier>

/** The maximum number of payments needed to meet a requirement. */
const paymentsAsked = (one: GateRequirement): number => {
  if (isPayment(one)) return 1
  if (!isCombined(one)) return 0
  const inside = one.requirements.map(paymentsAsked)
  return one.combine_mode === 'all' ? inside.reduce((sum, each) => sum + each, 0) : Math.max(...inside)
}

/** Whether a combined requirement names an audience, where a purchase could not keep the one it was made in. */
const hasNestedAudience = (one: GateRequirement): boolean =>
  isCombined(one) && one.requirements.some((each) => isAudience(each) || hasNestedAudience(each))

const NO_FIELD = `Not a field of a profile that can be gated; use profile.* or profile.<field> with one of ${PROFILE_FIELDS.join(', ')}`

export const isCombined = (one: GateRequirement): one is CombinedRequirement => one.type === 'combined'
export const isAudience = (one: GateRequirement): one is GateRequirement & AudienceRequirement =>
  one.type === 'x-audience'
export const isPayment = (one: GateRequirement): one is PaymentRequirement => one.type === 'payment'

/** The schema of a configuration, for documentation. Validate input with {@link gateConfigSchema}, which checks sizes first. */
export const gateConfigForm = z
  .strictObject({
    default_tier: z.string().regex(TIER_NAME),
    tiers: z
      .record(z.string().regex(TIER_NAME), tier)
      .refine(
        (tiers) => Object.keys(tiers).length >= 1 && Object.keys(tiers).length <= MAX_TIERS,
        `From 1 to ${MAX_TIERS} tiers`,
      ),
    fallback_behavior: z.enum(['restrict', 'default']).optional(),
  })
  .superRefine((config, context) => {
    const home = Object.hasOwn(config.tiers, config.default_tier) ? config.tiers[config.default_tier] : undefined
    if (!home) {
      context.addIssue({ code: 'custom', path: ['default_tier'], message: 'The default tier is not among the tiers' })
    } else if (home.requirements.length > 0) {
      context.addIssue({
        code: 'custom',
        path: ['tiers', config.default_tier, 'requirements'],
        message: 'The default tier must not have requirements',
      })
    }
    for (const [name, one] of Object.entries(config.tiers)) {
      if (one.requirements.reduce((sum, each) => sum + paymentsAsked(each), 0) > 1) {
        context.addIssue({
          code: 'custom',
          path: ['tiers', name, 'requirements'],
          message: 'A tier has at most one payment; sell a second price as a separate tier',
        })
      }
      if (one.requirements.filter(isAudience).length > 1 || one.requirements.some(hasNestedAudience)) {
        context.addIssue({
          code: 'custom',
          path: ['tiers', name, 'requirements'],
          message: 'A tier has at most one x-audience, and not inside of a combined requirement',
        })
      }
      const at = one.requirements.length > 0 ? one.access.findIndex(guardsNoField) : -1
      if (at >= 0) context.addIssue({ code: 'custom', path: ['tiers', name, 'access', at], message: NO_FIELD })
    }
  })
  .meta({ id: 'GateConfig' })

/** A gate configuration, validated by `gateConfigSchema`. */
export type GateConfig = z.infer<typeof gateConfigForm>

/**
 * Returns a schema that checks sizes first, in linear time, because validating a schema with unions visits each value several
 * times and reports each issue with its path.
 */
export const checkedGateConfig = <Form extends z.ZodType>(form: Form) =>
  z.preprocess((value, context) => {
    const fault = checkConfigSize(value)
    if (!fault) return value
    context.addIssue({ code: 'custom', ...fault, path: [...fault.path] })
    return z.NEVER
  }, form)

/** Validates a configuration. */
export const gateConfigSchema = checkedGateConfig(gateConfigForm)

/**
 * Returns the path of an entity's configuration, relative to the root of a listener. A port in a DID is already written
 * as `%3A`.
 */
export const gateConfigPath = (did: string): string => `/eep/gates/${did.replaceAll('%', '%25')}`
