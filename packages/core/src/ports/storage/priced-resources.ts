import type { GuardedRequest, SearchRefs, SearchSource } from './search.ts'

/** Which sellers to list. */
export interface SellerRequest {
  readonly limit: number
  /** Counts buyers since this time. */
  readonly since: Date
  /** Leaves out profiles whose owner has no verified email address. */
  readonly verifiedOnly: boolean
}

/** The kinds of resources in the catalogue. */
export type PricedKind = 'page' | 'file' | 'endpoint' | 'tool'

/** What the catalogue stores of a resource. Everyone may read all of it. */
export interface PricedOffer {
  readonly kind: PricedKind
  /** The name of the resource in gates: `content.notes.my_page`. */
  readonly resource: string
  /** On the clean listener, or of the route of the host; of a tool, its URL. */
  readonly path: string
  /** Of the lowest price: `usdc`. */
  readonly currency: string
  /** The lowest price, a decimal in units of the currency. */
  readonly amount: string
  /** Of the offers of x402, CAIP-2. */
  readonly networks: readonly string[]
  /** Of the offers of x402, as they name them. */
  readonly assets: readonly string[]
  /** The receivers of the offers of x402, in lower case. */
  readonly payTo: readonly string[]
  readonly updatedAt: Date
}

/** The state of one resource at the time of a sequence. */
export interface PricedRow {
  readonly profileId: number
  /** Unique in its profile, and the same after the resource is renamed: `page_12`. */
  readonly key: string
  /** Null for a resource that is not for sale. */
  readonly offer: PricedOffer | null
}

/** A resource of the catalogue. Readers compare it with the gate before they show it. */
export interface ListedResource extends Pick<PricedOffer, 'kind' | 'resource'> {
  readonly profileId: number
  readonly key: string
}

/** Conditions that resources must meet. Absent fields impose none. */
export interface CatalogueFilter {
  readonly profileId?: number | undefined
  /** CAIP-2. */
  readonly network?: string | undefined
  /** In lower case. */
  readonly payTo?: string | undefined
  /** Whether to list tools, or everything else. */
  readonly isTool?: boolean | undefined
}

/** A part of the catalogue. */
export interface CatalogueRequest {
  readonly filter: CatalogueFilter
  readonly limit: number
  readonly offset: number
}

/** Which profiles that may sell something to list. */
export interface CandidateRequest {
  readonly after: number
  readonly limit: number
  /** Lists only these. Default: all. */
  readonly among?: readonly number[] | undefined
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

  /** The resources of the catalogue: those that were updated last first, then in the order in which they were first put. */
  listOffers(request: CatalogueRequest): Promise<readonly ListedResource[]>
  /** The number of resources of the catalogue. */
  countOffers(filter: CatalogueFilter): Promise<number>
  /** Those of these keys that are in the catalogue, in any order. */
  findOffers(keys: readonly string[], filter: CatalogueFilter): Promise<readonly ListedResource[]>
  /** The profiles that {@link PricedResourceStore.request} named and `finish` has not finished since, in the order of their requests. */
  listRequested(limit: number): Promise<readonly number[]>
  /**
   * The ids of profiles whose gates ask for a payment, and of those that have been listed or requested, in ascending order after one.
   */
  listCandidates(request: CandidateRequest): Promise<readonly number[]>
  /** What `saveDigest` stored last; undefined before. */
  digest(): Promise<string | undefined>
}

/**
 * The catalogue of what is for sale. Rows are deleted with their profile.
 *
 * Callers take a sequence first, then read the state of a resource, then put it. So a state with a higher sequence is at least as new,
 * and wins in whatever order the transactions commit.
 */
export interface PricedResourceStore extends PricedResourceReader {
  /** A number that is higher than those of all earlier calls, also of those in transactions that were rolled back. */
  nextSequence(): Promise<number>
  /**
   * Stores states of resources. A state is left out when the stored one has a higher sequence, when `finish` was called for its profile
   * with a higher one, and when the profile is gone. That a resource is not for sale is a state too, so that an older one does not return;
   * it is left out for profiles that have no other state and were never requested.
   */
  put(rows: readonly PricedRow[], sequence: number): Promise<void>
  /**
   * Ends the listing of a whole profile: deletes its rows with lower sequences, at most `limit` in one call, and fulfils its earlier
   * requests when none is left. Returns false when it must be called again. Does nothing and returns true after a call with a higher sequence.
   */
  finish(profileId: number, sequence: number, limit: number): Promise<boolean>
  /** Requests that profiles are listed as a whole. Those that are gone are left out. A profile that is requested already comes last. */
  request(profileIds: readonly number[]): Promise<void>
  /** Stores a digest of what all rows depend on. */
  saveDigest(digest: string): Promise<void>
}
