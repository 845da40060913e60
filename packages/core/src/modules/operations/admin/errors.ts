import { defineError } from '../../../kernel/errors.ts'

export const userNotFound = defineError('user_not_found', 404, 'Account not found')
export const cannotModifySelf = defineError(
  'cannot_modify_self',
  409,
  'Administrators cannot ban themselves or remove their own rights; ask another administrator',
)
export const cannotResetOwn = defineError(
  'cannot_reset_own_second_factor',
  409,
  'Administrators cannot reset their own two-factor authentication; disable it with a code, or ask another administrator',
)
export const namedAdministrator = defineError(
  'named_administrator',
  409,
  'This account is an administrator by configuration; change the configuration of the host instead',
)
