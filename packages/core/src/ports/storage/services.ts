import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ServiceDetails } from '../../model/service-details.ts'
import type { ErasedAccount } from './erasure.ts'

/** Something that a profile sells. */
export interface Service {
  /** `svc_…` */
  readonly id: string
  readonly profileId: number
  readonly details: ServiceDetails
  /** Of all reviews together. */
  readonly scores: { readonly sum: number; readonly count: number }
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a buyer says of a service after a deal. */
export interface Review {
  readonly id: string
  readonly serviceId: string
  /** Whose service it is. */
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

/** Which reviews: those of all services of a profile, or of one. */
export interface ReviewQuery {
  readonly profileId: number
  readonly serviceId?: string | undefined
}

/** What profiles sell, for reading. */
export interface ServiceReader {
  get(profileId: number, id: string): Promise<Service | undefined>
  /** Everything a profile sells, by (created_at, id). */
  listOfProfile(profileId: number): Promise<readonly Service[]>
  countOfProfile(profileId: number): Promise<number>
  /** Reviews by (created_at, id) descending. */
  listReviews(query: ReviewQuery, page: PageRequest): Promise<Page<Review>>
}

/** Services for sale. Callers that add one lock the profile first. */
export interface ServiceStore extends ServiceReader {
  insert(service: Omit<Service, 'scores'>): Promise<Service>
  /** Replaces what is said of a service; `undefined` when it is gone. */
  save(profileId: number, id: string, changes: Pick<Service, 'details' | 'updatedAt'>): Promise<Service | undefined>
  /** Removes a service and its reviews. False when it was gone already. */
  delete(profileId: number, id: string): Promise<boolean>
  /**
   * Writes a review and counts its score. `undefined` when the service or the reviewer is gone, or when its deal was
   * reviewed before, also by a transaction that commits first.
   */
  insertReview(review: Review): Promise<Review | undefined>
  /** Removes the name of the reviewer, and the comment, from reviews by the profiles of an account. Scores stay. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
