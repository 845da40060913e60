import type { Account } from '../../ports/storage/accounts.ts'

/** Tells who administers: accounts that were made so, and those whose verified mail address the host has named. */
export function administrators(emails: readonly string[]) {
  const named = new Set(emails.map((email) => email.toLowerCase()))
  return ({ isAdmin, email, emailVerified }: Pick<Account, 'isAdmin' | 'email' | 'emailVerified'>): boolean =>
    isAdmin || (emailVerified && named.has(email.toLowerCase()))
}
