import type { Stores } from '../../ports/storage/storage.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { validUntil } from './period.ts'

type EntitlementRecord = NonNullable<Awaited<ReturnType<Stores<'sales'>['grants']['get']>>>
type Entitlement = Awaited<ReturnType<Stores['entitlements']['grant']>>

/**
 * Gives a holder again what payments bought of what was taken back: one entitlement shows the longest of them all.
 * Payments from before it began no longer count, because their entitlements were revoked then. Undefined when nothing was.
 */
export async function givePaidBack(
  tx: Stores,
  { revokedAt: _, ...taken }: EntitlementRecord,
  now: Date,
): Promise<Entitlement | undefined> {
  let kept: Entitlement | undefined
  for (const { receiptId, issuedAt, purchase } of await requireGroup(tx, 'sales').grants.listLasting(
    taken,
    taken.createdAt,
  )) {
    const end = validUntil(purchase.per, issuedAt)
    if (!purchase.access.includes(taken.resourcePattern) || (end !== null && end <= now)) continue
    const { tier } = purchase
    kept = await tx.entitlements.grant({ ...taken, tier, receiptId, validUntil: end, createdAt: issuedAt })
  }
  return kept
}

/** The entitlement that remains after a part of it was revoked, as reported. */
export const grantedEventData = ({ id, resourcePattern, tier, validUntil: end, receiptId }: Entitlement) => ({
  entitlementId: id,
  resourcePattern,
  tier,
  validUntil: end?.toISOString() ?? null,
  reason: receiptId === null ? 'hand' : 'other_payment',
})
