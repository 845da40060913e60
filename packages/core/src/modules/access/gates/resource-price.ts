import { sha256 } from '../../../kernel/digest.ts'
import { invalidInput } from '../../../kernel/invalid-input.ts'
import {
  type GateConfig,
  type GateRequirement,
  type GateTier,
  gateConfigSchema,
  isCombined,
  type PaymentRequirement,
} from '../../../model/gate-config.ts'
import { paymentsOf } from '../../../model/gate-rules.ts'
import { RESOURCE_TIER_PREFIX } from '../../../model/gate-tier-text.ts'
import { closestPattern } from '../../../model/resource-pattern.ts'
import { tierInUse } from './errors.ts'

/** The price of one resource. */
export interface ResourcePrice extends Pick<PaymentRequirement, 'amount' | 'currency' | 'per'> {
  /** What buyers read as the name of the tier. Default: that of the tier is kept. */
  readonly label?: string | undefined
}

/** The price of a resource in a configuration. */
export interface PricedResource {
  readonly resource: string
  /** The tier of its price; undefined without one. */
  readonly tier: string | undefined
  readonly price: ResourcePrice | undefined
  /** The other tiers with requirements that cover it. */
  readonly otherTiers: readonly string[]
}

const MAX_NAME = 32

const isOwn = (resource: string, name: string, { access }: GateTier): boolean =>
  name.startsWith(RESOURCE_TIER_PREFIX) && access.length === 1 && access[0] === resource

const ownTier = ({ tiers }: GateConfig, resource: string): string | undefined =>
  Object.keys(tiers).find((name) => tiers[name] && isOwn(resource, name, tiers[name]))

/**
 * A name for the tier of a resource. Names of tiers have at most 32 characters and no dots, so a long or an ambiguous one ends with a
 * digest.
 */
function newName({ tiers }: GateConfig, resource: string): string {
  const name = RESOURCE_TIER_PREFIX + resource.replaceAll('.', '_')
  if (name.length <= MAX_NAME && !Object.hasOwn(tiers, name)) return name
  return `${name.slice(0, MAX_NAME - 9)}_${sha256(resource).slice(0, 8)}`
}

const others = ({ tiers, default_tier: home }: GateConfig, resource: string): readonly [string, GateTier][] =>
  Object.entries(tiers).filter(
    ([name, tier]) =>
      name !== home &&
      tier.requirements.length > 0 &&
      !isOwn(resource, name, tier) &&
      closestPattern(tier.access, resource) !== undefined,
  )

/** Returns the price of a resource. */
export function priceIn(config: GateConfig, resource: string): PricedResource {
  const tier = ownTier(config, resource)
  const found = tier === undefined ? undefined : config.tiers[tier]
  const [payment] = paymentsOf(found?.requirements ?? [])
  return {
    resource,
    tier,
    price: payment && { amount: payment.amount, currency: payment.currency, per: payment.per, label: found?.label },
    otherTiers: others(config, resource).map(([name]) => name),
  }
}

/** Changes the price in the payment of a list of requirements, and keeps its methods and the other requirements. */
function withPayment(
  requirements: readonly GateRequirement[],
  price: Omit<ResourcePrice, 'label'>,
): readonly GateRequirement[] {
  const payments = paymentsOf(requirements)
  const [payment] = payments
  if (payments.length !== 1 || payment === undefined) return [{ type: 'payment', ...price }]
  const changed = (one: GateRequirement): GateRequirement => {
    if (one === payment) return { ...payment, ...price }
    return isCombined(one) ? { ...one, requirements: one.requirements.map(changed) } : one
  }
  return requirements.map(changed)
}

/**
 * Sets the price of a resource in a tier that covers nothing else. Changes no other tier, and no other requirement of this one.
 *
 * @throws `tier_in_use` when a tier of several resources covers it; `validation_failed` when the result is not a valid configuration
 */
export function withPrice(config: GateConfig, resource: string, { label, ...price }: ResourcePrice): GateConfig {
  const shared = others(config, resource).filter(([, { access }]) => access.length > 1 || access[0] !== resource)
  if (shared.length > 0) throw tierInUse({ details: { tiers: shared.map(([name]) => name) } })
  const name = ownTier(config, resource) ?? newName(config, resource)
  const before = config.tiers[name]?.requirements ?? []
  const tier = {
    ...config.tiers[name],
    ...(label !== undefined && { label }),
    requirements: withPayment(before, price),
    access: [resource],
  }
  const checked = gateConfigSchema.safeParse({ ...config, tiers: { ...config.tiers, [name]: tier } })
  if (!checked.success) throw invalidInput(checked.error, 'body')
  return checked.data
}

/** Removes the tier of a resource's price, and changes no other. Undefined when there is none. */
export function withoutPrice(config: GateConfig, resource: string): GateConfig | undefined {
  const name = ownTier(config, resource)
  if (name === undefined) return undefined
  const { [name]: _, ...tiers } = config.tiers
  return { ...config, tiers }
}
