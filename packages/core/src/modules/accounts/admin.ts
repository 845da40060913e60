import { foldAddress } from '../../kernel/email-address.ts'
import type { Account } from '../../ports/storage/accounts.ts'

/** Returns whether an account is an administrator: appointed, or with a verified address in `auth.adminEmails`. */
export function administrators(emails: readonly string[]) {
  const named = new Set(emails.map(foldAddress))
  return ({ isAdmin, email, emailVerified }: Pick<Account, 'isAdmin' | 'email' | 'emailVerified'>): boolean =>
    isAdmin || (emailVerified && named.has(foldAddress(email)))
}
