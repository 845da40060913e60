import {
  ERASED_DID,
  type ListedReview,
  type Listing,
  type ListingStore,
  type PageRequest,
  type Review,
  type ReviewQuery,
} from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { holdProfiles, isOfProfiles, isText, json, toDate, toNumberOrNull } from '../rows.ts'
import { isActive, isListed } from './listed-profiles.ts'

export function listings(db: Db): ListingStore {
  const one = (profileId: number, id: string) =>
    db.selectFrom('services').where('profile_id', '=', profileId).where('id', '=', id)

  return {
    async get(profileId, id) {
      if (!isText(id)) return undefined
      const row = await one(profileId, id).selectAll().executeTakeFirst()
      return row && toListing(row)
    },

    async listOfProfile(profileId) {
      const rows = await db
        .selectFrom('services')
        .selectAll()
        .where('profile_id', '=', profileId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(toListing)
    },

    async countOfProfile(profileId) {
      const { count } = await db
        .selectFrom('services')
        .select((query) => query.fn.countAll<string>().as('count'))
        .where('profile_id', '=', profileId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    listReviews: (query, request) => listReviews(db, query, request),

    async insert({ id, profileId, details, createdAt, updatedAt }) {
      const row = await db
        .insertInto('services')
        .values({ id, profile_id: profileId, details: json(details), created_at: createdAt, updated_at: updatedAt })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toListing(row)
    },

    async save(profileId, id, { details, updatedAt }) {
      if (!isText(id)) return undefined
      const row = await db
        .updateTable('services')
        .set({ details: json(details), updated_at: updatedAt })
        .where('profile_id', '=', profileId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toListing(row)
    },

    async delete(profileId, id) {
      if (!isText(id)) return false
      const { numDeletedRows } = await db
        .deleteFrom('services')
        .where('profile_id', '=', profileId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async insertReview(review) {
      if (!(await holdProfiles(db, [review.reviewerProfileId]))) return undefined
      // Locks the listing first, so that its reviews are counted one after another and it cannot be deleted concurrently.
      const listing = await one(review.profileId, review.serviceId).select('id').forUpdate().executeTakeFirst()
      if (!listing) return undefined
      const row = await db
        .insertInto('reviews')
        .values({
          id: review.id,
          service_id: review.serviceId,
          profile_id: review.profileId,
          negotiation_id: review.negotiationId,
          reviewer_profile_id: review.reviewerProfileId,
          reviewer_did: review.reviewerDid,
          score: review.score,
          comment: review.comment,
          created_at: review.createdAt,
        })
        .onConflict((conflict) => conflict.column('negotiation_id').doNothing())
        .returningAll()
        .executeTakeFirst()
      if (!row) return undefined
      await db
        .updateTable('services')
        .set((query) => ({
          score_sum: query('score_sum', '+', review.score),
          score_count: query('score_count', '+', 1),
        }))
        .where('id', '=', review.serviceId)
        .execute()
      return toReview(row)
    },

    async eraseAccount({ profileIds }) {
      await db
        .updateTable('reviews')
        .set({ reviewer_profile_id: null, reviewer_did: ERASED_DID, comment: null })
        .where(isOfProfiles(profileIds, 'reviewer_profile_id'))
        .execute()
    },
  }
}

async function listReviews(db: Db, { profileId, serviceId }: ReviewQuery, request: PageRequest) {
  let reviews = db.selectFrom('reviews').where('reviews.profile_id', '=', profileId)
  if (serviceId !== undefined) reviews = reviews.where('reviews.service_id', '=', isText(serviceId) ? serviceId : '')
  const counted = reviews.select((query) => query.fn.countAll<string>().as('count'))
  const query = reviews
    .leftJoin('profiles', 'profiles.id', 'reviews.reviewer_profile_id')
    .leftJoin('accounts', 'accounts.id', 'profiles.owner_account_id')
    .selectAll('reviews')
    .select(['profiles.type', 'profiles.username', isListed.as('is_listed'), counted.as('total')])
    .select(sql<boolean>`profiles.id is not null and ${isActive}`.as('is_active'))
  return listPage(query, request, {
    order: [desc('reviews.created_at', 'moment'), desc('reviews.id', 'uuid')],
    item: toListedReview,
    key: ({ createdAt, id }) => [createdAt.getTime(), id],
    counted,
  })
}

const toListing = (row: Row<'services'>): Listing => ({
  id: row.id,
  profileId: Number(row.profile_id),
  details: row.details,
  scores: { sum: row.score_sum, count: row.score_count },
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})

interface ReviewerColumns {
  readonly type: Row<'profiles'>['type'] | null
  readonly username: string | null
  readonly is_listed: boolean | null
  readonly is_active: boolean
}

function toListedReview(row: Row<'reviews'> & ReviewerColumns): ListedReview {
  const { type, username, is_listed, is_active } = row
  const review = toReview(row)
  const hasLeft = review.reviewerProfileId !== null && !is_active
  return {
    ...review,
    comment: hasLeft ? null : review.comment,
    reviewer: is_listed && type && username ? { type, username } : null,
  }
}

const toReview = (row: Row<'reviews'>): Review => ({
  id: row.id,
  serviceId: row.service_id,
  profileId: Number(row.profile_id),
  negotiationId: row.negotiation_id,
  reviewerProfileId: toNumberOrNull(row.reviewer_profile_id),
  reviewerDid: row.reviewer_did,
  score: row.score,
  comment: row.comment,
  createdAt: toDate(row.created_at),
})
