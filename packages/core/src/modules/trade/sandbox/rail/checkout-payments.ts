import { randomBytes } from 'node:crypto'
import { type CardCheckoutProof, type CardProof, checkoutCredential } from '../../../../ports/card/index.ts'
import type { CheckoutReturn, HostedCheckout } from '../../../../ports/payment-processor.ts'
import { type Purchase, paymentRefused, railUnavailable, type Settlement } from '../../../../ports/payment-rail.ts'
import { close, outcomeOf, type SandboxRailContext } from './context.ts'
import { MAX_OPEN, paymentIdOf, SANDBOX_CARD_NETWORK, SANDBOX_PROCESSOR, saleOf } from './records.ts'

/** As long as pages of Stripe are open. */
const OPEN_MS = 31 * 60_000

/** The path of the page of a checkout. */
export const checkoutPath = (session: string): string => `/sandbox/checkout/${session}`

/** The public URL of the service, to which the buyer of a page returns. */
const serviceOf = (successUrl: string): string =>
  successUrl.slice(0, Math.max(0, successUrl.lastIndexOf(`/eep/payment/${SANDBOX_PROCESSOR}/`)))

/**
 * Opens a page of the service, on which a person pays with a test card.
 *
 * @throws `rail_unavailable` when too many are open
 */
export async function openCheckout(
  { change, cards, now }: SandboxRailContext,
  purchase: Purchase,
  { successUrl, cancelUrl }: CheckoutReturn,
): Promise<HostedCheckout<CardProof>> {
  const terms = cards.termsOf(purchase)
  if (!terms) throw paymentRefused('invalid_payment_requirements')
  const session = randomBytes(16).toString('base64url')
  const createdAt = now()
  const expiresAt = new Date(createdAt.getTime() + OPEN_MS)
  const payment = {
    ...terms,
    id: paymentIdOf(session),
    kind: 'checkout',
    details: {
      ...saleOf(purchase),
      credentialId: session,
      successUrl: successUrl.replace('{CHECKOUT_ID}', session),
      cancelUrl,
    },
    createdAt,
    expiresAt,
  } as const
  if (!(await change((payments) => payments.insert(payment, MAX_OPEN)))) {
    throw railUnavailable({ retryAfterMs: 60_000, cause: new Error('too many checkout pages of the sandbox are open') })
  }
  return {
    url: `${serviceOf(successUrl)}${checkoutPath(session)}`,
    expiresAt,
    credential: checkoutCredential(session, SANDBOX_CARD_NETWORK),
  }
}

/** Closes a page that was not used. */
export async function expireCheckout(context: SandboxRailContext, proof: CardProof): Promise<void> {
  if (proof.by === 'checkout') await close(context, paymentIdOf(proof.session))
}

/** Returns what came of a page, without taking anything. */
export async function recoverCheckout(
  context: SandboxRailContext,
  { session }: CardCheckoutProof,
  purchase: Purchase,
): Promise<Settlement> {
  const id = paymentIdOf(session)
  const known = await context.payments.get(id)
  const isLate = known?.state === 'open' && known.expiresAt <= context.now()
  const payment = isLate ? await close(context, id) : known
  // Pages are deleted when they have expired and took nothing.
  if (!payment) throw paymentRefused('payment_expired')
  return outcomeOf(context, payment, purchase)
}
