import { forbidden, invalidApiKey, unauthenticated } from '../../kernel/errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { Account } from '../../ports/storage/accounts.ts'
import type { Stores } from '../../ports/storage/storage.ts'

/** The challenge of a 401 (RFC 6750). */
const TOKEN_REFUSED = { challenges: [{ scheme: 'Bearer', parameters: { error: 'invalid_token' } }] }

type CallerStores = Pick<Stores, 'accounts' | 'sessions' | 'apiKeys' | 'connectedApps'>

/** @throws `unauthenticated` or `invalid_api_key` unless the account is as it was when the request was authenticated */
function requireUnchanged(account: Account | undefined, { account: known, keyId }: Caller): Account {
  if (account?.id === known.id && !account.deletionScheduledAt && account.tokenVersion === known.tokenVersion)
    return account
  throw (keyId === undefined ? unauthenticated : invalidApiKey)(TOKEN_REFUSED)
}

/**
 * Requires in a transaction that the session, API key or connected app of a caller has not ended, and keeps it valid until the
 * transaction ends, with one query. Callers that a host identified have none of them. Returns the account, which is not locked.
 *
 * @throws `unauthenticated` or `invalid_api_key` when the session, key or app ended, or the account was taken over, banned or
 *   deleted, or its password was changed, after the request was authenticated
 */
export async function requireCaller(tx: CallerStores, caller: Caller): Promise<Account> {
  const { account, sessionId, sessionUse, keyId, app } = caller
  if (keyId !== undefined) return requireUnchanged((await tx.apiKeys?.hold(keyId))?.account, caller)
  if (app !== undefined) {
    return requireUnchanged((await tx.connectedApps?.hold(app.connectionId, app.checkedAt))?.account, caller)
  }
  if (sessionId === undefined) return requireUnchanged(await tx.accounts.get(account.id), caller)
  const found = await tx.sessions.getWithAccount(sessionId, { hold: true })
  const isLive = sessionUse === undefined || found?.session.uses.includes(sessionUse)
  return requireUnchanged(isLive ? found?.account : undefined, caller)
}

/**
 * Locks the account of a caller for a write that gives lasting access: a key, a wallet, a membership.
 *
 * @throws what {@link requireCaller} throws
 */
export async function lockCaller(tx: CallerStores, caller: Caller): Promise<Account> {
  const { account: known, sessionId, keyId, app } = caller
  // Lock the account first: changes of it lock it before they end its sessions, keys and apps.
  const account = requireUnchanged(await tx.accounts.lock(known.id), caller)
  if (sessionId !== undefined || keyId !== undefined || app !== undefined) await requireCaller(tx, caller)
  return account
}

/**
 * Locks the account of an administrator. It is the first statement of their transaction, because accounts are locked before
 * everything else.
 *
 * @throws `forbidden` when the account lost the administrator rights after the request was authenticated, and what
 *   {@link lockCaller} throws
 */
export async function lockAdministrator(tx: CallerStores, caller: Caller): Promise<Account> {
  const { account: known } = caller
  const account = await lockCaller(tx, caller)
  // Rights come from an appointment, or from an address in `auth.adminEmails`. Those that a host gives cannot end here.
  if ((known.isAdmin && !account.isAdmin) || known.email !== account.email) throw forbidden()
  return account
}
