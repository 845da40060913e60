import type { Emit } from '../../events/define-event.ts'
import type { Account, AccountChanges } from '../../ports/storage/accounts.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { showVerified } from '../profiles/index.ts'
import { emailVerified } from './events.ts'

/**
 * Marks the email address of a locked account as verified, together with other changes to it. Called for every proof of
 * an address: the token of a verification or reset email, a sign-in provider, an invitation, the host. Emits
 * `accounts.email_verified` once for each address that becomes verified, ends open verification tokens, and shows the profiles
 * that waited for it.
 *
 * @returns the account as stored; `undefined` when it is gone, or when its new email address is taken
 */
export async function confirmEmail(
  tx: Stores,
  emit: Emit,
  account: Account,
  changes: AccountChanges = {},
): Promise<Account | undefined> {
  const saved = await tx.accounts.save(account.id, { ...changes, emailVerified: true })
  if (!saved) return undefined
  if (!account.emailVerified || saved.email !== account.email) {
    await tx.tokens.deleteOf('verify_email', account.id)
    const origin = { accountId: account.id }
    emit(emailVerified, origin, origin)
    await showVerified(tx, emit, account.id)
  }
  return saved
}
