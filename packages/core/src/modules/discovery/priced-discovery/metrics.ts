import { defineCounter } from '../../../runtime/telemetry/define-metric.ts'

export const bazaarResponses = defineCounter(
  'eep_bazaar_responses_total',
  'Responses of facilitators about the catalogue entry of a payment: `success`, `processing` or `rejected`',
  ['status'],
)

export const staleResources = defineCounter(
  'eep_catalogue_stale_total',
  'Resources of the catalogue that were left out of a response, because they were not for sale any more when it was made',
)

export const pricedDiscoveryMetrics = [bazaarResponses, staleResources]
