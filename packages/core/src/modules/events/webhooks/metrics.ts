import { defineCounter, defineGauge, defineHistogram } from '../../../runtime/telemetry/define-metric.ts'

export const deliveryAttempts = defineCounter(
  'eep_webhook_deliveries_total',
  'Attempts to deliver events to webhooks: `delivered`, `failed` when another attempt follows, or `undeliverable`',
  ['outcome'],
)
export const deliveryDuration = defineHistogram(
  'eep_webhook_request_duration_seconds',
  'The time of requests to webhooks',
  ['outcome'],
)
export const deliveriesWaiting = defineGauge(
  'eep_webhook_deliveries_waiting',
  'Deliveries that wait for their webhook, on all instances; counted up to 100,000',
)

export const webhookMetrics = [deliveryAttempts, deliveryDuration, deliveriesWaiting]
