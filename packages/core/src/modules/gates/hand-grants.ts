import type { Emit } from '../../events/catalog.ts'
import type { Stores } from '../../ports/storage.ts'
import { givePaidBack, keptFacts } from '../payments/index.ts'

/** Revokes what was granted by hand at the profiles of an account; what holders paid for stays. */
export async function revokeHandGrants(tx: Stores, emit: Emit, accountId: string, at: Date): Promise<void> {
  for (const id of await tx.entitlements.listGivenByAccount(accountId)) {
    const revoked = await tx.entitlements.revoke(id, at)
    if (!revoked) continue
    const { taken, left } = revoked
    const { profileId, resourcePattern, tier } = taken
    const origin = { profileId, accountId }
    emit(
      'gates.entitlement_revoked',
      { entitlementId: id, resourcePattern, tier, reason: 'account_taken_over' },
      origin,
    )
    const kept = left ?? (await givePaidBack(tx, taken, at))
    if (kept) emit('gates.entitlement_granted', keptFacts(kept), origin)
  }
}
