import { defineError, sessionRequired } from '../kernel/errors.ts'
import { type Caller, isIdentifiedOutside, isLimited } from './caller.ts'

/** How long a proof of the person counts as recent. */
export const RECENT_MS = 10 * 60_000

export const recentSignInRequired = defineError(
  'recent_sign_in_required',
  403,
  'Prove that you own the account: send its password or a code to /auth/prove, or sign in again; the proof lasts ten minutes',
)

/** How far the clock of a host may be ahead. */
const AHEAD_MS = 60_000

/** Whether a proof was made within ten minutes. False for a time that is unreadable or in the future. */
export function isRecent(provedAt: Date, at: Date): boolean {
  const age = at.getTime() - provedAt.getTime()
  return age >= -AHEAD_MS && age <= RECENT_MS
}

/**
 * Whether the person proved to own the account within ten minutes: a session that is older could be a stolen one. Users of a host that does
 * not report when it proved them, and credentials of a module that has no scopes, are proved by the host with each request. Credentials with
 * scopes belong to programs, which have nothing to prove.
 */
export function isProvedRecently(caller: Pick<Caller, 'via' | 'scopes' | 'provedAt'>, at: Date): boolean {
  if (isLimited(caller)) return false
  if (isIdentifiedOutside(caller)) return caller.provedAt === undefined || isRecent(caller.provedAt, at)
  return caller.provedAt !== undefined && at.getTime() - caller.provedAt.getTime() <= RECENT_MS
}

/**
 * Refuses a caller who may act only soon after a proof of the person.
 *
 * @throws `recent_sign_in_required`; `session_required` for API keys, connected apps and credentials of modules with scopes
 */
export function requireRecentProof(caller: Pick<Caller, 'via' | 'scopes' | 'provedAt'>, at: Date): void {
  if (isProvedRecently(caller, at)) return
  if (isLimited(caller)) throw sessionRequired()
  throw recentSignInRequired()
}
