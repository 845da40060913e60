import type { BillingInvoice, BillingInvoices } from '@eep/core/ports'
import type { Stripe } from 'stripe'
import type { BillingContext } from './billing-checkout.ts'

const STATES = new Set<unknown>(['open', 'paid', 'uncollectible', 'void'])

/** Parses an invoice. Returns none for a draft. */
function readInvoice({
  id,
  number,
  created,
  total,
  currency,
  status,
  ...one
}: Stripe.Invoice): readonly BillingInvoice[] {
  if (typeof id !== 'string' || !Number.isSafeInteger(created) || !Number.isSafeInteger(total)) {
    throw new Error('Stripe returned an incomplete invoice')
  }
  if (!STATES.has(status)) return []
  return [
    {
      id,
      number,
      createdAt: new Date(created * 1000),
      totalCents: total,
      currency,
      // Known from the set above.
      status: status as BillingInvoice['status'],
      url: one.hosted_invoice_url ?? null,
      pdfUrl: one.invoice_pdf ?? null,
    },
  ]
}

/** Lists the invoices of a customer, the latest first. A page with drafts is shorter. */
export async function listCustomerInvoices(
  { stripe }: BillingContext,
  customer: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<BillingInvoices> {
  const { data, has_more: hasMore } = await stripe.invoices.list({
    customer,
    limit,
    ...(after !== undefined && { starting_after: after }),
  })
  return { invoices: data.flatMap(readInvoice), next: hasMore ? (data.at(-1)?.id ?? null) : null }
}

/** Opens the customer portal of Stripe, which leads back to `returnUrl`. */
export async function openPortal(
  { stripe }: BillingContext,
  customer: string,
  returnUrl: string,
): Promise<{ readonly url: string }> {
  const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })
  if (!URL.canParse(url)) throw new Error('Stripe returned a portal without an address')
  return { url }
}
