import { defineError } from '../../../kernel/errors.ts'

export const profileNotFound = defineError('profile_not_found', 404, 'Profile not found')
export const profileDeleted = defineError('profile_deleted', 404, 'The profile was deleted', { gone: true })
export const notProfileOwner = defineError('not_profile_owner', 403, 'Your role in this profile does not allow this')
export const emailNotVerified = defineError(
  'email_not_verified',
  403,
  'Verify the email address of the account before you make its profiles visible to others',
)
export const usernameTaken = defineError('username_taken', 409, 'This username is taken')
export const usernameReserved = defineError('username_reserved', 409, 'This username is reserved')
export const profileMoved = defineError('profile_moved', 308, 'The profile was renamed')
export const tooManyNames = defineError(
  'too_many_names',
  409,
  'This profile was renamed too often; try again when its former names are released',
)
export const tooManyDeletedProfiles = defineError(
  'too_many_deleted_profiles',
  409,
  'This account deleted 100 profiles within a year and their names are still reserved; try again later',
)
export const noEditableFields = defineError('no_editable_fields', 400, 'The request contains no editable field')
export const invalidDid = defineError('invalid_did', 400, 'did is not a valid DID')
export const didNotFound = defineError('did_not_found', 404, 'This DID does not belong to a profile of this service')
export const didDeactivated = defineError('did_deactivated', 410, 'The profile of this DID was deleted')
export const didMethodNotSupported = defineError('did_method_not_supported', 501, 'Only did:web DIDs can be resolved')
export const noCalendar = defineError('no_calendar', 404, 'This event does not state when it starts')
export const unknownFile = defineError('unknown_file', 400, 'The file does not belong to this profile')
