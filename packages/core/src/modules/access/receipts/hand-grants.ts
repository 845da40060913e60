import { accountHolder } from '../../../kernel/wallet.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { entitlementGranted, entitlementRevoked } from './events.ts'
import { givePaidBack, grantedEventData } from './paid-entitlements.ts'

/**
 * Revokes manual grants at the profiles of an account, and manual grants to the account itself. Keeps
 * paid entitlements, and grants to the email address of the account.
 */
export async function revokeHandGrants(tx: Stores, emit: Emit, accountId: string, at: Date): Promise<void> {
  // Manual grants need the group `grants`.
  if (!tx.grants) return
  const given = await tx.grants.listGivenByAccount(accountId)
  const received = await tx.grants.listGivenTo(accountHolder(accountId))
  for (const id of [...given, ...received]) {
    const revoked = await tx.grants.revoke(id, at)
    if (!revoked) continue
    const { taken, left } = revoked
    const { profileId, resourcePattern, tier } = taken
    const origin = { profileId, accountId }
    emit(entitlementRevoked, { entitlementId: id, resourcePattern, tier, reason: 'account_taken_over' }, origin)
    const kept = left ?? (await givePaidBack(tx, taken, at))
    if (kept) emit(entitlementGranted, grantedEventData(kept), origin)
  }
}
