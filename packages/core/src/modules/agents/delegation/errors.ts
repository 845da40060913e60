import { defineError } from '../../../kernel/errors.ts'

export const credentialsNotConfigured = defineError(
  'credentials_not_configured',
  503,
  'This service does not verify credentials',
)
