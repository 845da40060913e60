import { defineError } from '../../../kernel/errors.ts'

export const conversionDisabled = defineError(
  'conversion_disabled',
  503,
  'Text extraction is not configured on this service',
)
export const conversionPending = defineError(
  'conversion_pending',
  503,
  'The text of the file is still being extracted; try again shortly',
)
