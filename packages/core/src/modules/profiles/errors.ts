import { defineError } from '../../kernel/errors.ts'

export const profileNotFound = defineError('profile_not_found', 404, 'There is no such profile')
export const notProfileOwner = defineError('not_profile_owner', 403, 'Your role in this profile does not allow this')
export const usernameTaken = defineError('username_taken', 409, 'This username is taken')
export const usernameReserved = defineError('username_reserved', 409, 'This username is reserved')
export const unknownFile = defineError('unknown_file', 400, 'This profile has no such file')
