import { defineCounter } from './define-metric.ts'

// EEP names these metrics; several modules detect what they count.

export const noncesConsumed = defineCounter(
  'eep_nonce_consumed_total',
  'Nonces that were used for the first time: of signed requests, of proofs at gates, of wallet sign-ins',
  ['kind'],
)
export const replaysDetected = defineCounter(
  'eep_replay_detected_total',
  'Requests refused because their nonce was used before',
  ['kind'],
)
