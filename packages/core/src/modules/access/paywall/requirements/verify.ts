import { isEepError } from '../../../../kernel/errors.ts'
import type { GateRequirement } from '../../../../model/gate-config.ts'
import { isAudience, isPayment } from '../../../../model/gate-config.ts'
import type { CoveringTier } from '../../../../model/gate-rules.ts'
import type { CredentialVerifier } from '../../../../ports/credential-verifier.ts'
import type { Evidence, RequirementVerifier } from '../../../../ports/requirement-verifier.ts'
import { storageUnavailable } from '../../../../ports/storage/storage.ts'
import { agreementVerifier } from './agreement.ts'
import { credentialVerifiers } from './credential.ts'
import { oncePerVisit, type VisitorLookup } from './evidence.ts'
import { identityVerifiers } from './identity.ts'

/** Verifies requirements that are not payments. */
type MetRequirements = ReadonlyMap<GateRequirement, boolean>

/** Verifiers by the type of requirement. */
type Verifiers = Readonly<Record<string, RequirementVerifier>>

/** The nested requirements without payments and audiences, which are checked elsewhere. */
const leavesOf = (requirement: GateRequirement): readonly GateRequirement[] => {
  if (isPayment(requirement) || isAudience(requirement)) return []
  return requirement.type === 'combined'
    ? (requirement as { requirements: GateRequirement[] }).requirements.flatMap(leavesOf)
    : [requirement]
}

/**
 * Creates the function that verifies the credentials of a visitor. A type without a verifier is never met (fail closed).
 *
 * @param credentials - without it no credential requirement is ever met
 * @param own - verifiers of the host, by type: `x-…`, or a type of core to replace
 */
export function createVerdicts(lookup: VisitorLookup, own: Verifiers, credentials: CredentialVerifier | undefined) {
  const ofCredentials = credentials && credentialVerifiers(lookup, credentials)
  // Each verifier takes the requirement of its key, which `verify` looks it up by.
  const ours = {
    ...identityVerifiers(lookup),
    ...(ofCredentials && { credential: ofCredentials.credential, data_request: ofCredentials.dataRequest }),
    agreement: agreementVerifier(lookup),
  } as unknown as Verifiers
  const verifiers: Verifiers = { ...ours, ...own }

  const checked = oncePerVisit<boolean>()
  // The requirements of a cached gate are the same objects for each visit, so a long one is serialized once.
  const keys = new WeakMap<GateRequirement, string>()

  function requirementKey(requirement: GateRequirement): string {
    const key = keys.get(requirement) ?? JSON.stringify(requirement)
    keys.set(requirement, key)
    return key
  }

  /** Equal requirements in several places of a gate are checked once for each visit. */
  const check = (requirement: GateRequirement, evidence: Evidence): Promise<boolean> =>
    checked(evidence, requirementKey(requirement), () => ask(requirement, evidence))

  async function ask(requirement: GateRequirement, evidence: Evidence): Promise<boolean> {
    const verify = Object.hasOwn(verifiers, requirement.type) ? verifiers[requirement.type] : undefined
    try {
      return (await verify?.(requirement, evidence)) === true
    } catch (error) {
      // Treated as unmet, the visitor would get an offer and might pay without need.
      if (isEepError(error) && error.code === storageUnavailable.code) throw error
      return false
    }
  }

  return {
    /** Whether a requirement of this type has a verifier. */
    isVerifiable: (type: string): boolean =>
      type === 'payment' || type === 'combined' || type === 'x-audience' || Object.hasOwn(verifiers, type),

    /** The requirements of some tiers that a visitor meets. */
    async of(covering: readonly CoveringTier[], evidence: Evidence): Promise<MetRequirements> {
      const leaves = covering.flatMap(({ tier }) => tier.requirements.flatMap(leavesOf))
      const verdicts = await Promise.all(leaves.map(async (leaf) => [leaf, await check(leaf, evidence)] as const))
      return new Map(verdicts)
    },
  }
}

export type Verdicts = ReturnType<typeof createVerdicts>
