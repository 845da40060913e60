import type { JsonObject } from '../../../../kernel/json.ts'
import { caip2Of } from '../../../../kernel/network.ts'
import type { PaymentRail, Purchase, RailOffer } from '../../../../ports/payment-rail.ts'

/** The offer of a rail for a purchase. */
export interface MadeOffer {
  readonly purchase: Purchase
  readonly rail: string
  readonly offer: RailOffer
}

/**
 * The members of the JSON body for clients of x402 version 1; none without an offer. Those clients refuse the whole list for one entry
 * that they cannot read. A payment of theirs names its network only, so the first rail that reads it is the one that offers on it.
 */
export function v1Members(
  offers: readonly MadeOffer[],
  rails: readonly PaymentRail[],
): { readonly x402Version?: 1; readonly accepts?: readonly JsonObject[] } {
  const readerOf = (network: string) => rails.find(({ info }) => info?.v1Networks?.includes(network))?.id
  const entries = new Map<string, JsonObject>()
  for (const { rail, offer } of offers) {
    for (const entry of offer.v1 ?? []) {
      const { network, maxAmountRequired, payTo } = entry
      if (typeof network !== 'string' || readerOf(caip2Of(network)) !== rail) continue
      const key = `${network} ${maxAmountRequired} ${payTo}`
      if (!entries.has(key)) entries.set(key, entry)
    }
  }
  return entries.size === 0 ? {} : { x402Version: 1, accepts: [...entries.values()] }
}
