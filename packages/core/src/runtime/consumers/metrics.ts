import { defineGauge } from '../telemetry/define-metric.ts'

export const logSilent = defineGauge(
  'eep_event_log_unread_seconds',
  'The time since this instance last read the event log to its end; no value while it does not follow the log',
)
export const logHeldBack = defineGauge(
  'eep_event_log_held_back_seconds',
  'The time that the oldest committed event waits for a transaction that began before it',
)
export const consumerLag = defineGauge(
  'eep_event_consumer_lag_seconds',
  'The age of the first event that a durable consumer has not handled; 0 when it has handled all. Skipped events may count for five seconds',
  ['consumer'],
)
