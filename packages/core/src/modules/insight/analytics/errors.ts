import { defineError } from '../../../kernel/errors.ts'

export const invalidRange = defineError(
  'invalid_range',
  400,
  'from must be before to, and the range can span at most 1,000 intervals',
)
export const figuresExpired = defineError(
  'figures_expired',
  400,
  'Hourly figures of this time are no longer kept; use the interval day, week or month',
)
