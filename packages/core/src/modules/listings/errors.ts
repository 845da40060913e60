import { defineError } from '../../kernel/errors.ts'

export const serviceNotFound = defineError('service_not_found', 404, 'This profile lists no such service')
export const tooManyServices = defineError('too_many_services', 409, 'A profile lists at most 100 services')
export const noDealToReview = defineError(
  'no_deal_to_review',
  403,
  'A review takes a completed deal for the service, of which there is none yet',
)
export const alreadyReviewed = defineError('already_reviewed', 409, 'This deal was reviewed before')
export const tooManyReviews = defineError('too_many_reviews', 429, 'So many reviews in a day are enough')
