import type { BillingEvent } from '@eep/core/ports'
import type { Stripe } from 'stripe'
import { idOf } from './billing-error.ts'

const ABOUT_SUBSCRIPTION = new Set([
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
])

/** Webhooks use the API version of their endpoint. Before 2025-03-31 the subscription was at the top level. */
type AnyInvoice = Stripe.Invoice & { readonly subscription?: string | { readonly id: string } | null }

function invoiceEvent({ id, type, data }: Stripe.Event, paid: boolean): BillingEvent | undefined {
  const invoice = data.object as AnyInvoice
  const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription ?? invoice.subscription)
  if (subscriptionId === undefined || typeof invoice.id !== 'string') return undefined
  const amountCents = (paid ? invoice.amount_paid : invoice.amount_due) ?? 0
  return {
    id,
    type,
    subscriptionId,
    invoice: { id: invoice.id, paid, amountCents, attempt: invoice.attempt_count ?? 0 },
  }
}

function checkoutEvent({ id, type, data }: Stripe.Event): BillingEvent | undefined {
  const { mode, subscription } = data.object as Stripe.Checkout.Session
  const subscriptionId = mode === 'subscription' ? idOf(subscription) : undefined
  return subscriptionId === undefined ? undefined : { id, type, subscriptionId }
}

/** Returns the content of an event about a subscription. Undefined for other events. */
export function billingEventOf(event: Stripe.Event): BillingEvent | undefined {
  const { id, type, data } = event
  if (type === 'invoice.payment_succeeded') return invoiceEvent(event, true)
  if (type === 'invoice.payment_failed') return invoiceEvent(event, false)
  if (type === 'checkout.session.completed') return checkoutEvent(event)
  const { id: subscriptionId } = data.object as { id?: unknown }
  if (!ABOUT_SUBSCRIPTION.has(type) || typeof subscriptionId !== 'string') return undefined
  return { id, type, subscriptionId }
}
