import { defineError } from '../../kernel/errors.ts'

export const recoveryNotConfigured = defineError(
  'purchase_recovery_not_configured',
  503,
  'Purchases cannot be recovered because this service does not send email',
)
