import { type BillingCheckout, cardDigest, type SubscriptionOrder } from '@eep/core/ports'
import type { Stripe } from 'stripe'
import { expectObject, idOf, isMissing, isRefused } from './billing-error.ts'

/** The dependencies of the billing adapter. */
export interface BillingContext {
  readonly stripe: Stripe
  /** The prefix of the plan name on the checkout page. */
  readonly productName: string | undefined
}

type Session = Stripe.Checkout.Session
type SessionOrder = Stripe.Checkout.SessionCreateParams

const STATES = new Set<unknown>(['open', 'complete', 'expired'])

/** Parses a checkout session. Throws when it does not sell a subscription. */
function readCheckout(answer: Session): BillingCheckout {
  const { id, url, mode, status, subscription, expires_at: expires } = expectObject(answer, 'checkout.session')
  if (mode !== 'subscription' || !STATES.has(status) || !Number.isSafeInteger(expires)) {
    throw new Error('Stripe returned a checkout session that is not for a subscription')
  }
  return {
    id,
    url: url ?? null,
    state: status as BillingCheckout['state'],
    subscriptionId: idOf(subscription) ?? null,
    expiresAt: new Date(expires * 1000),
  }
}

function parametersOf({ productName }: BillingContext, order: SubscriptionOrder): SessionOrder {
  const { accountId, tier, currency, priceCents, trialDays, title } = order
  const metadata = { account_id: accountId, tier, currency, price_at_creation_cents: `${priceCents}` }
  const name = [productName, title].filter(Boolean).join(' ').slice(0, 250)
  return {
    mode: 'subscription',
    client_reference_id: accountId,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: priceCents,
          recurring: { interval: 'month' },
          product_data: { name },
        },
      },
    ],
    payment_method_collection: 'always',
    metadata,
    // Set on the subscription too, so that later events of it contain the account.
    subscription_data: { metadata, ...(trialDays > 0 && { trial_period_days: trialDays }) },
    success_url: order.successUrl.replace('{CHECKOUT_ID}', '{CHECKOUT_SESSION_ID}'),
    cancel_url: order.cancelUrl,
  }
}

/** The customer of the page: the previous one, one with this email address, or a new one. */
const buyersOf = ({ customerId, email }: SubscriptionOrder): readonly Partial<SessionOrder>[] => [
  ...(customerId === undefined ? [] : [{ customer: customerId }]),
  { customer_email: email },
  {},
]

const isAboutBuyer = (error: unknown): boolean =>
  isRefused(error) && (error.param === 'customer' || error.param === 'customer_email')

/** Opens a checkout page of Stripe, one for each attempt, however often it is called. */
export async function openBillingCheckout(context: BillingContext, order: SubscriptionOrder): Promise<BillingCheckout> {
  const parameters = parametersOf(context, order)
  let refusal: unknown
  for (const buyer of buyersOf(order)) {
    const idempotencyKey = `eep_${cardDigest(`subscription ${order.attempt} ${JSON.stringify(buyer)}`)}`
    try {
      return readCheckout(
        await context.stripe.checkout.sessions.create({ ...parameters, ...buyer }, { idempotencyKey }),
      )
    } catch (error) {
      if (!isAboutBuyer(error)) throw error
      refusal = error
    }
  }
  throw refusal
}

/** Returns undefined for an unknown page and for one that sells something else. */
export async function findBillingCheckout(
  { stripe }: BillingContext,
  id: string,
): Promise<BillingCheckout | undefined> {
  try {
    const session = await stripe.checkout.sessions.retrieve(id)
    return session.mode === 'payment' || session.mode === 'setup' ? undefined : readCheckout(session)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Expires a page. Stripe refuses this for a page that is not open; then its state is read. */
export async function expireBillingCheckout(context: BillingContext, id: string): Promise<BillingCheckout | undefined> {
  const standing = await findBillingCheckout(context, id)
  if (standing?.state !== 'open') return standing
  try {
    return readCheckout(await context.stripe.checkout.sessions.expire(id))
  } catch (error) {
    const after = isRefused(error) ? await findBillingCheckout(context, id) : undefined
    if (after === undefined || after.state === 'open') throw error
    return after
  }
}
