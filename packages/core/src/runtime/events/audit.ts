import type { z } from 'zod'
import type { JsonObject } from '../../kernel/json.ts'
import type { AuditGateType, AuditOutcome, AuditType } from '../../model/audit.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'

/** The record that names the actor of an audited event. Its DID is looked up when the entry is written. */
export type AuditActor =
  | { readonly kind: 'service' }
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'profile'; readonly id: number }
  /** An agent that proved its DID. */
  | { readonly kind: 'agent'; readonly did: string }
  /** The buyer of a negotiation. */
  | { readonly kind: 'buyer'; readonly negotiationId: string }
  /** The payer of a receipt. */
  | { readonly kind: 'payer'; readonly receiptId: string }
  /** The payer of a payment that has no receipt. */
  | { readonly kind: 'payment'; readonly paymentId: string }
  /** The holder of an entitlement. */
  | { readonly kind: 'holder'; readonly entitlementId: string }

/** What an entry of the audit log contains about an event. */
export interface AuditFields {
  /** Default: the account that caused the event, else the service. */
  readonly actor?: AuditActor | undefined
  /** Default: the outcome of the definition. */
  readonly outcome?: AuditOutcome | undefined
  /** The resource, as a path of the service or a resource pattern. */
  readonly resource?: string | undefined
  readonly gateType?: AuditGateType | undefined
  readonly failureReason?: string | undefined
  /** The id of the session, or of the entitlement. */
  readonly sessionTokenId?: string | undefined
  readonly commerceId?: string | undefined
  /** Must not name a person: it is kept when an account is erased. */
  readonly metadata?: JsonObject | undefined
}

/** How an event appears in the audit log. */
export interface AuditOptions<Data extends z.ZodType> {
  readonly type: AuditType
  /** Default: `success`. */
  readonly outcome?: AuditOutcome | undefined
  /**
   * Returns what the entry contains about one event; undefined when that event has no entry. Default: no further details.
   */
  of?(data: z.output<Data>, event: StoredEvent): AuditFields | undefined
}

/** How an event appears in the audit log, as `defineEvent` returns it. */
export interface Audit {
  readonly type: AuditType
  readonly outcome: AuditOutcome
  /** What the entry contains about one event. Undefined when it has no entry, also when the payload was erased. */
  of(event: StoredEvent): AuditFields | undefined
}

interface Audited<Data extends z.ZodType> {
  readonly data: Data
  readonly audit: AuditOptions<Data>
}

/** Fills in the defaults. */
export function readAudit<Data extends z.ZodType>({ data, audit }: Audited<Data>): Audit {
  const { type, outcome = 'success', of } = audit
  return {
    type,
    outcome,
    of(event) {
      const payload = data.safeParse(event.data)
      if (!payload.success) return undefined
      return of ? of(payload.data, event) : {}
    },
  }
}
