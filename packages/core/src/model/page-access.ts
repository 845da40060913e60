import type { GateConfig, PaymentRequirement } from './gate-config.ts'
import { coveringTiers, isOpen } from './gate-rules.ts'
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
}

const FREE: PageAccess = { gated: false, price: null }

/** Whether a page is gated, and its price. */
export function accessTo(slugs: readonly string[], gates: GateConfig | undefined): PageAccess {
  if (!gates) return FREE
  const resource = resourceName('content', slugs)
  if (isOpen(gates, resource, coveringTiers(gates, resource))) return FREE

  const payments = tiersForUnproven(gates, resource).map(({ payment }) => payment)
  const [first] = payments
  const [cheapest] = payments
    .filter(({ currency }) => currency === first?.currency)
    .sort((left, right) => left.amount - right.amount)
  if (!cheapest) return { gated: true, price: null }
  return { gated: true, price: { amount: decimalAmount(cheapest), currency: cheapest.currency, per: cheapest.per } }
}
