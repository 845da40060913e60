import type { GateConfig, PaymentRequirement } from './gate-config.ts'
import { buyableTiers, coveringTiers, isOpen } from './gate-rules.ts'
import { decimalAmount } from './price-text.ts'
import { resourceName } from './resource-name.ts'

/** The access summary of a page in a table of contents. */
export interface PageAccess {
  readonly gated: boolean
  /**
   * The lowest price that grants access, in the currency of the most specific tier: amounts of different currencies are not
   * compared. Null when it is free or a payment alone is not sufficient.
   */
  readonly price: { readonly amount: string; readonly currency: string; readonly per: PaymentRequirement['per'] } | null
}

/** A reader of whom nothing is known. */
const NOTHING_MET = () => false
const FREE: PageAccess = { gated: false, price: null }

/** Whether a page is gated, and its price. */
export function accessTo(slugs: readonly string[], gates: GateConfig | undefined): PageAccess {
  if (!gates) return FREE
  const resource = resourceName('content', slugs)
  const covering = coveringTiers(gates, resource)
  if (isOpen(gates, resource, covering)) return FREE

  const payments = buyableTiers(covering, NOTHING_MET).map(({ payment }) => payment)
  const [first] = payments
  const [cheapest] = payments
    .filter(({ currency }) => currency === first?.currency)
    .sort((left, right) => left.amount - right.amount)
  if (!cheapest) return { gated: true, price: null }
  return { gated: true, price: { amount: decimalAmount(cheapest), currency: cheapest.currency, per: cheapest.per } }
}
