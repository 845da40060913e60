import { type BillingProcessor, defineBillingProcessor, invalidMessage, moneyKindOf } from '@eep/core/ports'
import { changePlan, resumePlan } from './billing-change.ts'
import {
  type BillingContext,
  expireBillingCheckout,
  findBillingCheckout,
  openBillingCheckout,
} from './billing-checkout.ts'
import { asked } from './billing-error.ts'
import { billingEventOf } from './billing-event.ts'
import { listCustomerInvoices, openPortal } from './billing-invoices.ts'
import { endImmediately, endWithPeriod, findSubscription } from './billing-subscription.ts'
import { readEvent } from './message.ts'
import { stripeNetwork } from './network.ts'
import { connectStripe, type StripeAccess } from './stripe-api.ts'

/** Options of the Stripe account that sells subscriptions. */
export interface CardBillingOptions extends Omit<StripeAccess, 'apiVersion'> {
  /** The signing secret of the webhook, `whsec_…`. All secrets of a list are accepted. Without one, webhooks are rejected. */
  readonly webhookSecret?: string | readonly string[] | undefined
  /** Prefix of the plan name on checkout pages and invoices: `Example` results in `Example Pro`. */
  readonly productName?: string | undefined
  /** The version of the Stripe API. Default: that of the library. Refunds require 2025-03-31 or later. */
  readonly apiVersion?: string | undefined
}

/** Readiness probes are frequent, and Stripe limits requests. */
const RECHECK_MS = 30_000

/**
 * Sells monthly subscriptions through Stripe Checkout.
 *
 * @throws Error that names an invalid option
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/billing.md
 * @example
 * const billing = cardBilling({ secretKey, webhookSecret, productName: 'Example' })
 * await app.register(eep, { ...options, payments: { billing } })
 */
export function cardBilling(options: CardBillingOptions): BillingProcessor {
  const stripe = connectStripe(options, 'card billing', options.apiVersion)
  const context: BillingContext = { stripe, productName: options.productName }
  const secrets = [options.webhookSecret ?? []].flat()
  let checkedAt = Number.NEGATIVE_INFINITY

  return defineBillingProcessor({
    id: 'stripe',
    moneyKind: moneyKindOf(stripeNetwork(options)),
    openCheckout: (order) => asked(() => openBillingCheckout(context, order)),
    getCheckout: (id) => asked(() => findBillingCheckout(context, id)),
    expireCheckout: (id) => asked(() => expireBillingCheckout(context, id)),
    getSubscription: (id) => asked(() => findSubscription(context, id)),
    cancelSubscription: (id, when) =>
      asked(() => (when === 'immediately' ? endImmediately(context, id) : endWithPeriod(context, id))),
    change: (id, plan) => asked(() => changePlan(context, id, plan)),
    resume: (id) => asked(() => resumePlan(context, id)),
    portal: (customerId, returnUrl) => asked(() => openPortal(context, customerId, returnUrl)),
    listInvoices: (customerId, page) => asked(() => listCustomerInvoices(context, customerId, page)),

    readMessage(body, headers) {
      if (secrets.length === 0) throw invalidMessage({ message: 'No webhook secret is configured' })
      return billingEventOf(readEvent(stripe, secrets, body, headers['stripe-signature']))
    },

    /** Checks the API key with a request to Stripe. A success is cached for 30 seconds. */
    async ping() {
      if (performance.now() - checkedAt < RECHECK_MS) return
      await asked(() => stripe.subscriptions.list({ limit: 1 }))
      checkedAt = performance.now()
    },
  })
}
