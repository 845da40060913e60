import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { ERASED_DID } from '../../../kernel/erased-ids.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { RateLimitStore } from '../../../ports/rate-limit-store.ts'
import type { ListedReview, Review } from '../../../ports/storage/listings.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { MyProfiles, ProfileService } from '../../profiles/profiles/index.ts'
import { type Buyer, isTeamMember, type Participant, requireBuyer } from '../commerce/index.ts'
import { alreadyReviewed, noDealToReview, serviceNotFound, tooManyReviews } from './errors.ts'
import { reviewWritten } from './events.ts'

export interface ReviewDeps extends GuardedStorage<'negotiations' | 'listings'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'byDid' | 'didOf' | 'lockWithPermission' | 'requirePermission'>
  readonly myProfiles: Pick<MyProfiles, 'acting'>
  /** The maximum number of reviews of one profile per day: by one buyer, and in total. */
  readonly limit: {
    readonly store: Pick<RateLimitStore, 'hit'>
    readonly perBuyer: number
    readonly perProfile: number
  }
}

/** A review to add. */
export interface ReviewDraft {
  readonly serviceId: string
  readonly score: number
  readonly comment?: string | undefined
}

export function createReviewService(deps: ReviewDeps) {
  const { read, write, clock, profiles, limit } = deps

  /** The DID of a reviewer as lists show it: a profile is named only while lists show the profile. */
  function publicDidOf({ reviewerProfileId, reviewerDid, reviewer }: ListedReview): string {
    if (reviewerProfileId === null) return reviewerDid
    return reviewer ? profiles.didOf(reviewer) : ERASED_DID
  }

  async function admit({ party }: Buyer, profileId: number): Promise<void> {
    const key = 'did' in party ? party.did : party.profileId
    const admitOne = async (of: string, most: number) => {
      const hit = await limit.store.hit(`reviews:${of}`, DAY_MS)
      if (hit.count <= most) return
      throw tooManyReviews({ retryAfterMs: msUntilReset(hit) })
    }
    await admitOne(`${profileId}:${key}`, limit.perBuyer)
    // DIDs of agents are free, so a seller could create many to review itself.
    await admitOne(`${profileId}`, limit.perProfile)
  }

  return {
    /**
     * Returns the reviews of all services of a profile or of one of them, newest first. Reviewers that are not visible in lists
     * are anonymous.
     */
    async list(
      did: string,
      { serviceId, ...page }: PageRequest & { readonly serviceId?: string | undefined },
      caller?: Caller | undefined,
    ): Promise<{ profile: Profile; page: Page<Review> }> {
      const profile = await profiles.byDid(did, caller)
      const found = await read.listings.listReviews({ profileId: profile.id, serviceId }, page)
      const items = found.items.map((review) => ({ ...review, reviewerDid: publicDidOf(review) }))
      return { profile, page: { ...found, items } }
    },

    /**
     * Reviews a service, once for each completed deal, the oldest first.
     *
     * @throws `profile_not_found`, `service_not_found`, `no_deal_to_review`, `already_reviewed`, `too_many_reviews`
     */
    async write(did: string, { serviceId, score, comment }: ReviewDraft, reviewer: Participant): Promise<Review> {
      const caller = 'caller' in reviewer ? reviewer.caller : undefined
      const profile = await profiles.byDid(did, caller)
      const { id: profileId } = profile
      // A member who joined the team after the deal can no longer review.
      if (await isTeamMember(profile, reviewer, read)) throw noDealToReview()
      const buyer = await requireBuyer(reviewer, deps)
      if (!(await read.listings.get(profileId, serviceId))) throw serviceNotFound()
      const negotiationId = await read.negotiations.getReviewable(buyer.party, profileId, serviceId)
      if (negotiationId === undefined) throw noDealToReview()
      await admit(buyer, profileId)
      return write(async (tx, emit) => {
        if (buyer.profile && caller) await profiles.lockWithPermission(tx, buyer.profile.id, caller, 'gates.edit')
        const review = await tx.listings.insertReview({
          id: randomUUID(),
          serviceId,
          profileId,
          negotiationId,
          reviewerProfileId: buyer.profile?.id ?? null,
          reviewerDid: buyer.did,
          score,
          comment: comment ?? null,
          createdAt: clock(),
        })
        if (!review) throw alreadyReviewed()
        const data = { serviceId, reviewId: review.id, score }
        emit(reviewWritten, data, { profileId, accountId: caller?.account.id })
        return review
      })
    },
  }
}

/** Reviews of services. */
export type ReviewService = ReturnType<typeof createReviewService>
