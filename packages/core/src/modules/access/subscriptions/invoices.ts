import { decodeCursor, encodeCursor, invalidCursor } from '../../../kernel/page.ts'
import type { BillingInvoice, BillingProcessor } from '../../../ports/billing-processor.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { billingUnsupported } from './errors.ts'

/** A page of the invoices of an account, the latest first. */
export interface InvoicePage {
  readonly items: readonly BillingInvoice[]
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined
}

export interface InvoiceDeps extends Pick<GuardedStorage<'subscriptions'>, 'read'> {
  readonly billing: BillingProcessor
}

/** Where a page of invoices begins: the number of the customer, and the last invoice before it. */
type Position = readonly [customer: number, after: string]

/**
 * Reads the cursor of a list of invoices.
 *
 * @throws `invalid_cursor`
 */
export const invoicesAfter = (cursor: string | undefined): Position | undefined =>
  cursor === undefined ? undefined : (decodeCursor(cursor, ['number', 'string']) as [number, string])

/** Lists the invoices of accounts, which the processor keeps by customer: an account is one customer for each currency. */
export function createInvoices({ read, billing }: InvoiceDeps) {
  return {
    /** @throws `billing_unsupported`, `invalid_cursor`, `billing_failed` */
    async list(accountId: string, limit: number, position: Position | undefined): Promise<InvoicePage> {
      if (!billing.listInvoices) throw billingUnsupported()
      // The oldest customer is number 0, so that numbers stay when another one is added.
      const customers = (await read.subscriptions.listCustomers(accountId, billing.id)).toReversed()
      const [from = customers.length - 1, after = ''] = position ?? []
      if (position && customers[from] === undefined) throw invalidCursor()
      const customer = customers[from]
      if (customer === undefined) return { items: [], nextCursor: undefined }
      const page = { limit, after: after === '' ? undefined : after }
      const { invoices, next } = await billing.listInvoices(customer, page)
      if (next !== null) return { items: invoices, nextCursor: encodeCursor([from, next]) }
      return { items: invoices, nextCursor: from > 0 ? encodeCursor([from - 1, '']) : undefined }
    },
  }
}
