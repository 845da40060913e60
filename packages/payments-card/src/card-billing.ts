import { type BillingProcessor, defineBillingProcessor, invalidMessage } from '@eep/core/ports'
import {
  type BillingContext,
  expireBillingCheckout,
  findBillingCheckout,
  openBillingCheckout,
} from './billing-checkout.ts'
import { asked } from './billing-error.ts'
import { billingEventOf } from './billing-event.ts'
import { endAtOnce, endWithPeriod, findSubscription } from './billing-subscription.ts'
import { readEvent } from './message.ts'
import { connectStripe, type StripeAccess } from './stripe-api.ts'

/** Through which account at Stripe subscriptions are sold. */
export interface CardBillingOptions extends Omit<StripeAccess, 'apiVersion'> {
  /** Proves that messages to the webhook are Stripe's: `whsec_…`. Of a list all are known. Without one, messages are refused. */
  readonly webhookSecret?: string | readonly string[] | undefined
  /** Prefix of the plan's name on pages and bills: `Example` gives `Example Pro`. */
  readonly productName?: string | undefined
  /** The version of Stripe's API. Default: that of the library. Before 2025-03-31 refunds are not possible. */
  readonly apiVersion?: string | undefined
}

/** Readiness probes come every few seconds; Stripe limits how often it answers. */
const RECHECK_MS = 30_000

/**
 * Sells subscriptions through Stripe: people buy them on pages of Stripe's, month by month.
 *
 * @throws Error that names the option that is wrong
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
    openCheckout: (order) => asked(() => openBillingCheckout(context, order)),
    getCheckout: (id) => asked(() => findBillingCheckout(context, id)),
    expireCheckout: (id) => asked(() => expireBillingCheckout(context, id)),
    getSubscription: (id) => asked(() => findSubscription(context, id)),
    cancelSubscription: (id, when) =>
      asked(() => (when === 'at_once' ? endAtOnce(context, id) : endWithPeriod(context, id))),

    readMessage(body, headers) {
      if (secrets.length === 0) throw invalidMessage({ message: 'There is no secret to check messages with' })
      return billingEventOf(readEvent(stripe, secrets, body, headers['stripe-signature']))
    },

    /** Asks Stripe whether it accepts the key. A success counts for 30 seconds. */
    async ping() {
      if (performance.now() - checkedAt < RECHECK_MS) return
      await asked(() => stripe.subscriptions.list({ limit: 1 }))
      checkedAt = performance.now()
    },
  })
}
