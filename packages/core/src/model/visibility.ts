import { may, type Role } from './permission.ts'

type Visibility = 'public' | 'unlisted' | 'private'

/**
 * How long clients and proxies may cache responses. A change is visible in the service immediately, and in those caches
 * after this time.
 */
export const CACHE_CONTROL: Readonly<Record<Visibility, string>> = {
  public: 'public, max-age=60',
  unlisted: 'private, max-age=60',
  private: 'private, no-store',
}

/** Unlisted documents must not be indexed by search engines. */
export const robotsOf = (visibility: Visibility): Record<string, string> =>
  visibility === 'public' ? {} : { 'x-robots-tag': 'noindex' }

/** Where a profile can be visible. */
export type Place =
  /** Its URL and everything below it, for clients that know the URL. */
  | 'address'
  /** Collections: lists, search, feed, public streams, sitemap. */
  | 'lists'

/**
 * Whether a profile is visible at a place to a role; anonymous visitors have none. All visibility checks use this
 * function. A withdrawn profile is visible to no role.
 */
export function isVisible(
  { visibility, withdrawnAt }: { readonly visibility: Visibility; readonly withdrawnAt: Date | null },
  place: Place,
  role?: Role,
): boolean {
  if (withdrawnAt !== null) return false
  if (visibility === 'public') return true
  if (place === 'lists') return false
  return visibility === 'unlisted' || may(role, 'profile.read')
}
