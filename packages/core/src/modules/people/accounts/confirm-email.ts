import type { Account, AccountChanges } from '../../../ports/storage/accounts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import { showVerified } from '../../profiles/profiles/index.ts'
import { emailVerified } from './events.ts'

/**
 * Marks the email address of a locked account as verified and owned, together with other changes to it. Called for every
 * proof that the person of the account reads the address: a link that is opened in a session or with the password of the
 * account, a takeover, a sign-in provider, an invitation, the host. Emits `accounts.email_verified` once for each address that
 * becomes verified, ends open verification tokens, and shows the profiles that waited for it.
 *
 * @returns the account as stored; `undefined` when it is gone, or when its new email address is taken
 */
export async function confirmEmail(
  tx: Stores,
  emit: Emit,
  account: Account,
  changes: AccountChanges = {},
): Promise<Account | undefined> {
  const saved = await tx.accounts.save(account.id, { ...changes, emailVerified: true, emailOwned: true })
  if (!saved) return undefined
  const isOther = saved.email !== account.email
  if (isOther || !account.emailVerified) reportVerified(emit, account)
  if (isOther || !account.emailOwned) {
    await tx.tokens.deleteOf('verify_email', account.id)
    await showVerified(tx, emit, account.id)
  }
  return saved
}

/**
 * Marks the email address of a locked account as verified, and does nothing further: a person who reads the address confirmed
 * it, who need not be the person of the account.
 */
export async function verifyEmail(tx: Stores, emit: Emit, account: Account): Promise<void> {
  if (account.emailVerified) return
  await tx.accounts.save(account.id, { emailVerified: true })
  reportVerified(emit, account)
}

function reportVerified(emit: Emit, { id }: Account): void {
  const origin = { accountId: id }
  emit(emailVerified, origin, origin)
}
