import type { Caller } from '../../../../model/caller.ts'
import type { GateTier } from '../../../../model/gate-config.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { ProfileService } from '../../../profiles/profiles/index.ts'
import { type Explanation, explain, type GateService, type PriceCheck } from '../../gates/index.ts'
import type { AccessDecision } from './decide.ts'
import { explainAudiences } from './explain-audiences.ts'
import { forbiddenOf, type RefusalInput, unpaidOf } from './refusal.ts'
import type { GatedResource } from './resource.ts'
import type { GateSession, GateSessions } from './session.ts'
import { type Credentials, NO_CREDENTIALS } from './visitor.ts'

/** An explanation for each audience, and for the visitor in question. */
export interface ExplainedAccess extends Explanation {
  readonly audiences: ReturnType<typeof explainAudiences>
}

/** The result of a verified proof. */
export interface Proven {
  readonly tier: string
  /** Issued to agents that sign. */
  readonly session?: GateSession | undefined
  /** The session as it is sent: `Authorization: EEP-Session <token>`. */
  readonly token?: string | undefined
}

export interface DecisionServiceDeps {
  readonly profiles: Pick<ProfileService, 'byDid' | 'requirePermission' | 'roleOf'>
  readonly gates: Pick<GateService, 'gateOrOpen'>
  readonly sessions: Pick<GateSessions, 'issue'>
  /** Decides about one resource. Proofs that open it are used up. */
  readonly decideOne: (
    gate: Gate,
    profile: Profile,
    resource: string,
    credentials: Credentials,
  ) => Promise<AccessDecision>
  /** Decides about every pattern of one tier, by its requirements alone. Proofs that open all of them are used up. */
  readonly decideTier: (
    gate: Gate,
    profile: Profile,
    tier: readonly [string, GateTier],
    credentials: Credentials,
  ) => Promise<ReadonlyMap<string, AccessDecision>>
  readonly refusalInput: (
    resource: Pick<GatedResource, 'profile' | 'name'>,
    gate: Gate,
    decision: AccessDecision,
  ) => RefusalInput
  /** Whether a verifier for this type of requirement exists. */
  readonly isVerifiable: (type: string) => boolean
  readonly prices: Pick<PriceCheck, 'verdictsOf'>
}

/** Decisions of gates that are asked for by themselves, without a request for the resource. */
export function createDecisionService(deps: DecisionServiceDeps) {
  const { profiles, gates, sessions, decideOne, decideTier, refusalInput, isVerifiable, prices } = deps

  return {
    /**
     * Explains to those who may change a gate who gets a resource and why, and how it decides about a visitor.
     *
     * @throws `not_profile_owner`, `profile_not_found`
     */
    async explain(
      did: string,
      resource: string,
      caller: Caller,
      visitor: Partial<Credentials>,
    ): Promise<ExplainedAccess> {
      const profile = await profiles.byDid(did, caller)
      await profiles.requirePermission(profile, caller, 'gates.edit')
      const gate = await gates.gateOrOpen(profile)
      const decision = await decideOne(gate, profile, resource, { ...NO_CREDENTIALS, ...visitor })
      const granted = decision.is === 'granted'
      const { covering, check } = decision
      const explained = { covering, check, open: granted && decision.open, held: granted ? decision.tier : undefined }
      return {
        ...explain(gate.config, resource, explained, isVerifiable, prices),
        audiences: explainAudiences(gate.config, resource),
      }
    },

    /**
     * Verifies proofs for a resource without serving it. An agent that signs gets a session for the tier that it proved.
     *
     * @throws `payment_required` when only money is missing, `access_forbidden` when something else is, `proof_replayed`
     */
    async verifyProof(did: string, resource: string, credentials: Credentials): Promise<Proven> {
      const profile = await profiles.byDid(did, credentials.caller)
      const gate = await gates.gateOrOpen(profile)
      const decision = await decideOne(gate, profile, resource, credentials)
      if (decision.is !== 'granted') {
        const input = refusalInput({ profile, name: resource }, gate, decision)
        throw decision.is === 'payment_required' ? unpaidOf(input) : forbiddenOf(input, null)
      }
      const { tier, proven } = decision
      if (!tier) return { tier: gate.config.default_tier }
      const { agent } = credentials
      // A session covers proofs only: not payments, which can be refunded, nor other sessions.
      if (!agent?.verified || !proven) return { tier: tier.name }
      const issued = await sessions.issue({ agentDid: agent.did, profile, tier: proven.name, gate })
      return { tier: tier.name, ...issued }
    },

    /**
     * Requires the whole of a tier, without serving anything. The team of the profile has every tier. Returns false when the
     * gate has no tier of this name.
     *
     * @throws `payment_required` when only money is missing, `access_forbidden` when something else is, `proof_replayed`
     */
    async requireTier(profile: Profile, name: string, credentials: Credentials): Promise<boolean> {
      const gate = await gates.gateOrOpen(profile)
      const tier = Object.hasOwn(gate.config.tiers, name) ? gate.config.tiers[name] : undefined
      if (!tier) return false
      if (tier.requirements.length === 0 || (await profiles.roleOf(profile, credentials.caller))) return true
      for (const [resource, decision] of await decideTier(gate, profile, [name, tier], credentials)) {
        if (decision.is === 'granted') continue
        const input = refusalInput({ profile, name: resource }, gate, decision)
        throw decision.is === 'payment_required' ? unpaidOf(input) : forbiddenOf(input, null)
      }
      return true
    },
  }
}
