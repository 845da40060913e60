import type { Stores } from '../../ports/storage.ts'
import type { Account, AccountChanges } from './store.ts'

/**
 * What changes when somebody proves that the mail of an account is theirs without knowing its password. Whoever made it
 * with an address they never proved must keep no way in: their sessions end, and the keys and wallets they linked go.
 */
export async function takeOver(tx: Stores, account: Account, at: Date): Promise<AccountChanges> {
  if (!account.emailVerified) {
    for (const { id } of await tx.apiKeys.listOfAccount(account.id)) await tx.apiKeys.revoke(id, account.id, at)
    for (const { id } of await tx.wallets.listOfAccount(account.id)) await tx.wallets.delete(id)
  }
  return { tokenVersion: account.tokenVersion + 1 }
}
