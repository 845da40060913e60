import { z } from 'zod'
import type { AuditFields } from '../../../runtime/events/audit.ts'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const refund = z.object({ receiptId: z.string(), reference: z.string() })
const entitlement = z.object({ entitlementId: z.string(), resourcePattern: z.string(), tier: z.string() })
const attempt = z.object({
  rail: z.string(),
  resource: z.string(),
  reason: z.string(),
  paymentId: z.string(),
})
/** What the audit log contains about a payment without a receipt. */
const audited = ({ rail, resource, reason, paymentId }: z.output<typeof attempt>): AuditFields => ({
  actor: { kind: 'payment', paymentId },
  gateType: 'payment',
  resource,
  failureReason: reason,
  metadata: { rail },
})
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
    /** What the buyer was shown. */
    title: z.string(),
    /** The URL of what was sold. */
    url: z.string(),
  }),
  audit: {
    type: 'gate.payment.verified',
    of: ({ receiptId, rail, resource, tier, per, amount: { decimal, currency } }) => ({
      actor: { kind: 'payer', receiptId },
      gateType: 'payment',
      resource,
      metadata: { receipt_id: receiptId, rail, tier, per, amount: decimal, currency },
    }),
  },
  summary: 'A payment was settled and recorded',
})
export const paymentRefunded = defineEvent('payments.payment_refunded', {
  ...ofSeller,
  data: refund,
  summary: 'A payment was refunded',
})
export const paymentDisputed = defineEvent('payments.payment_disputed', {
  ...ofSeller,
  data: refund.extend({ state: z.enum(['opened', 'won', 'lost']) }),
  summary: 'A payer disputed a payment at the bank, or the dispute was decided',
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
export const deliveryFailed = defineEvent('payments.delivery_failed', {
  ...ofSeller,
  data: z.object({
    receiptId: z.string(),
    rail: z.string(),
    resource: z.string(),
    /** The money is refunded, or the payment is kept for its payer. */
    compensation: z.enum(['refund', 'keep']),
    amount: z.object({ decimal: z.string(), currency: z.string() }),
    /** What the buyer was shown. */
    title: z.string(),
  }),
  summary: 'A paid request was not answered as sold, and is compensated',
})
export const paymentRefused = defineEvent('payments.payment_refused', {
  ...ofSeller,
  data: attempt,
  audit: { type: 'gate.payment.rejected', outcome: 'failure', of: audited },
  summary: 'A rail refused a payment',
})
export const paymentSuspended = defineEvent('payments.payment_suspended', {
  ...ofSeller,
  data: attempt,
  audit: { type: 'gate.payment.verified', outcome: 'pending', of: audited },
  summary: 'The outcome of a payment is unknown',
})
export const entitlementGranted = defineEvent('gates.entitlement_granted', {
  audience: 'team',
  subject: 'profile',
  data: entitlement.extend({
    /** ISO 8601; null without an end. */
    validUntil: z.string().nullable(),
    /** The reason of a manual grant or of a partial revocation. Absent for a purchase. */
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
  // An entitlement is what EEP calls a session: access to a tier until a time.
  audit: {
    type: 'session.created',
    of: ({ entitlementId, resourcePattern, tier, validUntil, reason }) => ({
      actor: { kind: 'holder', entitlementId },
      resource: resourcePattern,
      sessionTokenId: entitlementId,
      metadata: { tier, valid_until: validUntil, by_hand: reason !== undefined },
    }),
  },
  summary: 'A payer or account got an entitlement',
})
export const entitlementRevoked = defineEvent('gates.entitlement_revoked', {
  audience: 'team',
  subject: 'profile',
  data: entitlement.extend({ reason: z.string() }),
  invalidates: ['profile'],
  audit: {
    type: 'session.revoked',
    of: ({ entitlementId, resourcePattern, tier }) => ({
      resource: resourcePattern,
      sessionTokenId: entitlementId,
      metadata: { tier },
    }),
  },
  summary: 'An entitlement was revoked',
})
export const payerTrustChanged = defineEvent('payments.payer_trust_changed', {
  audience: 'internal',
  subject: 'account',
  data: z.object({}),
  invalidates: ['account'],
  summary: 'A payment or refund changed what the payments of an account prove',
})

export const receiptEvents = [
  paymentSettled,
  paymentRefunded,
  paymentDisputed,
  refundClaimed,
  refundRejected,
  deliveryFailed,
  paymentRefused,
  paymentSuspended,
  entitlementGranted,
  entitlementRevoked,
  payerTrustChanged,
] as const
