import { isPayment } from '../../../../model/gate-config.ts'
import { audienceOf, coveringTiers, namesAudiences } from '../../../../model/gate-rules.ts'
import { specificity } from '../../../../model/resource-pattern.ts'
import type { ActivePattern } from '../../../../ports/storage/entitlements.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import { type AccessDecision, decide, type ResourceRules, type VisitorRights as Rights, rulesFor } from './decide.ts'
import type { DecisionServiceDeps } from './decision-service.ts'
import type { Reader } from './reader.ts'
import type { Credentials, createVisitorRights } from './visitor.ts'

/** Decisions, and the rights that they were made by. */
interface Decided {
  readonly rights: Rights
  readonly decisions: readonly AccessDecision[]
}

const NO_AUDIENCE: Rights['audiences'] = new Set()

/** Whether another tier covers a pattern, or a part of it, more closely than the tier that has it. */
const hasCloserTier = ({ config }: Gate, name: string, pattern: string): boolean =>
  coveringTiers(config, pattern).some((each) => each.name !== name && each.score > specificity(pattern, pattern))

type VisitorRights = Pick<ReturnType<typeof createVisitorRights>, 'rightsTo' | 'spendProofs'>

/** Decisions about resources and tiers by the rights of a visitor, which are read, and whose proofs are used up. */
export function createVisitorDecisions({ rightsTo, spendProofs }: VisitorRights) {
  async function decideBy(
    rules: readonly ResourceRules[],
    gate: Gate,
    profile: Profile,
    credentials: Credentials,
    bought: readonly ActivePattern[] = [],
  ): Promise<Decided> {
    const closed = rules.filter(({ open }) => !open)
    const held = await rightsTo(gate, profile, closed, credentials)
    const rights = { ...held, entitlements: [...held.entitlements, ...bought] }
    return { rights, decisions: rules.map((rule) => decide(rule, rights)) }
  }

  /**
   * Decides again for a reader whose signature opens resources by itself. It is used up for each of them; if it was used before, it
   * proves nothing.
   */
  async function withUsedSignature(
    rules: readonly ResourceRules[],
    { rights, decisions }: Decided,
    profile: Profile,
    reader: Reader,
  ): Promise<readonly AccessDecision[]> {
    const unsigned = await reader.unsigned()
    if (!unsigned) return decisions
    const made: AccessDecision[] = []
    for (const [at, decision] of decisions.entries()) {
      const rule = rules[at] as ResourceRules
      const without = decision.is === 'granted' ? decide(rule, { ...rights, audiences: unsigned }) : decision
      const isOpenBySignature = decision.is === 'granted' && without.is !== 'granted'
      const isPaid = isOpenBySignature && decision.tier?.tier.requirements.some(isPayment)
      const isUsed = isOpenBySignature && !isPaid && !(await reader.use(`${profile.id}:${rule.resource}`))
      made.push(isUsed ? without : decision)
    }
    return made
  }

  /**
   * Decides about several resources behind one gate. Proofs that open one of them are used up, unless `spends` is false.
   *
   * @param bought - What the visitor bought for this request, besides its entitlements.
   */
  async function decideAll(
    gate: Gate,
    profile: Profile,
    resources: readonly string[],
    credentials: Credentials,
    {
      spends = true,
      bought,
    }: { readonly spends?: boolean | undefined; readonly bought?: readonly ActivePattern[] | undefined } = {},
  ): Promise<readonly AccessDecision[]> {
    const rules = resources.map((resource) => rulesFor(gate.config, resource))
    const decided = await decideBy(rules, gate, profile, credentials, bought)
    const reader = spends && namesAudiences(gate.config) ? credentials.reader : undefined
    const decisions = reader ? await withUsedSignature(rules, decided, profile, reader) : decided.decisions
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
    // Its holder gets it for a time in which the reader is not checked again.
    const { rights, decisions: all } = await decideBy(rules, gate, profile, { ...credentials, reader: undefined })
    const decisions = all.map((decision, at) => {
      const rule = rules[at]
      const isShadowed = rule && audienceOf(tier) && hasCloserTier(gate, name, rule.resource)
      return isShadowed ? decide(rule, { ...rights, audiences: NO_AUDIENCE }) : decision
    })
    if (decisions.every(({ is }) => is === 'granted')) await spendProofs(profile.id, credentials)
    return new Map(decisions.map((decision, index) => [tier.access[index] ?? '', decision]))
  }

  return { decideAll, decideOne, decideTier }
}
