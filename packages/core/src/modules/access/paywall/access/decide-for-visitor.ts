import { specificity } from '../../../../model/resource-pattern.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import { type AccessDecision, decide, type ResourceRules, rulesFor } from './decide.ts'
import type { DecisionServiceDeps } from './decision-service.ts'
import type { Credentials, createVisitorRights } from './visitor.ts'

type VisitorRights = Pick<ReturnType<typeof createVisitorRights>, 'rightsTo' | 'spendProofs'>

/** Decisions about resources and tiers by the rights of a visitor, which are read, and whose proofs are used up. */
export function createVisitorDecisions({ rightsTo, spendProofs }: VisitorRights) {
  async function decideBy(
    rules: readonly ResourceRules[],
    gate: Gate,
    profile: Profile,
    credentials: Credentials,
  ): Promise<readonly AccessDecision[]> {
    const closed = rules.filter(({ open }) => !open)
    const rights = await rightsTo(gate, profile, closed, credentials)
    return rules.map((rule) => decide(rule, rights))
  }

  /** Decides about several resources behind one gate. Proofs that open one of them are used up, unless `spends` is false. */
  async function decideAll(
    gate: Gate,
    profile: Profile,
    resources: readonly string[],
    credentials: Credentials,
    { spends = true }: { readonly spends?: boolean | undefined } = {},
  ): Promise<readonly AccessDecision[]> {
    const rules = resources.map((resource) => rulesFor(gate.config, resource))
    const decisions = await decideBy(rules, gate, profile, credentials)
    const isUsed = decisions.some((decision) => decision.is === 'granted' && !decision.open)
    if (spends && isUsed) await spendProofs(profile.id, credentials)
    return decisions
  }

  async function decideOne(gate: Gate, profile: Profile, resource: string, credentials: Credentials) {
    const [decision] = await decideAll(gate, profile, [resource], credentials)
    return decision as AccessDecision
  }

  const decideTier: DecisionServiceDeps['decideTier'] = async (gate, profile, [name, tier], credentials) => {
    const rules = tier.access.map((pattern) => ({
      resource: pattern,
      open: false,
      covering: [{ name, tier, pattern, score: specificity(pattern, pattern) }],
    }))
    const decisions = await decideBy(rules, gate, profile, credentials)
    if (decisions.every(({ is }) => is === 'granted')) await spendProofs(profile.id, credentials)
    return new Map(decisions.map((decision, index) => [tier.access[index] ?? '', decision]))
  }

  return { decideAll, decideOne, decideTier }
}
