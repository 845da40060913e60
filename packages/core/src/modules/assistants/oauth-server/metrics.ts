import { defineCounter } from '../../../runtime/telemetry/define-metric.ts'

export const tokensIssued = defineCounter(
  'eep_oauth_tokens_total',
  'Answers of the token endpoint, by grant and outcome: `issued` or the error code',
  ['grant', 'outcome'],
)

export const refreshAhead = defineCounter(
  'eep_oauth_refresh_ahead_total',
  'Refresh tokens that are newer than the storage: it was restored from a backup',
)
