import type { GateConfig, GateRequirement } from './gate-config.ts'
import { buyableTiers, type CoveringTier, type RequirementCheck, unmetRequirements } from './resolve.ts'
import { closestPattern, specificity } from './resource-pattern.ts'
import type { Standing } from './standing.ts'

/** Who gets a resource, and why: what an owner reads to understand a configuration. */
export interface Explanation {
  readonly resource: string
  /** `open` to everybody, `closed` but to those who meet a tier. */
  readonly state: 'open' | 'closed'
  /** A sentence that says why. */
  readonly reason: string
  readonly default_tier: { readonly tier: string; readonly pattern: string | null; readonly score: number }
  /** The tiers that guard it, the closest first. */
  readonly tiers: readonly {
    readonly tier: string
    readonly label?: string
    readonly pattern: string
    readonly score: number
    /** What lets somebody in: `payment` when money alone does. */
    readonly opens_by: 'payment' | 'proof' | 'nothing'
    readonly requirements: readonly {
      readonly requirement: GateRequirement
      /** False for a type that nobody verifies here: it is never met. */
      readonly verifiable: boolean
    }[]
  }[]
  /** How the visitor that was asked about stands. */
  readonly visitor: {
    readonly granted: boolean
    readonly tier: string | null
    readonly unmet_requirements: readonly GateRequirement[]
  }
}

const NOBODY: RequirementCheck = () => false

function reasonOf(config: GateConfig, standing: Standing, home: string | undefined): string {
  const { open, covering } = standing
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

/** Explains a configuration for a resource and for the visitor whose standing is given. */
export function explain(
  config: GateConfig,
  resource: string,
  standing: Standing,
  knows: (type: string) => boolean,
): Explanation {
  const { open, covering, held, check } = standing
  const home = closestPattern(config.tiers[config.default_tier]?.access ?? [], resource)
  const byMoney = new Set(buyableTiers(covering, NOBODY).map(({ name }) => name))
  const opensBy = ({ name, tier }: CoveringTier) => {
    if (byMoney.has(name)) return 'payment'
    return tier.requirements.every(({ type }) => knows(type)) ? 'proof' : 'nothing'
  }
  const [nearest] = covering
  return {
    resource,
    state: open ? 'open' : 'closed',
    reason: reasonOf(config, standing, home),
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
      requirements: each.tier.requirements.map((requirement) => ({
        requirement,
        verifiable: knows(requirement.type),
      })),
    })),
    visitor: {
      granted: open || held !== undefined,
      tier: open ? config.default_tier : (held?.name ?? null),
      unmet_requirements: open || held || !nearest ? [] : unmetRequirements(nearest, check),
    },
  }
}
