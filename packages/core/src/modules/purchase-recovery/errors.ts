import { defineError } from '../../kernel/errors.ts'

export const recoveryNotConfigured = defineError(
  'purchase_recovery_not_configured',
  503,
  'This service sends no email, so it cannot send a link to purchases',
)
