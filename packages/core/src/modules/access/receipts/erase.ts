import type { Keyring } from '../../../kernel/keyring.ts'
import { ERASED_DID } from '../../../kernel/tombstones.ts'
import type { Receipt } from '../../../ports/storage/payments.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { signReceipt } from './receipt.ts'

const RECEIPTS_A_STEP = 100

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

/** Removes the names of an account from every receipt and signs them again, in the transaction that erases it. */
export async function eraseFromReceipts(
  tx: Stores,
  accountId: string,
  profileIds: readonly number[],
  keyring: Keyring,
): Promise<void> {
  const own = new Set(profileIds)
  for (;;) {
    const { items } = await tx.receipts.list({ naming: accountId }, { limit: RECEIPTS_A_STEP })
    if (items.length === 0) return
    for (const { refund: _, refundClaim: __, ...receipt } of items) {
      const unsigned = withoutNames(receipt, accountId, (id) => own.has(id))
      await tx.receipts.replace(await signReceipt(unsigned, keyring))
    }
  }
}
