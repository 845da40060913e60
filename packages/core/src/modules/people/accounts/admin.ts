import { foldAddress } from '../../../kernel/email-address.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

/** Returns whether an account is an administrator: appointed, or with an address in `auth.adminEmails` that it owns. */
export function administrators(emails: readonly string[]) {
  const named = new Set(emails.map(foldAddress))
  return ({ isAdmin, email, emailOwned }: Pick<Account, 'isAdmin' | 'email' | 'emailOwned'>): boolean =>
    isAdmin || (emailOwned && named.has(foldAddress(email)))
}

const APPOINTED_A_PAGE = 100

/** Returns the ids of all administrators: appointed ones, and those with an address in `auth.adminEmails`. */
export async function listAdministrators(read: Readers, emails: readonly string[]): Promise<readonly string[]> {
  const administers = administrators(emails)
  const named = await Promise.all(emails.map((email) => read.accounts.get({ email: email.toLowerCase() })))
  const ids = new Set(named.flatMap((account) => (account && administers(account) ? [account.id] : [])))
  for (let cursor: string | undefined; read.directory; ) {
    const page = await read.directory.listAccounts({ isAdmin: true }, { limit: APPOINTED_A_PAGE, cursor })
    for (const { account } of page.items) ids.add(account.id)
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  return [...ids]
}
