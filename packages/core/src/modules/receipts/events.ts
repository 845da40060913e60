import { z } from 'zod'
import { defineEvent } from '../../events/define-event.ts'

const refund = z.object({ receiptId: z.string(), reference: z.string() })
const entitlement = z.object({ entitlementId: z.string(), resourcePattern: z.string(), tier: z.string() })
const attempt = z.object({ rail: z.string(), resource: z.string(), reason: z.string() })
const ofSeller = { audience: 'team', subject: 'profile' } as const

export const paymentSettled = defineEvent('payments.payment_settled', {
  ...ofSeller,
  data: z.object({
    receiptId: z.string(),
    rail: z.string(),
    resource: z.string(),
    tier: z.string(),
    per: z.enum(['request', 'hour', 'day', 'week', 'month', 'year', 'once']),
    amount: z.object({ decimal: z.string(), currency: z.string() }),
  }),
  summary: 'A payment was settled and recorded',
})
export const paymentRefunded = defineEvent('payments.payment_refunded', {
  ...ofSeller,
  data: refund,
  summary: 'A payment was refunded',
})
export const refundClaimed = defineEvent('payments.refund_claimed', {
  ...ofSeller,
  data: refund,
  summary: 'A seller reported a refund; nothing changes until it is confirmed',
})
export const refundRejected = defineEvent('payments.refund_rejected', {
  ...ofSeller,
  data: refund.extend({ reason: z.string() }),
  summary: 'A reported refund was not a refund of this receipt',
})
export const paymentRefused = defineEvent('payments.payment_refused', {
  ...ofSeller,
  data: attempt,
  summary: 'A rail refused a payment',
})
export const paymentSuspended = defineEvent('payments.payment_suspended', {
  ...ofSeller,
  data: attempt,
  summary: 'The outcome of a payment is unknown',
})
export const entitlementGranted = defineEvent('gates.entitlement_granted', {
  audience: 'team',
  subject: 'profile',
  data: entitlement.extend({
    /** ISO 8601; null without an end. */
    validUntil: z.string().nullable(),
    /** The reason of a grant by hand or of a partial revocation. Absent for a purchase. */
    reason: z.string().optional(),
  }),
  signal: {
    types: {
      'gate.access_granted': z.object({
        entity_id: z.int(),
        entitlement_id: z.string(),
        resource: z.string().describe('The pattern of resources that it opens'),
        tier: z.string(),
        valid_until: z.iso.datetime().nullable().describe('Null without an end'),
      }),
    },
    // The payload does not name the holder, because payer addresses are private.
    of: ({ entitlementId, resourcePattern, tier, validUntil }, { profileId }) => ({
      type: 'gate.access_granted',
      data: {
        entity_id: profileId,
        entitlement_id: entitlementId,
        resource: resourcePattern,
        tier,
        valid_until: validUntil,
      },
    }),
  },
  summary: 'A payer or account got an entitlement',
})
export const entitlementRevoked = defineEvent('gates.entitlement_revoked', {
  audience: 'team',
  subject: 'profile',
  data: entitlement.extend({ reason: z.string() }),
  invalidates: ['profile'],
  summary: 'An entitlement was revoked',
})
export const payerTrustChanged = defineEvent('payments.payer_trust_changed', {
  audience: 'internal',
  subject: 'account',
  data: z.object({}),
  invalidates: ['account'],
  summary: 'A payment or refund changed what the account that paid proves by it',
})

export const receiptEvents = [
  paymentSettled,
  paymentRefunded,
  refundClaimed,
  refundRejected,
  paymentRefused,
  paymentSuspended,
  entitlementGranted,
  entitlementRevoked,
  payerTrustChanged,
] as const
