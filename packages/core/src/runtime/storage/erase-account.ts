import { ERASING_STORE } from '../../ports/storage/erasing-stores.ts'
import type { AccountEraser, ErasedAccount } from '../../ports/storage/erasure.ts'
import type { Stores } from '../../ports/storage/storage.ts'

/**
 * Erases a locked account from every group of the storage, including those of modules that are off: first the optional
 * groups in order, then the required group.
 *
 * @param keptEvents - the types of events that keep their data when only their account is erased
 */
export async function eraseFromGroups(
  tx: Stores,
  account: ErasedAccount,
  keptEvents: readonly string[],
): Promise<void> {
  for (const name of Object.values(ERASING_STORE)) {
    const eraser: AccountEraser | undefined = name === null ? undefined : tx[name]
    await eraser?.eraseAccount(account)
  }
  await tx.accounts.eraseAccount(account, keptEvents)
}
