import { z } from 'zod'
import {
  type GateConfig,
  type GateTier,
  isPayment,
  type PaymentRequirement,
  priceSchema,
} from '../../../../model/gate-config.ts'
import { coveringTiers, isOpen, paymentsOf } from '../../../../model/gate-rules.ts'
import { many } from '../values.ts'

/** The readers of a tier: followers, people who pay, or those who meet other requirements, which only the API changes. */
export type TierKind = 'followers' | 'paid' | 'other'

/** The values of the form of a tier. */
export const tierForm = z.object({
  gate: z.string().max(128),
  tier: z.string().max(32),
  label: z.string().trim().max(128),
  kind: z.enum(['followers', 'paid', 'other']),
  amount: z.string().trim(),
  currency: z.string().trim(),
  per: priceSchema.shape.per,
  opens: many.refine((patterns) => patterns.length > 0 && patterns.length <= 100),
  confirm: z.literal('1').optional(),
})

/** Returns who a tier is for. */
export function kindOf({ requirements }: Pick<GateTier, 'requirements'>): TierKind {
  const [first, ...others] = requirements
  if (requirements.some(isPayment)) return 'paid'
  const isFollowers = first?.type === 'connection' && first.relation === 'follower' && others.length === 0
  return isFollowers ? 'followers' : 'other'
}

/** The price of a tier; undefined when no payment opens it. */
export const priceOf = ({ requirements }: Pick<GateTier, 'requirements'>): PaymentRequirement | undefined =>
  paymentsOf(requirements)[0]

/** What a tier asks for after its form: requirements that the form does not show stay. */
function requirementsOf(
  before: readonly GateTier['requirements'][number][],
  kind: TierKind,
  price: Pick<PaymentRequirement, 'amount' | 'currency' | 'per'> | undefined,
): GateTier['requirements'] {
  if (kind === 'followers') return [{ type: 'connection', relation: 'follower' }]
  if (kind === 'other' || !price) return [...before]
  if (before.some(isPayment)) return before.map((each) => (isPayment(each) ? { ...each, ...price } : each))
  const others = kindOf({ requirements: [...before] }) === 'other' ? before : []
  return [...others, { type: 'payment', ...price }]
}

/** A free name for a new tier. */
function freeName({ tiers }: GateConfig): string {
  let number = 1
  while (Object.hasOwn(tiers, `tier_${number}`)) number += 1
  return `tier_${number}`
}

/** The change that a form makes. */
export interface TierChange {
  /** The name of the tier; empty for a new one. */
  readonly tier: string
  readonly label: string
  readonly kind: TierKind
  /** Present for the kind `paid`. */
  readonly price: Pick<PaymentRequirement, 'amount' | 'currency' | 'per'> | undefined
  readonly opens: readonly string[]
}

/**
 * Returns a configuration with one tier changed or added; all else stays, also what the form does not show.
 *
 * @param config - has the tier, unless it is new
 */
export function withTier(config: GateConfig, { tier, label, kind, price, opens }: TierChange): GateConfig {
  const before = Object.hasOwn(config.tiers, tier) ? config.tiers[tier] : undefined
  const { label: _, ...rest } = before ?? { requirements: [], access: [] }
  const next: GateTier = {
    ...rest,
    ...(label !== '' && { label }),
    requirements: requirementsOf(before?.requirements ?? [], kind, price),
    access: [...new Set(opens)],
  }
  return { ...config, tiers: { ...config.tiers, [before ? tier : freeName(config)]: next } }
}

/** Returns a configuration without a tier. */
export function withoutTier(config: GateConfig, tier: string): GateConfig {
  const { [tier]: _, ...tiers } = config.tiers
  return { ...config, tiers }
}

/** Whether a tier asks for less after a change: one kind of its requirements is missing. */
export const asksForLess = (before: GateConfig, after: GateConfig): boolean =>
  Object.entries(before.tiers).some(([name, { requirements }]) => {
    const next = Object.hasOwn(after.tiers, name) ? after.tiers[name] : undefined
    return next && requirements.some(({ type }) => !next.requirements.some((each) => each.type === type))
  })

/** Returns what the tiers of a configuration open, as patterns. */
export const patternsIn = ({ tiers }: GateConfig): readonly string[] =>
  Object.values(tiers).flatMap(({ access }) => access)

/** Those of some resources that had to be paid before and that everyone may read after a change. */
export function openedByChange(before: GateConfig, after: GateConfig, resources: readonly string[]): readonly string[] {
  return resources.filter((resource) => {
    const covering = coveringTiers(before, resource)
    if (isOpen(before, resource, covering) || !covering.some(({ tier }) => priceOf(tier))) return false
    return isOpen(after, resource, coveringTiers(after, resource))
  })
}
