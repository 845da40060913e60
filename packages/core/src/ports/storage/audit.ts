import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'

/** Something an administrator did. */
export interface AuditEntry {
  readonly id: number
  /** Null when that account is gone. */
  readonly actorAccountId: string | null
  /** `pricing.changed`. */
  readonly action: string
  /** `pricing/pro`; of an account `accounts/<id>`, which is `accounts/erased` when it is gone. */
  readonly target: string
  /** The changed values before the change; empty when the account is gone. */
  readonly before: JsonObject
  readonly after: JsonObject
  readonly at: Date
}

/** An entry of the audit log to append. Its actor is an account. */
export type NewAuditEntry = Omit<AuditEntry, 'id'> & { readonly actorAccountId: string }

/** The audit log, for reading. */
export interface AuditReader {
  /** Newest first. */
  list(query: { readonly target?: string | undefined }, request: PageRequest): Promise<Page<AuditEntry>>
}

/** The audit log. */
export interface AuditStore extends AuditReader {
  /** Writes down what is done in this transaction. */
  append(entry: NewAuditEntry): Promise<void>
  /** Removes an account from the entries that it made, and from those about it what was changed. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
