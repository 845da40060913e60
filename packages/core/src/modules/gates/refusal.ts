import type { LegalRestriction } from '../../hooks.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { paymentRequired } from '../payments/index.ts'
import { accessForbidden, legallyRestricted } from './errors.ts'
import type { GateConfig, GateRequirement } from './gate-config.ts'
import { shownTiers } from './gated-resource.ts'
import { nearestTier, unmetRequirements } from './resolve.ts'
import { shownRequirement } from './shown-requirement.ts'
import type { Standing } from './standing.ts'

const HINTS: Readonly<Record<string, string>> = {
  payment: 'A payment of this amount opens it; the offers of this answer say how.',
  trust:
    'Sign in, or sign the request as an agent (EEP-Agent-DID, EEP-Nonce, EEP-Signature), with at least this score.',
  identity: 'Sign in with a verified mail, or sign the request as an agent.',
  connection: 'Sign in as a profile that is connected to this one.',
  credential: 'Show a verifiable credential of this type about you: a proof in X-EEP-Proofs, with a signed request.',
  capability: 'Declare these capabilities in a proof, with a signed request.',
  allowlist: 'Sign in as, or sign the request as, one of those who are let in.',
  reciprocal: 'Let this entity into a tier of this name at your own gate, and prove who you are.',
  data_request: 'Hand over these claims in a verifiable presentation of yours, with a signed request.',
  agreement: 'Sign the hash of this document and show it as a proof, with a signed request.',
  combined: 'Meet the requirements inside of this one.',
}
const UNKNOWN = 'This service cannot check this requirement, so it counts as unmet.'

/** Requirements and what somebody can do about each. */
const withHints = (requirements: readonly GateRequirement[], knows: (type: string) => boolean) =>
  requirements.map((requirement) => ({
    ...shownRequirement(requirement),
    resolution_hint: knows(requirement.type)
      ? (HINTS[requirement.type] ?? 'Show the proof that this service asks for.')
      : UNKNOWN,
  }))

export interface RefusalFacts {
  readonly resource: string
  readonly config: GateConfig
  readonly standing: Standing
  readonly gatesConfigUrl: string
  readonly knows: (type: string) => boolean
}

/** What a refusal says of a resource and of the tiers that would open it (EEP v0.1, `gate.402-response`). */
export function termsOf({ resource, config, standing, gatesConfigUrl, knows }: RefusalFacts): JsonObject {
  const { covering, check } = standing
  const [required] = covering
  return {
    resource,
    current_tier: config.default_tier,
    required_tier: required?.name ?? config.default_tier,
    unmet_requirements: required ? withHints(unmetRequirements(required, check), knows) : [],
    available_tiers: shownTiers(covering),
    gates_config_url: gatesConfigUrl,
  } as unknown as JsonObject
}

/** The 402 of somebody who asks what their proofs open: money is missing (EEP v0.1, `gate.402-response`). */
export const unpaidOf = (facts: RefusalFacts) =>
  paymentRequired({
    headers: { 'www-authenticate': 'EEP realm="gate"' },
    body: { ...termsOf(facts) } as Readonly<Record<string, unknown>>,
    problem: {
      type: 'https://eep.dev/problems/payment-required',
      title: 'Payment Required',
      status: 402,
      error: 'access_restricted',
      ...(termsOf(facts) as Readonly<Record<string, unknown>>),
    },
  })

const CLOSED = [{ type: 'x-closed', resolution_hint: 'No tier opens this.' }]

/** The 403 of a resource that no payment opens (EEP v0.1, `gate.403-response`). */
export function forbiddenOf(facts: RefusalFacts, preview: Json) {
  const { covering, check } = facts.standing
  const nearest = nearestTier(covering, check)
  const terms = {
    ...termsOf(facts),
    ...(nearest && {
      required_tier: nearest.name,
      unmet_requirements: withHints(unmetRequirements(nearest, check), facts.knows),
    }),
  }
  const { available_tiers: _, ...said } = terms as Record<string, unknown>
  return accessForbidden({
    body: { ...terms, preview },
    problem: {
      type: 'https://eep.dev/problems/access-restricted',
      title: 'Access Restricted',
      status: 403,
      error: 'access_forbidden',
      ...said,
      ...(nearest ? {} : { unmet_requirements: CLOSED }),
    },
  })
}

/** The 451 of what the law closes (EEP v0.1, `gate.451-response`; RFC 7725). */
export function restrictedOf(resource: string, { reason, legalBasis, jurisdiction, contact }: LegalRestriction) {
  const said = {
    resource,
    reason,
    ...(legalBasis === undefined ? {} : { legal_basis: legalBasis }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
    ...(contact === undefined ? {} : { contact }),
  }
  return legallyRestricted({
    message: reason,
    body: said,
    problem: {
      type: 'https://eep.dev/problems/legally-restricted',
      title: 'Unavailable For Legal Reasons',
      status: 451,
      error: 'legally_restricted',
      ...said,
    },
  })
}
