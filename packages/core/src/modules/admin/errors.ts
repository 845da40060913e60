import { defineError } from '../../kernel/errors.ts'

export const userNotFound = defineError('user_not_found', 404, 'There is no such account')
export const ownAccount = defineError(
  'own_account',
  409,
  'Nobody bans themselves or takes their own rights away; let another administrator do it',
)
export const namedAdministrator = defineError(
  'named_administrator',
  409,
  'This account administers by its mail address, which the host has named',
)
