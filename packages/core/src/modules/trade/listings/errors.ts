import { defineError } from '../../../kernel/errors.ts'

export const serviceNotFound = defineError('service_not_found', 404, 'The profile does not list this service')
export const serviceChanged = defineError('service_changed', 412, 'The service was changed in the meantime')
export const tooManyServices = defineError('too_many_services', 409, 'A profile can list at most 100 services')
export const noDealToReview = defineError(
  'no_deal_to_review',
  403,
  'A review requires a completed negotiation for the service',
)
export const alreadyReviewed = defineError('already_reviewed', 409, 'This negotiation was already reviewed')
export const tooManyReviews = defineError('too_many_reviews', 429, 'Too many reviews today; try again tomorrow')
