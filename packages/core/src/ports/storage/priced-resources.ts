import type { GuardedRequest, SearchRefs, SearchSource } from './search.ts'

/** Which sellers to list. */
export interface SellerRequest {
  readonly limit: number
  /** Counts buyers since this time. */
  readonly since: Date
  /** Leaves out profiles whose owner has no verified email address. */
  readonly verifiedOnly: boolean
}

/** What profiles have for sale, for public documents. All methods are one statement. */
export interface PricedResourceReader {
  /**
   * The profiles in public lists whose gates ask for a payment: those with the most buyers first, then those with the highest trust
   * level, then the oldest. A buyer is an account, or else a wallet on a network, and counts once for each profile, without the
   * owner and the team of the profile. Callers cache the result, because it reads all receipts since the time.
   */
  listSellers(request: SellerRequest): Promise<readonly number[]>
  /** As `listGuarded` of the sources of a search index: published pages and files of profiles with gates, newest first. */
  listNewest(
    profileIds: readonly number[],
    request: GuardedRequest,
  ): Promise<Readonly<Record<'page' | 'file', readonly number[]>>>
  /** As `listListed` of the sources of a search index, without bodies: those of these items that are in public lists now. */
  listSources(refs: SearchRefs): Promise<readonly SearchSource[]>
}
