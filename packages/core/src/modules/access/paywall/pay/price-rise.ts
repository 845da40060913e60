import type { GateConfig } from '../../../../model/gate-config.ts'
import { coveringTiers, paymentsOf } from '../../../../model/gate-rules.ts'
import type { Purchase } from '../../../../ports/payment-rail.ts'
import type { Gate, GateVersionReader } from '../../../../ports/storage/gates.ts'

/** How long the price of a 402 counts for a credential that does not name its offer. */
const OFFER_LIFE_MS = 15 * 60_000

/** An owner who saves more often within the life of an offer has changed the price for all that is known. */
const MAX_VERSIONS = 50

/** Whether a configuration offered the resource of a purchase at a lower price, or at one that cannot be compared. */
function wasCheaper(config: GateConfig, { resource, tier: name, per, price }: Purchase): boolean {
  const covering = coveringTiers(config, resource)
  const ofTier = covering.find((each) => each.name === name)
  const payments = (ofTier ? [ofTier] : covering).flatMap(({ tier }) => paymentsOf(tier.requirements))
  return payments.some(
    (payment) => payment.currency !== price.currency || payment.per !== per || payment.amount < Number(price.amount),
  )
}

/**
 * Whether the price of a purchase rose within the life of an offer, so that its buyer may have read a lower one. A version
 * that is no longer stored, or a storage without versions, counts as a rise.
 */
export async function roseLately(
  { profileId, version: current, updatedAt }: Gate,
  purchase: Purchase,
  { now, versions }: { readonly now: Date; readonly versions: Pick<GateVersionReader, 'get'> | undefined },
): Promise<boolean> {
  const since = now.getTime() - OFFER_LIFE_MS
  let changedAt = updatedAt
  for (let version = current - 1; version >= 1 && changedAt.getTime() > since; version--) {
    const earlier = current - version > MAX_VERSIONS ? undefined : await versions?.get(profileId, version)
    if (!earlier || wasCheaper(earlier.config, purchase)) return true
    changedAt = earlier.changedAt
  }
  return false
}
