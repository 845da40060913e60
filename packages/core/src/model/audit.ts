/** The types of entries of the audit log, as EEP names them. */
export const AUDIT_TYPES = [
  'gate.proof.submitted',
  'gate.proof.accepted',
  'gate.proof.rejected',
  'gate.payment.verified',
  'gate.payment.rejected',
  'session.created',
  'session.renewed',
  'session.revoked',
  'session.expired',
  'webhook.delivery.attempted',
  'webhook.delivery.succeeded',
  'webhook.delivery.failed',
  'webhook.delivery.abandoned',
  'commerce.offer',
  'commerce.counter',
  'commerce.accepted',
  'commerce.invoice',
  'commerce.paid',
  'commerce.cancelled',
  'data.withdrawal.requested',
  'data.withdrawal.acknowledged',
  'data.withdrawal.completed',
  'poi.validated',
  'poi.rejected',
  'rate_limit.triggered',
  'did.revocation.checked',
] as const
/** The type of an entry of the audit log. */
export type AuditType = (typeof AUDIT_TYPES)[number]

export const AUDIT_OUTCOMES = ['success', 'failure', 'partial', 'pending'] as const
/** How the audited operation ended. */
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

export const AUDIT_GATE_TYPES = [
  'credential',
  'payment',
  'agreement',
  'data_request',
  'identity',
  'allowlist',
  'reciprocal',
  'combined',
] as const
/** The kind of requirement that an entry is about. */
export type AuditGateType = (typeof AUDIT_GATE_TYPES)[number]
