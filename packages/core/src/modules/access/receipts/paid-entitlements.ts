import type { Stores } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { validUntil } from './receipt.ts'

type EntitlementRecord = NonNullable<Awaited<ReturnType<Stores<'sales'>['grants']['get']>>>
type Entitlement = Awaited<ReturnType<Stores['entitlements']['grant']>>

/**
 * Restores the paid part of a revoked entitlement, which has the end of the longest payment. Payments from before its start do not
 * count, because their entitlements were already revoked. Undefined without a payment.
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
