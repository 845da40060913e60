import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ListingDetails } from '../../model/listing-details.ts'
import type { ErasedAccount } from './erasure.ts'

/** A service that a profile offers for sale. */
export interface Listing {
  /** `svc_…` */
  readonly id: string
  readonly profileId: number
  readonly details: ListingDetails
  /** Of all reviews together. */
  readonly scores: { readonly sum: number; readonly count: number }
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a buyer says of a listing after a deal. */
export interface Review {
  readonly id: string
  readonly serviceId: string
  /** Whose listing it is. */
  readonly profileId: number
  /** The deal it is about. */
  readonly negotiationId: string
  /** Null for an agent. */
  readonly reviewerProfileId: number | null
  readonly reviewerDid: string
  /** 1 to 5. */
  readonly score: number
  readonly comment: string | null
  readonly createdAt: Date
}

/** Which reviews: those of all listings of a profile, or of one. */
export interface ReviewQuery {
  readonly profileId: number
  readonly serviceId?: string | undefined
}

/** What profiles sell, for reading. */
export interface ListingReader {
  get(profileId: number, id: string): Promise<Listing | undefined>
  /** Everything a profile sells, by (created_at, id). */
  listOfProfile(profileId: number): Promise<readonly Listing[]>
  countOfProfile(profileId: number): Promise<number>
  /** Reviews by (created_at, id) descending. */
  listReviews(query: ReviewQuery, page: PageRequest): Promise<Page<Review>>
}

/** Services for sale. Callers that add one lock the profile first. */
export interface ListingStore extends ListingReader {
  insert(listing: Omit<Listing, 'scores'>): Promise<Listing>
  /** Replaces the details of a listing; `undefined` when it is gone. */
  save(profileId: number, id: string, changes: Pick<Listing, 'details' | 'updatedAt'>): Promise<Listing | undefined>
  /** Removes a listing and its reviews. False when it was gone already. */
  delete(profileId: number, id: string): Promise<boolean>
  /**
   * Writes a review and counts its score. `undefined` when the listing or the reviewer is gone, or when its deal was
   * reviewed before, also by a transaction that commits first.
   */
  insertReview(review: Review): Promise<Review | undefined>
  /** Removes the name of the reviewer, and the comment, from reviews by the profiles of an account. Scores stay. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
