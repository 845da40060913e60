import { decodeCursor, encodeCursor, invalidCursor, type Page } from '../../../kernel/page.ts'
import type { BillingInvoice, BillingProcessor } from '../../../ports/billing-processor.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { billingUnsupported } from './errors.ts'

/** A page of the invoices of an account, the latest first. `total` counts those of all its customers at the processor. */
export type InvoicePage = Page<BillingInvoice>

export interface InvoiceDeps extends Pick<GuardedStorage<'subscriptions'>, 'read'> {
  readonly billing: BillingProcessor
}

/** The most invoices that processors return in one list. */
const MAX_LIMIT = 100

type ListInvoices = NonNullable<BillingProcessor['listInvoices']>

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
  /** Counts the invoices of customers. Processors return no total, so all pages are read. */
  async function count(list: ListInvoices, customers: readonly string[]): Promise<number> {
    let total = 0
    for (const customer of customers) {
      let after: string | undefined
      do {
        const { invoices, next } = await list(customer, { limit: MAX_LIMIT, after })
        total += invoices.length
        after = next ?? undefined
      } while (after !== undefined)
    }
    return total
  }

  return {
    /** @throws `billing_unsupported`, `invalid_cursor`, `billing_failed` */
    async list(accountId: string, limit: number, position: Position | undefined): Promise<InvoicePage> {
      const listInvoices = billing.listInvoices?.bind(billing)
      if (!listInvoices) throw billingUnsupported()
      // The oldest customer is number 0, so that numbers stay when another one is added.
      const customers = (await read.subscriptions.listCustomers(accountId, billing.id)).toReversed()
      const [from = customers.length - 1, after = ''] = position ?? []
      if (position && customers[from] === undefined) throw invalidCursor()
      const customer = customers[from]
      if (customer === undefined) return { items: [], total: 0, nextCursor: undefined }
      const page = { limit, after: after === '' ? undefined : after }
      const { invoices, next } = await listInvoices(customer, page)
      const isWhole = position === undefined && next === null && from === 0
      const total = isWhole ? invoices.length : await count(listInvoices, customers)
      if (next !== null) return { items: invoices, total, nextCursor: encodeCursor([from, next]) }
      return { items: invoices, total, nextCursor: from > 0 ? encodeCursor([from - 1, '']) : undefined }
    },
  }
}
