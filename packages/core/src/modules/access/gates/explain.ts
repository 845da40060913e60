import { type GateConfig, type GateRequirement, isAudience } from '../../../model/gate-config.ts'
import {
  buyableTiers,
  type CoveringTier,
  paymentsOf,
  type RequirementCheck,
  unmetRequirements,
} from '../../../model/gate-rules.ts'
import { closestPattern, specificity } from '../../../model/resource-pattern.ts'
import type { PriceCheck, RailVerdict } from './payable-prices.ts'

/** A requirement as in the configuration. */
type ExplainedRequirement = { readonly type: string; readonly [member: string]: unknown }

/** Explains access to a resource: helps an owner to understand a configuration. */
export interface Explanation {
  readonly resource: string
  /** `open` for every visitor, `closed` except for visitors that meet a tier. */
  readonly state: 'open' | 'closed'
  /** A sentence with the reason. */
  readonly reason: string
  readonly default_tier: { readonly tier: string; readonly pattern: string | null; readonly score: number }
  /** The tiers that guard it, the most specific pattern first. */
  readonly tiers: {
    readonly tier: string
    readonly label?: string
    readonly pattern: string
    readonly score: number
    /** The requirements that grant access; `payment` when only a payment does, for everyone or for an audience. */
    readonly opens_by: 'payment' | 'proof' | 'nothing'
    /** Whether each payment method takes the price of the tier; absent when it has none. */
    readonly rails?: RailVerdict[]
    readonly requirements: {
      readonly requirement: ExplainedRequirement
      /** False for a type without a verifier, which is never met. */
      readonly verifiable: boolean
    }[]
  }[]
  /** The result for the visitor in question. */
  readonly visitor: {
    readonly granted: boolean
    readonly tier: string | null
    readonly unmet_requirements: ExplainedRequirement[]
  }
}

/** The parts of a decision that are explained. */
interface ExplainedDecision {
  readonly open: boolean
  readonly covering: readonly CoveringTier[]
  /** The tier whose requirements the visitor meets. */
  readonly held: CoveringTier | undefined
  readonly check: RequirementCheck
}

const copyOf = (requirement: GateRequirement): ExplainedRequirement => ({ ...requirement })

/** Meets no requirement but audiences: a payment alone opens a tier for those that it is for. */
const ONLY_AUDIENCES: RequirementCheck = isAudience

function reasonOf(config: GateConfig, decision: ExplainedDecision, home: string | undefined): string {
  const { open, covering } = decision
  const [closest] = covering
  const name = config.default_tier
  if (open && !closest)
    return `The default tier ${name} covers it by ${home}, and no tier that asks for something does.`
  if (open)
    return `The default tier ${name} covers it by ${home}, more closely than ${closest?.name} by ${closest?.pattern}.`
  if (!closest) return 'No tier covers it.'
  if (home === undefined)
    return `The default tier ${name} does not cover it, and ${closest.name} does by ${closest.pattern}.`
  return `${closest.name} covers it by ${closest.pattern}, at least as closely as the default tier ${name} by ${home}.`
}

/** Explains a configuration for a resource and for the visitor that the decision is about. */
export function explain(
  config: GateConfig,
  resource: string,
  decision: ExplainedDecision,
  isVerifiable: (type: string) => boolean,
  prices: Pick<PriceCheck, 'verdictsOf'>,
): Explanation {
  const { open, covering, held, check } = decision
  const home = closestPattern(config.tiers[config.default_tier]?.access ?? [], resource)
  const byMoney = new Set(buyableTiers(covering, ONLY_AUDIENCES).map(({ name }) => name))
  const opensBy = ({ name, tier }: CoveringTier) => {
    if (byMoney.has(name)) return 'payment'
    return tier.requirements.every(({ type }) => isVerifiable(type)) ? 'proof' : 'nothing'
  }
  const railsOf = ({ tier }: CoveringTier) => {
    const [price] = paymentsOf(tier.requirements)
    return price ? { rails: [...prices.verdictsOf(price)] } : {}
  }
  const [nearest] = covering
  return {
    resource,
    state: open ? 'open' : 'closed',
    reason: reasonOf(config, decision, home),
    default_tier: {
      tier: config.default_tier,
      pattern: home ?? null,
      score: home === undefined ? -1 : specificity(home, resource),
    },
    tiers: covering.map((each) => ({
      tier: each.name,
      ...(each.tier.label === undefined ? {} : { label: each.tier.label }),
      pattern: each.pattern,
      score: each.score,
      opens_by: opensBy(each),
      ...railsOf(each),
      requirements: each.tier.requirements.map((requirement) => ({
        requirement: copyOf(requirement),
        verifiable: isVerifiable(requirement.type),
      })),
    })),
    visitor: {
      granted: open || held !== undefined,
      tier: open ? config.default_tier : (held?.name ?? null),
      unmet_requirements: open || held || !nearest ? [] : unmetRequirements(nearest, check).map(copyOf),
    },
  }
}
