import type { Purchase } from '../../../../ports/payment-rail.ts'
import type { Paywall } from '../service.ts'
import { hasProcessor } from './checkouts.ts'

/** The pages of processors on which the tiers of a refusal can be paid. */
export interface CheckoutProcessors {
  /** The name of the processor that takes a payment for a tier, by the name of the tier. */
  readonly processors: ReadonlyMap<string, string>
  /** The origins of their pages. */
  readonly origins: readonly string[]
}

export const NO_CHECKOUT_PROCESSORS: CheckoutProcessors = { processors: new Map(), origins: [] }

/** Finds the processors on whose pages these purchases can be paid; the first rail that takes one gets it. */
export async function findCheckoutProcessors(
  { rails }: Pick<Paywall, 'rails'>,
  purchases: readonly Purchase[],
): Promise<CheckoutProcessors> {
  const processors = new Map<string, string>()
  const origins = new Set<string>()
  for (const purchase of purchases) {
    if (purchase.per === 'request') continue
    for (const rail of rails.filter(hasProcessor)) {
      const isAllowed = purchase.rails === null || purchase.rails.includes(rail.id)
      if (processors.has(purchase.tier) || !isAllowed || !(await rail.offer(purchase))) continue
      processors.set(purchase.tier, rail.processor.name)
      for (const origin of rail.processor.pageOrigins ?? []) origins.add(origin)
    }
  }
  return { processors, origins: [...origins] }
}
