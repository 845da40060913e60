import { on } from '../../runtime/events/define-event.ts'
import { defineEventCounter, defineGauge } from '../../runtime/telemetry/define-metric.ts'
import { jobFinished } from './events.ts'

const jobsFinished = defineEventCounter(
  'eep_jobs_finished_total',
  'Jobs that ended on this instance',
  ['kind', 'status'],
  [on(jobFinished, ({ data: { kind, status } }) => ({ kind, status }))],
)
export const openJobs = defineGauge('eep_jobs_open', 'Jobs that are queued or running, on all instances', [
  'kind',
  'status',
])
export const oldestOpenJob = defineGauge(
  'eep_jobs_open_oldest_seconds',
  'The age of the oldest job that is queued or running, on all instances',
  ['kind', 'status'],
)

export const jobMetrics = [jobsFinished, openJobs, oldestOpenJob]
