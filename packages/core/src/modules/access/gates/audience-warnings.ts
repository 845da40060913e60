import { type GateConfig, type GateTier, isAudience } from '../../../model/gate-config.ts'
import { audienceOf, paymentsOf } from '../../../model/gate-rules.ts'
import { covers } from '../../../model/resource-pattern.ts'

/** Something that the owner of a tier for an audience should know. */
export interface AudienceWarning {
  /**
   * `audience_declared`: `browsers` opens it, which any client can claim to be. `audience_evadable`: programs that sign pay more than
   * those that do not. `audience_shadowed`: `tiers` cover a part of its patterns more closely, and keep it from there.
   * `audience_opens_sold`: the audience alone opens what `tiers` sell to everyone by an equal pattern. `audience_unprovable`: nothing
   * in this service proves that a reader is one of `audiences`, so no reader ever is.
   */
  readonly code:
    | 'audience_declared'
    | 'audience_evadable'
    | 'audience_shadowed'
    | 'audience_opens_sold'
    | 'audience_unprovable'
  readonly tier: string
  readonly tiers?: readonly string[] | undefined
  readonly audiences?: readonly string[] | undefined
}

type NamedTier = readonly [name: string, tier: GateTier]

const MAX_NAMED = 10

const isFor = ({ requirements }: GateTier, audience: string): boolean =>
  audienceOf({ requirements })?.any_of.includes(audience) === true

/** Whether nothing but the audience is asked for. */
const isOpenToAudience = ({ requirements }: GateTier): boolean => requirements.every(isAudience)

const isEvadable = (tier: GateTier, others: readonly NamedTier[]): boolean => {
  const [dear] = paymentsOf(tier.requirements)
  if (!dear || !isFor(tier, 'verified_bots') || isFor(tier, 'unverified')) return false
  return others.some(([, other]) => {
    if (!isFor(other, 'unverified') || !other.access.some((pattern) => tier.access.includes(pattern))) return false
    const [cheap] = paymentsOf(other.requirements)
    if (!cheap) return isOpenToAudience(other)
    return cheap.currency === dear.currency && cheap.per === dear.per && cheap.amount < dear.amount
  })
}

/**
 * Warnings about the tiers of a configuration that are for an audience.
 *
 * @param isProvable - whether the service can find that a reader belongs to an audience
 */
export function audienceWarnings(
  config: GateConfig,
  isProvable: (audience: string) => boolean,
): readonly AudienceWarning[] {
  const guarded: readonly NamedTier[] = Object.entries(config.tiers).filter(
    ([name, { requirements }]) => name !== config.default_tier && requirements.length > 0,
  )
  return guarded.flatMap(([tier, own]): readonly AudienceWarning[] => {
    const audience = audienceOf(own)
    if (!audience) return []
    const named = [...audience.any_of, ...(audience.none_of ?? [])]
    const audiences = [...new Set(named)].filter((value) => !isProvable(value))
    const others = guarded.filter(([name]) => name !== tier)
    const namesOf = (has: (other: GateTier) => boolean) =>
      others.flatMap(([name, other]) => (has(other) ? [name] : [])).slice(0, MAX_NAMED)
    const isInside = (inner: string) => own.access.some((pattern) => pattern !== inner && covers(pattern, inner))
    const closer = namesOf(({ access }) => access.some(isInside))
    const sold = isOpenToAudience(own)
      ? namesOf(
          (other) =>
            !audienceOf(other) &&
            paymentsOf(other.requirements).length > 0 &&
            other.access.some((pattern) => own.access.includes(pattern)),
        )
      : []
    return [
      ...(isOpenToAudience(own) && isFor(own, 'browsers') ? [{ code: 'audience_declared', tier } as const] : []),
      ...(isEvadable(own, others) ? [{ code: 'audience_evadable', tier } as const] : []),
      ...(closer.length > 0 ? [{ code: 'audience_shadowed', tier, tiers: closer } as const] : []),
      ...(sold.length > 0 ? [{ code: 'audience_opens_sold', tier, tiers: sold } as const] : []),
      ...(audiences.length > 0 ? [{ code: 'audience_unprovable', tier, audiences } as const] : []),
    ]
  })
}
