import { z } from 'zod'
import { line } from '../../../kernel/text-fields.ts'

const time = z.iso.datetime()

/** A response that is sent without serialization. */
export const binary = z.custom<NodeJS.ReadableStream | Buffer>().meta({ type: 'string', format: 'binary' })

export const refundSchema = z
  .object({
    state: z.enum(['claimed', 'refunded']).meta({
      description: 'claimed: the seller reports a refund that is not proven yet. refunded: the refund is recorded',
    }),
    reference: z.string(),
    reason: z.string().nullable(),
    refunded_at: time.nullable(),
  })
  .meta({ id: 'Refund' })

/** A receipt on the wire. */
export const receiptSchema = z
  .object({
    receipt_id: z.string(),
    sandbox: z.literal(true).optional().meta({ description: 'Only on receipts of play money' }),
    seller: z.object({ profile_id: z.int(), did: z.string() }),
    resource: z.string(),
    resource_pattern: z.string(),
    tier: z.string(),
    per: z.enum(['request', 'hour', 'day', 'week', 'month', 'year', 'once']),
    amount: z.object({ atomic: z.string(), decimal: z.string(), asset: z.string(), currency: z.string() }),
    commission_bps: z.int(),
    rail: z.string(),
    settlement: z.object({ reference: z.string(), transaction: z.string().nullable(), network: z.string() }),
    payer_did: z.string().nullable(),
    payer_account_id: z.string().nullable(),
    payer_wallet_address: z.string(),
    payer_network: z.string(),
    timeline: z.object({
      gate_hit_at: time,
      challenge_issued_at: time,
      basis: z.enum(['challenge', 'checkout', 'request']).meta({
        description:
          'What the two times above are: of the challenge that the payment answers, of the checkout page, or of the request that presented the payment',
      }),
      paid_at: time,
      settled_at: time,
    }),
    issued_at: time,
    /** Compact JWS (EdDSA) whose payload is this receipt without `signature` and `refund`. */
    signature: z.string(),
    refund: refundSchema.nullable(),
  })
  .meta({ id: 'Receipt' })

/** A sale on the wire. */
export const saleSchema = receiptSchema
  .extend({
    title: z.string().nullable().meta({ description: 'The thing sold, as its buyer was shown it' }),
    buyer_name: z
      .string()
      .nullable()
      .meta({ description: 'The account that was signed in when it paid. Null for guests' }),
  })
  .meta({ id: 'Sale' })

/** A refund, as administrators see it: its receipt, and when it was claimed. */
export const listedRefundSchema = receiptSchema
  .extend({ claimed_at: time.nullable().meta({ description: 'Null for a recorded refund' }) })
  .meta({ id: 'ListedRefund' })

export const refundsQuery = z.object({
  state: z
    .enum(['claimed', 'refunded'])
    .default('claimed')
    .meta({ description: 'claimed: the seller reports a refund that no rail has proven yet' }),
})

export const receiptParams = z.object({ receiptId: z.string().min(1).max(64) })

export const refundBody = z.strictObject({
  reference: line(256).optional().meta({ description: 'The transfer of the seller, for rails that cannot refund' }),
  reason: line(512).optional(),
})

/** The profile and the period of the sales: from `from` until before `to`. */
export const salesQuery = z.object({
  profile_id: z.coerce.number().int().min(1),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
})

const atomic = z.string().meta({ description: 'An integer of the smallest unit' })

export const salesSumSchema = z
  .object({
    rail: z.string(),
    network: z.string(),
    asset: z.string(),
    currency: z.string(),
    sales: z.int(),
    gross: atomic,
    refunds: z.int(),
    refunded: atomic,
    commission: atomic,
    net: atomic,
  })
  .meta({ id: 'SalesSum' })
