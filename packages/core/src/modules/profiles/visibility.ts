import { may, type Role } from './permission.ts'
import type { Profile } from './store.ts'

/** Where a profile can show up. */
export type Place =
  /** Its own address and everything below it, for who knows the address. */
  | 'address'
  /** What gathers many: lists, search, feed, public streams, sitemap. */
  | 'listing'

/**
 * Whether a profile shows at a place to somebody in this role; strangers have none. Everything that shows asks here. One
 * that was withdrawn shows to nobody.
 */
export function isVisible(
  { visibility, withdrawnAt }: Pick<Profile, 'visibility' | 'withdrawnAt'>,
  place: Place,
  role?: Role,
): boolean {
  if (withdrawnAt !== null) return false
  if (visibility === 'public') return true
  if (place === 'listing') return false
  return visibility === 'unlisted' || may(role, 'profile.read')
}
