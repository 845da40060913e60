import { AUDIENCES, type AudienceName, membersOf } from './audience.ts'
import { type GateConfig, isAudience, type PaymentRequirement } from './gate-config.ts'
import {
  audienceCheck,
  type CoveringTier,
  coveringTiers,
  heldTier,
  isOpen,
  namesAudiences,
  wholeTiers,
} from './gate-rules.ts'
import { decimalAmount } from './price-text.ts'
import { resourceName } from './resource-name.ts'
import { tiersForUnproven } from './unproven-reader.ts'

/** The access summary of a page in a table of contents. */
export interface PageAccess {
  readonly gated: boolean
  /**
   * The lowest price that grants access, in the currency of the most specific tier: amounts of different currencies are not
   * compared. Null when it is free or a payment alone is not sufficient.
   */
  readonly price: { readonly amount: string; readonly currency: string; readonly per: PaymentRequirement['per'] } | null
  /** The audiences that read it for free. Absent when there are none. */
  readonly free_for?: readonly AudienceName[] | undefined
}

const FREE: PageAccess = { gated: false, price: null }

/** The audiences whose readers read a resource for free, without another proof. */
function audiencesWithAccess(gates: GateConfig, resource: string, covering: readonly CoveringTier[]) {
  if (!namesAudiences(gates)) return []
  const whole = wholeTiers(covering, resource)
  return AUDIENCES.filter((name) => {
    const isMet = audienceCheck(covering, membersOf(name))
    return heldTier(whole, (one, tier) => isAudience(one) && isMet(one, tier)) !== undefined
  })
}

/** Whether a page is gated, its price for readers who prove nothing, and who reads it for free. */
export const accessTo = (slugs: readonly string[], gates: GateConfig | undefined): PageAccess =>
  accessToResource(resourceName('content', slugs), gates)

/** Whether a resource is gated, its price for readers who prove nothing, and who reads it for free. */
export function accessToResource(resource: string, gates: GateConfig | undefined): PageAccess {
  if (!gates) return FREE
  const covering = coveringTiers(gates, resource)
  if (isOpen(gates, resource, covering)) return FREE

  const free = audiencesWithAccess(gates, resource, covering)
  const freeFor = free.length > 0 ? { free_for: free } : {}
  const payments = tiersForUnproven(gates, resource).map(({ payment }) => payment)
  const [first] = payments
  const [cheapest] = payments
    .filter(({ currency }) => currency === first?.currency)
    .sort((left, right) => left.amount - right.amount)
  if (!cheapest) return { gated: true, price: null, ...freeFor }
  const { currency, per } = cheapest
  return { gated: true, price: { amount: decimalAmount(cheapest), currency, per }, ...freeFor }
}
