import { ERASED_DID } from '../../../kernel/erased-ids.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { ErasedAccount } from '../../../ports/storage/erasure.ts'
import type { Receipt } from '../../../ports/storage/payments.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { signReceipt } from './receipt.ts'

type Unsigned = Omit<Receipt, 'signature'>

/** The receipt without the names of this account and its profiles. */
function withoutNames(
  { signature: _, ...receipt }: Receipt,
  accountId: string,
  isProfile: (id: number) => boolean,
): Unsigned {
  const { seller } = receipt
  const isSeller = seller.accountId === accountId
  const sold = isSeller || isProfile(seller.profileId)
  // A profile may have had another owner when it sold.
  const sellerId = isSeller ? null : seller.accountId
  const paid = receipt.payerAccountId === accountId
  return {
    ...receipt,
    ...(sold ? { seller: { ...seller, did: ERASED_DID, accountId: sellerId } } : {}),
    ...(paid ? { payerAccountId: null, payerDid: null } : {}),
  }
}

/**
 * Removes the names of an account from at most `limit` receipts, and signs them again. Returns how many; 0 when none has
 * its names.
 */
export async function eraseFromReceipts(
  tx: Stores,
  { id, profileIds }: Pick<ErasedAccount, 'id' | 'profileIds'>,
  keyring: Keyring,
  limit: number,
): Promise<number> {
  const own = new Set(profileIds)
  const { items } = await tx.receipts.list({ naming: id }, { limit })
  for (const { refund: _, refundClaim: __, ...receipt } of items) {
    const unsigned = withoutNames(receipt, id, (profileId) => own.has(profileId))
    await tx.receipts.replace(await signReceipt(unsigned, keyring))
  }
  return items.length
}
