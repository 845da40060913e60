import { defineError } from '../../kernel/errors.ts'

export const conversionDisabled = defineError('conversion_disabled', 503, 'This service reads no text out of files')
export const conversionPending = defineError(
  'conversion_pending',
  503,
  'The text of the file is still being read; ask again a little later',
)
