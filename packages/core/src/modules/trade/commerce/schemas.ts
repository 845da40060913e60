import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { line, prose } from '../../../kernel/text-fields.ts'
import { metadata } from '../../../model/metadata.ts'
import { ACTIONS, OUTCOMES, STATES } from '../../../model/negotiation.ts'
import { pricingSchema } from '../../../model/pricing.ts'
import { disputeSchema, invoiceSchema, proofOfPaymentSchema, termsSchema } from '../../../model/terms.ts'

const did = z
  .string()
  .max(512)
  .regex(/^did:[a-z0-9]+:\S+$/, 'A DID')
const reason = prose(1_024)

export const negotiationParams = z.object({ id: z.string().min(1).max(64) })

export const offerBody = z
  .strictObject({
    seller_did: did.optional().meta({ description: 'The profile of this service that sells' }),
    pay_to_did: did.optional().meta({ description: 'Another name for `seller_did`' }),
    service: line(256).meta({ description: 'The id of a listed service, or a description of another one' }),
    pricing: pricingSchema.optional().meta({ description: 'Default: the price of the listing' }),
    terms: termsSchema.optional(),
    reason: reason.optional(),
    metadata: metadata.optional(),
  })
  .refine(
    (body) => (body.seller_did === undefined) !== (body.pay_to_did === undefined),
    'Requires a seller: seller_did',
  )

export const counterBody = z.strictObject({
  pricing: pricingSchema.optional().meta({ description: 'Default: unchanged' }),
  terms: termsSchema.optional().meta({ description: 'Default: unchanged' }),
  reason: reason.optional(),
})

export const reasonBody = z.strictObject({ reason: reason.optional() }).nullish()

/** For moves that may also end a dispute. */
export const decisionBody = z
  .strictObject({
    reason: reason.optional(),
    outcome: z.enum(OUTCOMES).optional().meta({ description: 'The outcome of a dispute that this move ends' }),
  })
  .nullish()

export { disputeSchema as disputeBody, invoiceSchema as invoiceBody, proofOfPaymentSchema as receiptBody }

export const negotiationsQuery = listQuery.extend({
  state: z.enum(STATES).optional(),
  role: z.enum(['buyer', 'seller']).optional().meta({ description: 'Default: both' }),
})

const time = z.iso.datetime()
const actor = z.enum(['buyer', 'seller', 'admin'])

export const negotiationSchema = z
  .object({
    negotiation_id: z.string(),
    state: z.enum(STATES),
    version: z.int(),
    role: actor.meta({ description: 'The role of the reader' }),
    allowed_actions: z.array(z.enum(ACTIONS)).meta({ description: 'The actions that the reader may take now' }),
    seller_did: z.string(),
    buyer_did: z.string(),
    service: z.string(),
    pricing_mode: z.enum(['fixed', 'negotiable']),
    pricing: z.looseObject({ model: z.string(), currency: z.string() }),
    terms: z.looseObject({}),
    offered_by: z.enum(['buyer', 'seller']),
    expires_at: time.meta({ description: 'When the current offer expires, or the last one would have' }),
    invoice: z.looseObject({ invoice_id: z.string() }).nullable(),
    receipt: z.looseObject({ receipt_id: z.string(), verified: z.boolean() }).nullable(),
    dispute: z.looseObject({ reason_code: z.string(), opened_by: z.string() }).nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Negotiation' })

export const negotiationList = listOf(negotiationSchema)

export const negotiationWithHistory = negotiationSchema
  .extend({
    history: z.array(
      z.object({
        version: z.int(),
        action: z.enum(['offer', ...ACTIONS]),
        state: z.enum(STATES),
        by: z.enum(['buyer', 'seller', 'admin', 'service']),
        at: time,
        data: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({ id: 'NegotiationHistory' })
