import { on } from '../../../runtime/events/define-event.ts'
import { defineCounter, defineEventCounter, defineGauge } from '../../../runtime/telemetry/define-metric.ts'
import { paymentRefunded, paymentRefused, paymentSettled, paymentSuspended } from '../receipts/events.ts'

const paymentOutcomes = defineEventCounter(
  'eep_payments_total',
  'Payments that this instance recorded: `settled`, `refused`, or `unknown` when the rail did not report an outcome',
  ['rail', 'outcome'],
  [
    on(paymentSettled, ({ data: { rail } }) => ({ rail, outcome: 'settled' })),
    on(paymentRefused, ({ data: { rail } }) => ({ rail, outcome: 'refused' })),
    on(paymentSuspended, ({ data: { rail } }) => ({ rail, outcome: 'unknown' })),
  ],
)
const refunds = defineEventCounter(
  'eep_refunds_total',
  'Payments that were refunded',
  [],
  [on(paymentRefunded, () => ({}))],
)
export const openPayments = defineGauge(
  'eep_payments_open',
  'Payments without an outcome, on all instances: `settling` while a request waits, `unknown` when the rail is asked again',
  ['rail', 'state'],
)
export const oldestOpenPayment = defineGauge(
  'eep_payments_open_oldest_seconds',
  'The age of the oldest payment without an outcome, on all instances',
  ['rail', 'state'],
)
export const credentialsConsumed = defineCounter(
  'eep_payment_hash_consumed_total',
  'Credentials of payments that were claimed for the first time',
  ['rail'],
)
export const doubleSpends = defineCounter(
  'eep_payment_double_spend_detected_total',
  'Payments refused because their credential was used for something else before',
  ['rail'],
)
export const refusedPayments = defineCounter(
  'eep_refused_payments_total',
  'Payments that were presented and refused. `rail` is `none` when no payment method read the payment, and `reason` is `other` for the codes of other rails and facilitators',
  ['rail', 'reason'],
)
export const paywallMetrics = [
  paymentOutcomes,
  refunds,
  openPayments,
  oldestOpenPayment,
  credentialsConsumed,
  doubleSpends,
  refusedPayments,
]
