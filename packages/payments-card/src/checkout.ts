import { randomUUID } from 'node:crypto'
import {
  type CardCheckoutProof,
  type CardProof,
  type CheckoutReturn,
  checkoutCredential,
  type HostedCheckout,
  type Purchase,
  paymentRefused,
  paymentUnknown,
  railUnavailable,
  type Settlement,
} from '@eep/core/ports'
import type { Stripe } from 'stripe'
import { metadataOf, type StripeContext, settlementOf } from './settlement.ts'
import { failureOf, readIntent } from './stripe-api.ts'

/** The minimum that Stripe allows, plus a minute for clock differences. */
const OPEN_MS = 31 * 60_000
const MARK = 'eep_checkout'

/**
 * Opens a Stripe Checkout page for one payment, without payment methods that settle days later.
 *
 * @throws `rail_unavailable` when Stripe refuses the API key; other errors unchanged
 */
export async function openCheckout(
  { stripe, cards, paymentMethodTypes, now }: StripeContext,
  purchase: Purchase,
  { successUrl, cancelUrl }: CheckoutReturn,
): Promise<HostedCheckout<CardProof>> {
  const terms = cards.termsOf(purchase)
  if (!terms) throw paymentRefused('invalid_payment_requirements')
  const expiresAt = new Date(now().getTime() + OPEN_MS)
  const parameters = {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: terms.currency,
          unit_amount: Number(terms.amount),
          product_data: { name: (purchase.shown.description || purchase.resource).slice(0, 250) },
        },
      },
    ],
    allowed_payment_method_types: paymentMethodTypes,
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    metadata: { [MARK]: 'true', ...metadataOf(purchase) },
    success_url: successUrl.replace('{CHECKOUT_ID}', '{CHECKOUT_SESSION_ID}'),
    cancel_url: cancelUrl,
  }
  // The library types payment methods as literals, but hosts configure them as strings.
  const session = await stripe.checkout.sessions
    .create(parameters as unknown as Stripe.Checkout.SessionCreateParams, { idempotencyKey: `eep_${randomUUID()}` })
    .catch((cause: unknown) => {
      throw railUnavailable({ cause, ...(failureOf(cause).is === 'unknown' && { retryAfterMs: 5_000 }) })
    })
  if (typeof session.url !== 'string' || typeof session.id !== 'string') {
    throw railUnavailable({ cause: new Error('Stripe returned no open checkout page') })
  }
  return { url: session.url, expiresAt, credential: checkoutCredential(session.id, cards.network) }
}

/** Expires a page. Stripe refuses this for an expired or paid page, which `recoverCheckout` reports. */
export async function expireCheckout(stripe: Stripe, proof: CardProof): Promise<void> {
  if (proof.by !== 'checkout') return
  await stripe.checkout.sessions.expire(proof.session).catch((cause: unknown) => {
    if (failureOf(cause).is !== 'refused') throw paymentUnknown({ cause })
  })
}

/** Returns whether a page was paid, without charging anything. */
export async function recoverCheckout(
  context: StripeContext,
  { session: id }: CardCheckoutProof,
  purchase: Purchase,
): Promise<Settlement> {
  const { stripe, cards } = context
  const session = await stripe.checkout.sessions
    .retrieve(id, { expand: ['payment_intent'] })
    .catch((cause: unknown) => {
      throw paymentUnknown({ cause })
    })
  if (session.status === 'expired') throw paymentRefused('payment_expired')
  if (session.status === 'open') throw paymentUnknown({ reason: 'checkout_open' })
  if (session.status !== 'complete' || session.payment_status !== 'paid') throw paymentUnknown()
  const intent = readIntent(session.payment_intent)
  const terms = cards.termsOf(purchase)
  const isWhole = terms && BigInt(intent.received) === terms.amount && intent.currency === terms.currency
  if (intent.status !== 'succeeded' || !isWhole) {
    throw paymentUnknown({ cause: new Error(`Stripe reports ${intent.status} ${intent.received} for ${intent.id}`) })
  }
  const payerEmail = session.customer_details?.email
  return { ...settlementOf(context, intent), ...(payerEmail && { payerEmail }) }
}

export const isOurPage = ({ mode, metadata }: Stripe.Checkout.Session): boolean =>
  mode === 'payment' && metadata?.[MARK] === 'true'

/** Returns the checkout page of an event, if this rail opened it. */
export function checkoutOf(event: Stripe.Event): string | undefined {
  if (event.type !== 'checkout.session.completed' && event.type !== 'checkout.session.expired') return undefined
  const session = event.data.object
  return isOurPage(session) ? session.id : undefined
}
