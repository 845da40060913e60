import { type GateConfig, isPayment, type PaymentRequirement } from '../../model/gate-config.ts'
import { coveringTiers, isOpen } from '../../model/gate-rules.ts'
import { decimalAmount } from '../../model/price-text.ts'
import { contentResource } from './address.ts'

/** The access summary of a page in a table of contents. */
export interface PageAccess {
  readonly gated: boolean
  /** The lowest price that grants access. Null when it is free or a payment alone is not sufficient. */
  readonly price: { readonly amount: string; readonly currency: string; readonly per: PaymentRequirement['per'] } | null
}

const FREE: PageAccess = { gated: false, price: null }

/** Whether a page is gated, and its price. */
export function accessTo(slugs: readonly string[], gates: GateConfig | undefined): PageAccess {
  if (!gates) return FREE
  const resource = contentResource(slugs)
  const covering = coveringTiers(gates, resource)
  if (isOpen(gates, resource, covering)) return FREE

  let cheapest: PaymentRequirement | undefined
  for (const { tier } of covering) {
    const [payment, ...others] = tier.requirements
    if (!payment || !isPayment(payment) || others.length > 0) continue
    if (!cheapest || payment.amount < cheapest.amount) cheapest = payment
  }
  if (!cheapest) return { gated: true, price: null }
  return { gated: true, price: { amount: decimalAmount(cheapest), currency: cheapest.currency, per: cheapest.per } }
}
