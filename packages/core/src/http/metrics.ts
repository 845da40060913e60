import { defineCounter, defineHistogram } from '../runtime/telemetry/define-metric.ts'

export const requestDuration = defineHistogram(
  'eep_http_request_duration_seconds',
  'The time until a response was sent, by operation of the OpenAPI document; `none` is a path without a route. Without event streams',
  ['operation', 'method', 'status'],
)
export const errorsSent = defineCounter('eep_http_errors_total', 'Responses with an error, by its code', ['code'])
export const requestsRefused = defineCounter(
  'eep_rate_limit_refusals_total',
  'Requests over a rate limit, by the group in which they were counted',
  ['group'],
)
export const planLimitRefusals = defineCounter(
  'eep_plan_limit_refusals_total',
  'Requests refused by a limit of a plan, by the code of the error; `too_many_streams` includes clients without an account',
  ['code'],
)
