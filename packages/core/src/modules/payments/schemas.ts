import { z } from 'zod'

const time = z.iso.datetime()

/** A receipt on the wire. */
export const receiptSchema = z.object({
  receipt_id: z.string(),
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
    gate_hit_at: time.nullable(),
    challenge_issued_at: time.nullable(),
    paid_at: time,
    settled_at: time,
  }),
  issued_at: time,
  /** Compact JWS (EdDSA) whose payload is this receipt without `signature`. */
  signature: z.string(),
})
