import { z } from 'zod'
import { line, prose } from '../kernel/text-fields.ts'
import { amount, currency } from './pricing.ts'

const DELIVERIES = ['realtime', 'async', 'scheduled', 'sse', 'webhook', 'download'] as const

/** The terms of an offer, in the format of EEP. */
export const termsSchema = z.strictObject({
  delivery: z.enum(DELIVERIES).optional(),
  expires_in: z.int().min(60).max(2_592_000).optional().meta({ description: 'Seconds. Default: seven days' }),
  conditions: z.array(line(256)).max(10).optional(),
  cancellation_policy: z.enum(['none', 'full_refund', 'partial_refund', 'no_refund']).optional(),
  sla: z
    .strictObject({
      uptime_percent: z.number().min(0).max(100).optional(),
      response_time_ms: z.number().min(0).max(1e12).optional(),
      support_hours: line(256).optional(),
    })
    .optional(),
})
/** The terms that both sides of a deal agree on. */
export type Terms = z.output<typeof termsSchema>

/** An external id. Short, so that it cannot be used for free text. */
const ownId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/, 'An id of letters, digits and . _ : / -')
const moment = z.iso.datetime({ offset: true })

/** An invoice of the seller. */
export const invoiceSchema = z.strictObject({
  invoice_id: ownId,
  amount,
  currency,
  line_items: z
    .array(
      z.strictObject({
        description: line(256),
        quantity: amount.optional(),
        unit_price: amount.optional(),
        total: amount.optional(),
      }),
    )
    .max(100)
    .optional(),
  payment_methods: z.array(line(64)).max(10).optional(),
  due_by: moment.optional(),
})
/** The invoice of a deal, as its seller wrote it. */
export type Invoice = z.output<typeof invoiceSchema>

/** The buyer's proof of payment. */
export const proofOfPaymentSchema = z.strictObject({
  receipt_id: ownId.meta({
    description: 'A receipt of this service is verified; another one is stored as claimed',
  }),
  payment_proof: z.strictObject({ type: line(64), token: line(4096), provider: line(128).optional() }),
  invoice_id: ownId.optional(),
  paid_at: moment.optional(),
})
/** The payment of a deal, as claimed by the buyer. A receipt of this service is verified. */
export type ProofOfPayment = z.output<typeof proofOfPaymentSchema>

const REMEDIES = ['refund', 'partial_refund', 'redelivery', 'penalty', 'other'] as const

/** The reason for a dispute. */
export const disputeSchema = z.strictObject({
  reason_code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'Must be a code such as not_delivered'),
  evidence: z.array(prose(2_048)).max(10).optional(),
  requested_remedy: z.enum(REMEDIES).optional(),
})
/** The claim of the side that opens a dispute. */
export type DisputeClaim = z.output<typeof disputeSchema>
