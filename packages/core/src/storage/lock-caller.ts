import { forbidden, unauthenticated } from '../kernel/errors.ts'
import type { Caller } from '../model/caller.ts'
import type { Account } from '../ports/storage/accounts.ts'
import type { Stores } from '../ports/storage/storage.ts'

/** The challenge of a 401 (RFC 6750). */
const TOKEN_REFUSED = { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } }

/**
 * Locks the account of a caller for a write that gives lasting access: a key, a wallet, a membership.
 *
 * @throws `unauthenticated` when the account was taken over, banned or deleted, or its password was changed, after the
 *   request was authenticated
 */
export async function lockCaller(tx: Pick<Stores, 'accounts'>, { account: known }: Caller): Promise<Account> {
  const account = await tx.accounts.lock(known.id)
  if (!account || account.deletionScheduledAt || account.tokenVersion !== known.tokenVersion) {
    throw unauthenticated(TOKEN_REFUSED)
  }
  return account
}

/**
 * Locks the account of an administrator. It is the first statement of their transaction, because accounts are locked before
 * everything else.
 *
 * @throws `forbidden` when the account lost the administrator rights after the request was authenticated, and what
 *   {@link lockCaller} throws
 */
export async function lockAdministrator(tx: Pick<Stores, 'accounts'>, caller: Caller): Promise<Account> {
  const { account: known } = caller
  const account = await lockCaller(tx, caller)
  // Rights come from an appointment, or from an address in `auth.adminEmails`. Those that a host gives cannot end here.
  if ((known.isAdmin && !account.isAdmin) || known.email !== account.email) throw forbidden()
  return account
}
