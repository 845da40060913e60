import { SERVICE_PROFILE_ID } from '../../ports/payment-rail.ts'
import type { Readers } from '../../ports/storage.ts'
import type { Tier } from '../accounts/index.ts'
import type { Payment } from './store.ts'

/**
 * Who sold what was paid: whoever owned the profile when the payment was claimed, at the commission of their tier of
 * today. `isHere` while the profile stands whose content was bought.
 */
export async function sellerOf(
  { sellerAccountId, purchase: { profileId } }: Payment,
  tx: Readers,
  commissionBps: (tier: Tier) => number,
) {
  if (profileId === SERVICE_PROFILE_ID) return { accountId: null, commissionBps: 0, isHere: false }
  const profile = await tx.profiles.get(profileId)
  const ownerId = sellerAccountId ?? profile?.ownerAccountId
  const account = ownerId === undefined ? undefined : await tx.accounts.get(ownerId)
  const bps = commissionBps(account?.tier ?? 'community')
  return { accountId: account?.id ?? null, commissionBps: bps, isHere: profile !== undefined }
}
