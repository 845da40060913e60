import { type Caller, isIdentifiedOutside } from '../../../../model/caller.ts'
import { isProvedRecently } from '../../../../model/recent-proof.ts'

/**
 * Whether a person must prove again to own the account before an app is allowed something: after ten minutes, or sooner when the app asks
 * for a younger proof. Users of a host are proved by the host.
 *
 * @param maxAge - the age that the app accepts, in seconds; undefined when it asks for none
 */
export function needsProof(caller: Caller, at: Date, maxAge: number | undefined): boolean {
  if (isIdentifiedOutside(caller)) return false
  if (!isProvedRecently(caller, at)) return true
  if (maxAge === undefined || caller.provedAt === undefined) return false
  return at.getTime() - caller.provedAt.getTime() > maxAge * 1_000
}
