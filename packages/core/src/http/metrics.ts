import { type EepError, errorDefinitions } from '../kernel/errors.ts'
import { defineCounter, defineHistogram } from '../runtime/telemetry/define-metric.ts'
import type { Metrics } from '../runtime/telemetry/metrics.ts'

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

/** Returns a function that counts the errors that are sent. */
export function errorCounter(metrics: Pick<Metrics, 'counter'>): (error: EepError) => void {
  const countError = metrics.counter(errorsSent)
  const countPlanLimit = metrics.counter(planLimitRefusals)
  const planLimits = new Set(errorDefinitions().flatMap(({ code, isPlanLimit }) => (isPlanLimit ? [code] : [])))
  return ({ code }) => {
    countError({ code })
    if (planLimits.has(code)) countPlanLimit({ code })
  }
}
