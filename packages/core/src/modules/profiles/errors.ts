import { defineError } from '../../kernel/errors.ts'

export const profileNotFound = defineError('profile_not_found', 404, 'There is no such profile')
export const notProfileOwner = defineError('not_profile_owner', 403, 'Your role in this profile does not allow this')
export const usernameTaken = defineError('username_taken', 409, 'This username is taken')
export const usernameReserved = defineError('username_reserved', 409, 'This username is reserved')
export const profileMoved = defineError('profile_moved', 308, 'This profile has another name now')
export const tooManyNames = defineError(
  'too_many_names',
  409,
  'This profile has changed its name too often; the names it had must be free again first',
)
export const tooManyDeletedProfiles = defineError(
  'too_many_deleted_profiles',
  409,
  'The names of 100 deleted profiles are reserved for this account within a year; create profiles again later',
)
export const noEditableFields = defineError('no_editable_fields', 400, 'Nothing here is a field that can be edited')
export const invalidDid = defineError('invalid_did', 400, 'This is not a DID')
export const didNotFound = defineError('did_not_found', 404, 'This DID leads to nothing here')
export const didDeactivated = defineError('did_deactivated', 410, 'The profile of this DID was deleted')
export const didMethodNotSupported = defineError(
  'did_method_not_supported',
  501,
  'Only DIDs of the method web are resolved here',
)
export const unknownFile = defineError('unknown_file', 400, 'This profile has no such file')
