import type { PlainRequirement } from '../../../../model/gate-config.ts'
import { proofsOf } from '../../../../model/gate-proof.ts'
import type { RequirementVerifier } from '../../../../ports/requirement-verifier.ts'
import { isAllowlisted } from '../../gates/index.ts'
import { oncePerVisit, provenDids, provenProfileIds, type Relation, type VisitorLookup } from './evidence.ts'

type Of<Type extends string> = Extract<PlainRequirement, { type: Type }>

const RELATIONS = {
  follower: ({ follower }) => follower,
  following: ({ following }) => following,
  mutual: ({ follower, following }) => follower && following,
  any: ({ follower, following }) => follower || following,
} as const satisfies Record<
  Of<'connection'>['relation'],
  (relation: { follower: boolean; following: boolean }) => boolean
>

/** Verifiers of the identity of a visitor and its relation to the profile. */
export function identityVerifiers(lookup: VisitorLookup) {
  const trustOf = oncePerVisit<number>()
  const relationOf = oncePerVisit<Relation>()

  const identity: RequirementVerifier<Of<'identity'>> = ({ method }, { caller, agent }) => {
    const did = agent?.verified === true
    // A verified address may belong to another person, who opened the link of a registration by this account.
    const mail = caller?.account.emailOwned === true
    const domain = did && agent.did.startsWith('did:web:')
    switch (method) {
      case 'did_verified':
        return did
      case 'email_verified':
        return mail
      case 'domain_verified':
        return domain
      case 'any':
        return did || mail
      case 'kyc':
        // The service does not verify documents. A host that does registers its verifier.
        return false
    }
  }

  const allowlist: RequirementVerifier<Of<'allowlist'>> = async ({ dids }, evidence) => {
    const { agent, boundDids } = evidence
    if (agent?.verified && dids.includes(agent.did)) return true
    return isAllowlisted(dids, boundDids, await provenProfileIds(evidence, lookup))
  }

  const trust: RequirementVerifier<Of<'trust'>> = async ({ min_score: least }, evidence) =>
    least === 0 || (await trustOf(evidence, '', () => lookup.trustOf(evidence))) >= least

  const connection: RequirementVerifier<Of<'connection'>> = async ({ relation }, evidence) =>
    RELATIONS[relation](await relationOf(evidence, '', () => lookup.relationOf(evidence, evidence.profile)))

  const capability: RequirementVerifier<Of<'capability'>> = (
    { required_capabilities: required },
    { agent, proofs },
  ) => {
    // Self-asserted claims count for the agent that signed them only.
    if (!agent?.verified) return false
    const declared = new Set(
      proofsOf(proofs, 'capability').flatMap(({ declared_capabilities: capabilities }) => capabilities),
    )
    return required.every((one) => declared.has(one))
  }

  /** Reciprocal access: a tier of that name at the visitor's gate admits this profile. */
  const reciprocal: RequirementVerifier<Of<'reciprocal'>> = async ({ access_level: level }, evidence) => {
    const proven = await provenDids(evidence, lookup)
    const ours = new Set([evidence.profile.id])
    for (const { entity_did: did, granted_access: granted } of proofsOf(evidence.proofs, 'reciprocal')) {
      if (granted !== level || !proven.includes(did)) continue
      const gate = await lookup.gateOf(did)
      const tier = gate && Object.hasOwn(gate.config.tiers, level) ? gate.config.tiers[level] : undefined
      const letsUsIn = tier?.requirements.every(
        (requirement) =>
          requirement.type === 'allowlist' &&
          isAllowlisted((requirement as Of<'allowlist'>).dids, gate?.boundDids ?? {}, ours),
      )
      if (tier && letsUsIn) return true
    }
    return false
  }

  return { identity, allowlist, trust, connection, capability, reciprocal }
}
