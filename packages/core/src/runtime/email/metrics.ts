import { defineCounter, defineGauge } from '../telemetry/define-metric.ts'

export const emailsSent = defineCounter(
  'eep_emails_total',
  'Emails, by kind: `sent`, `failed`, or `dropped` because too many were waiting',
  ['kind', 'outcome'],
)
export const emailsWaiting = defineGauge('eep_emails_waiting', 'Emails of this instance that are not sent yet')
