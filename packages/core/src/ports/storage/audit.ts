import type { JsonObject } from '../../kernel/json.ts'
import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'

/** An action of an administrator. */
export interface AuditEntry {
  readonly id: number
  /** Null for actions of the operator, and once that account is erased. */
  readonly actorAccountId: string | null
  /** `pricing.changed`. */
  readonly action: string
  /** `pricing/pro`; for accounts `accounts/<id>`, and `accounts/erased` once the account is erased. */
  readonly target: string
  /** The changed values before the change; empty once the account is erased. */
  readonly before: JsonObject
  readonly after: JsonObject
  readonly at: Date
}

/** An entry of the audit log to append. Its actor is an account, or null for the operator of the service. */
export type NewAuditEntry = Omit<AuditEntry, 'id'>

/** The audit log, for reading. */
export interface AuditReader {
  /** Newest first. */
  list(query: { readonly target?: string | undefined }, request: PageRequest): Promise<Page<AuditEntry>>
}

/** The audit log. */
export interface AuditStore extends AuditReader {
  /** Appends an entry about a change in this transaction. */
  append(entry: NewAuditEntry): Promise<void>
  /** Deletes entries that were made before a time, the oldest first, at most `limit`. Returns their number. */
  prune(before: Date, limit: number): Promise<number>
  /** Removes the account from entries that it made, and the changed values from entries about it. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
