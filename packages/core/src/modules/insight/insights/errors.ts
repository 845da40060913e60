import { defineError } from '../../../kernel/errors.ts'

export const invalidPeriod = defineError(
  'invalid_period',
  400,
  'from must be before to and within the time for which hourly figures are kept',
)
