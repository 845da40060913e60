import { defineCounter } from '../../../runtime/telemetry/define-metric.ts'

export const bazaarResponses = defineCounter(
  'eep_bazaar_responses_total',
  'Responses of facilitators about the catalogue entry of a payment: `success`, `processing` or `rejected`',
  ['status'],
)

export const pricedDiscoveryMetrics = [bazaarResponses]
