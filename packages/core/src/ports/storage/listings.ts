import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ListingDetails } from '../../model/listing-details.ts'
import type { ErasedAccount } from './erasure.ts'
import type { ProfileName } from './profiles.ts'

/** A service that a profile offers for sale. */
export interface Listing {
  /** `svc_…` */
  readonly id: string
  readonly profileId: number
  readonly details: ListingDetails
  /** Over all reviews. */
  readonly scores: { readonly sum: number; readonly count: number }
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A review of a listing by a buyer after a deal. */
export interface Review {
  readonly id: string
  readonly serviceId: string
  /** The profile of the listing. */
  readonly profileId: number
  /** The deal it is about. */
  readonly negotiationId: string
  /** Null for an agent, and once the reviewer is erased. */
  readonly reviewerProfileId: number | null
  readonly reviewerDid: string
  /** 1 to 5. */
  readonly score: number
  readonly comment: string | null
  readonly createdAt: Date
}

/** A review as lists show it: with what may be known of its reviewer now. */
export interface ListedReview extends Review {
  /**
   * The current name of the reviewing profile while it is visible in lists: it is public and not withdrawn, and its owner is
   * not banned. Null otherwise, and for an agent.
   */
  readonly reviewer: ProfileName | null
}

/** Selects the reviews of all listings of a profile, or of one listing. */
export interface ReviewQuery {
  readonly profileId: number
  readonly serviceId?: string | undefined
}

/** Listings of profiles, for reading. */
export interface ListingReader {
  /** Returns a listing of this profile, with the scores of its reviews; undefined when it does not exist. */
  get(profileId: number, id: string): Promise<Listing | undefined>
  /** All listings of a profile, by (created_at, id). */
  listOfProfile(profileId: number): Promise<readonly Listing[]>
  /** Returns the number of listings of a profile. */
  countOfProfile(profileId: number): Promise<number>
  /**
   * Reviews by (created_at, id) descending. Without the comments of profiles that are deleted or withdrawn, or whose owner is
   * banned.
   */
  listReviews(query: ReviewQuery, page: PageRequest): Promise<Page<ListedReview>>
}

/** Listings of profiles. Lock the profile before adding one. */
export interface ListingStore extends ListingReader {
  /** Adds a listing, and returns it without reviews. */
  insert(listing: Omit<Listing, 'scores'>): Promise<Listing>
  /** Replaces the details of a listing; `undefined` when it does not exist. */
  save(profileId: number, id: string, changes: Pick<Listing, 'details' | 'updatedAt'>): Promise<Listing | undefined>
  /** Deletes a listing and its reviews. False when it does not exist. */
  delete(profileId: number, id: string): Promise<boolean>
  /**
   * Inserts a review and adds its score. `undefined` when the listing or the reviewer does not exist, or when its deal was
   * reviewed before, also by a transaction that commits first.
   */
  insertReview(review: Review): Promise<Review | undefined>
  /** Removes the reviewer's name and the comment from reviews by the profiles of an account. Scores are kept. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
