import type { Json, JsonObject } from '../../../../kernel/json.ts'
import { asJson } from '../../../../kernel/json.ts'
import {
  type GateConfig,
  type GateRequirement,
  isAudience,
  isCombined,
  isPayment,
} from '../../../../model/gate-config.ts'
import { type CoveringTier, nearestTier, unmetRequirements } from '../../../../model/gate-rules.ts'
import type { LegalRestriction } from '../../../../ports/hooks.ts'
import type { PriceCheck } from '../../gates/index.ts'
import { accessForbidden, legallyRestricted, paymentRequired } from '../errors.ts'
import type { AccessDecision } from './decide.ts'

/** Longer allowlists are shown by their length. */
const MAX_SHOWN_DIDS = 10

/** The members of longer extension requirements are shown in the configuration only. */
const MAX_EXTENSION_BYTES = 4_096

/** A requirement in a refusal. The whole of it is in the gate configuration, which each refusal links. */
type ShownRequirement = { readonly type: string } & Readonly<Record<string, unknown>>

// The requirements of a cached gate are the same objects in every refusal.
const shortened = new WeakMap<GateRequirement, ShownRequirement>()

function shorten(requirement: GateRequirement): ShownRequirement {
  const { type } = requirement
  if (isCombined(requirement)) return { ...requirement, requirements: requirement.requirements.map(shownRequirement) }
  if (type === 'allowlist' && 'dids' in requirement && Array.isArray(requirement.dids)) {
    const { dids, ...rest } = requirement
    return dids.length > MAX_SHOWN_DIDS ? { ...rest, type, dids_count: dids.length } : { ...requirement }
  }
  const isLong = type.startsWith('x-') && JSON.stringify(requirement).length > MAX_EXTENSION_BYTES
  return isLong ? { type } : { ...requirement }
}

/** Shortens a requirement for a refusal: without the entries of a long allowlist and without long extension members. */
function shownRequirement(requirement: GateRequirement): ShownRequirement {
  const shown = shortened.get(requirement) ?? shorten(requirement)
  shortened.set(requirement, shown)
  return shown
}

/** Tiers as a refusal shows them. */
const shownTiers = (covering: readonly CoveringTier[]) =>
  Object.fromEntries(
    covering.map(({ name, tier: { label, description, requirements, access } }) => [
      name,
      {
        ...(label === undefined ? {} : { label }),
        ...(description === undefined ? {} : { description }),
        requirements: requirements.map(shownRequirement),
        access,
      },
    ]),
  )

const HINTS: Readonly<Record<string, string>> = {
  payment: 'A payment of this amount opens it.',
  trust:
    'Sign in, or sign the request as an agent (EEP-Agent-DID, EEP-Nonce, EEP-Signature), with at least this score.',
  identity: 'Sign in with a verified email address, or sign the request as an agent.',
  connection: 'Sign in as a profile that is connected to this one.',
  credential: 'Show a verifiable credential of this type about you: a proof in X-EEP-Proofs, with a signed request.',
  capability: 'Declare these capabilities in a proof, with a signed request.',
  allowlist: 'Sign in as, or sign the request as, one of those who are let in.',
  reciprocal: 'Let this entity into a tier of this name at your own gate, and prove who you are.',
  data_request: 'Hand over these claims in a verifiable presentation of yours, with a signed request.',
  agreement: 'Sign the hash of this document and show it as a proof, with a signed request.',
  combined: 'Meet the requirements inside of this one.',
  'x-audience':
    'Read as one of these audiences: sign in with an account that owns its email address, or sign the request (Web Bot Auth).',
}
const UNPAYABLE = 'No payment method of this service takes this price now.'
const UNKNOWN = 'This service cannot check this requirement, so it counts as unmet.'

type HintInput = Pick<RefusalInput, 'isVerifiable' | 'isPayable'>

function hintOf(requirement: GateRequirement, { isVerifiable, isPayable }: HintInput): string {
  if (isPayment(requirement) && !isPayable(requirement)) return UNPAYABLE
  if (!isVerifiable(requirement.type)) return UNKNOWN
  return HINTS[requirement.type] ?? 'Show the proof that this service asks for.'
}

/** Requirements and how to meet each. */
const withHints = (requirements: readonly GateRequirement[], input: HintInput) =>
  requirements.map((requirement) => ({
    ...shownRequirement(requirement),
    resolution_hint: hintOf(requirement, input),
  }))

export interface RefusalInput {
  readonly resource: string
  readonly config: GateConfig
  readonly decision: AccessDecision
  readonly gatesConfigUrl: string
  readonly isVerifiable: (type: string) => boolean
  /** Whether a payment method takes a price. */
  readonly isPayable: PriceCheck['isPayable']
  /** Whether the headers of "pay per crawl" are sent. */
  readonly crawlerHeaders: boolean
}

/** The description of a resource and of its tiers in a refusal (EEP v0.1, `gate.402-response`). */
export function termsOf(input: RefusalInput): JsonObject {
  const { resource, config, decision, gatesConfigUrl } = input
  const { covering, check } = decision
  const [required] = covering
  return asJson({
    resource,
    current_tier: config.default_tier,
    required_tier: required?.name ?? config.default_tier,
    unmet_requirements: required ? withHints(unmetRequirements(required, check), input) : [],
    available_tiers: shownTiers(covering),
    gates_config_url: gatesConfigUrl,
  })
}

/** The 402 for a check of proofs when a payment is missing (EEP v0.1, `gate.402-response`). It has no offers. */
export const unpaidOf = (input: RefusalInput) =>
  paymentRequired({
    message: 'Payment required; request the resource for its offers',
    challenges: [{ scheme: 'EEP', parameters: { realm: 'gate' } }],
    body: termsOf(input),
    terms: termsOf(input),
  })

const CLOSED = [{ type: 'x-closed', resolution_hint: 'No tier opens this.' }]

/** The 403 of a resource that no payment opens (EEP v0.1, `gate.403-response`). */
export function forbiddenOf(input: RefusalInput, preview: Json) {
  const { covering, check } = input.decision
  const nearest = nearestTier(covering, check)
  const unmet = nearest ? unmetRequirements(nearest, check) : []
  const terms = {
    ...termsOf(input),
    ...(nearest && {
      required_tier: nearest.name,
      unmet_requirements: withHints(unmet, input),
    }),
  }
  const { available_tiers: _, ...said } = terms as Record<string, unknown>
  return accessForbidden({
    ...(input.crawlerHeaders && unmet.some(isAudience) ? { crawler: { error: 'CrawlerForbidden' } } : {}),
    body: { ...terms, preview },
    terms: { ...said, ...(nearest ? {} : { unmet_requirements: CLOSED }) },
  })
}

/** The 451 of a legally restricted resource (EEP v0.1, `gate.451-response`; RFC 7725). */
export function restrictedOf(resource: string, { reason, legalBasis, jurisdiction, contact }: LegalRestriction) {
  const said = {
    resource,
    reason,
    ...(legalBasis === undefined ? {} : { legal_basis: legalBasis }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
    ...(contact === undefined ? {} : { contact }),
  }
  return legallyRestricted({ message: reason, body: said, terms: said })
}
