import { accountHolder } from '../../../kernel/wallet.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { entitlementRevoked } from './events.ts'

/**
 * Ends manual grants at the profiles of an account, and manual grants to the account itself. Keeps purchases, and grants to
 * the email address of the account.
 */
export async function revokeHandGrants(tx: Stores, emit: Emit, accountId: string, at: Date): Promise<void> {
  // Manual grants need the group `grants`.
  if (!tx.grants) return
  const given = await tx.grants.listGivenByAccount(accountId)
  const received = await tx.grants.listGivenTo(accountHolder(accountId))
  for (const grantId of [...given, ...received]) {
    for (const { id, profileId, resourcePattern, tier } of await tx.grants.end(grantId, at)) {
      const data = { entitlementId: id, resourcePattern, tier, reason: 'account_taken_over' }
      emit(entitlementRevoked, data, { profileId, accountId })
    }
  }
}
