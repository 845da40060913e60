import { z } from 'zod'
import { line } from '../../../kernel/text-fields.ts'
import { isTimeZone } from '../../../model/time-zone.ts'

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

const period = {
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
}
const profileId = z.coerce.number().int().min(1)

/** The profile and the period of the sales: from `from` until before `to`. */
export const salesOfProfileQuery = z.object({ profile_id: profileId, ...period })

/** Without a profile, the sales of all profiles where the caller may read payments. */
export const salesQuery = z.object({ profile_id: profileId.optional(), ...period })

export const groupedSalesQuery = salesQuery.extend({
  group: z
    .enum(['day'])
    .optional()
    .meta({ description: 'Sums by day instead of sales, of at most 400 days. Default: the 90 days before `to`' }),
  tz: z
    .string()
    .max(64)
    .refine(isTimeZone, 'Must be a time zone of the IANA database, such as Europe/Berlin')
    .default('UTC')
    .meta({ description: 'The time zone of the days' }),
})

export const customersQuery = z.object({ profile_id: profileId })

/** An integer of the smallest unit. */
export const atomic = z.string().meta({ description: 'An integer of the smallest unit' })

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

export const salesDaySchema = salesSumSchema
  .extend({ date: z.iso.date().meta({ description: 'The day in the time zone `tz`' }) })
  .meta({ id: 'SalesDay' })
