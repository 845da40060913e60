import { defineHistogram } from '../telemetry/define-metric.ts'

export const outboundDuration = defineHistogram(
  'eep_outbound_request_duration_seconds',
  'The time of requests to addresses that users name, by the class of the status, or `refused` or `failed`',
  ['outcome'],
)
