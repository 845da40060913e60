import {
  type CardCheckoutProof,
  type CardProof,
  cardKeys,
  createCardPayments,
  definePaymentRail,
  invalidMessage,
  isCardCurrency,
  isCardToken,
  type PaymentRail,
  railUnavailable,
} from '@eep/core/ports'
import { checkoutOf, expireCheckout, openCheckout, recoverCheckout } from './checkout.ts'
import { disputeNotice } from './dispute-notice.ts'
import { inspectPayment, listTaken } from './inspect.ts'
import { readEvent } from './message.ts'
import { stripeNetwork } from './network.ts'
import { recoverToken } from './recovery.ts'
import { refundIntent } from './refund.ts'
import { refundNotice } from './refund-notice.ts'
import { type StripeContext, settleToken } from './settlement.ts'
import { connectStripe, failureOf, redactError, type StripeAccess, versionOf } from './stripe-api.ts'

/** Options of {@link cardRail}. */
export interface CardRailOptions extends StripeAccess {
  /** The Stripe profile of the seller, for which shared payment tokens are created: `profile_…`. */
  readonly profileId: string
  /**
   * Signs challenges, encrypts tokens and derives payer names: 32 characters or more, the same on every instance. Of a list,
   * the first is used and all are accepted, so prepend a new secret to rotate.
   */
  readonly secret: string | readonly string[]
  /** The signing secret of the webhook, `whsec_…`. Without one, webhooks are rejected. */
  readonly webhookSecret?: string | readonly string[] | undefined
  /** The currencies to sell in. Default: `usd` and `eur`. */
  readonly currencies?: readonly string[] | undefined
  /** The accepted payment methods. Default: `card` and `link`. */
  readonly paymentMethodTypes?: readonly string[] | undefined
  /**
   * The origins of the checkout pages, for accounts with a custom domain at Stripe. Default: that of Stripe, or of
   * `apiBase`.
   */
  readonly checkoutOrigins?: readonly string[] | undefined
  /** The validity of an offer in seconds. Default: 300. */
  readonly challengeSeconds?: number | undefined
  /** Whether a token is accepted without its challenge. Default: true. */
  readonly acceptRawToken?: boolean | undefined
  /** The pattern of shared payment tokens. */
  readonly tokenPattern?: RegExp | undefined
  /** The API parameter for the token. Stripe documents two. */
  readonly tokenParameter?: 'shared_payment_granted_token' | 'payment_method_data' | undefined
  /** The name of the rail, which agents can request. Default: `stripe-mpp`. */
  readonly id?: string | undefined
  readonly now?: (() => Date) | undefined
}

/** Names the keys of this rail, and never changes. */
const KEY_OWNER = { name: 'card rail', salt: 'eep-payments-card' }

/** Readiness probes are frequent, and Stripe limits requests. */
const RECHECK_MS = 30_000

/**
 * Accepts cards through Stripe: by the scheme `Payment` with shared payment tokens, and on Stripe Checkout pages.
 *
 * @throws Error that names an invalid option
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/cards.md
 * @example
 * const rail = cardRail({ secretKey, profileId: 'profile_123', secret, webhookSecret })
 * await app.register(eep, { ...options, payments: { rails: [rail] } })
 */
export function cardRail(options: CardRailOptions): PaymentRail<CardProof> {
  const { acceptRawToken = true, tokenPattern = /^spt_[A-Za-z0-9_]{1,200}$/, id = 'stripe-mpp' } = options
  const { tokenParameter = 'shared_payment_granted_token', now = () => new Date() } = options
  const { apiBase, checkoutOrigins = [apiBase ? new URL(apiBase).origin : 'https://checkout.stripe.com'] } = options
  const keys = cardKeys(options.secret, KEY_OWNER)
  const settings = settingsOf(options)
  const { paymentMethodTypes } = settings
  const cards = createCardPayments({ ...settings, keys, tokenPattern, acceptRawToken, now })
  const stripe = connectStripe(options)
  const apiVersion = versionOf(options)
  const webhookSecrets = [options.webhookSecret ?? []].flat()
  const context: StripeContext = { stripe, apiVersion, tokenParameter, cards, paymentMethodTypes, keys, now }
  const { info, offer, read, matches, verify } = cards
  let checkedAt = Number.NEGATIVE_INFINITY

  return definePaymentRail<CardProof>({
    id,
    info,
    offer,
    read,
    matches,
    verify,

    settle(credential, purchase) {
      if (isCardToken(credential)) return settleToken(context, credential, purchase)
      // A credential of this rail that has no token is a checkout page.
      return recoverCheckout(context, credential.proof as CardCheckoutProof, purchase)
    },

    recover(credential, purchase, checkpoint) {
      if (isCardToken(credential)) return recoverToken(context, credential, purchase, checkpoint)
      return recoverCheckout(context, credential.proof as CardCheckoutProof, purchase)
    },

    inspect: (payment) => inspectPayment(context, payment),

    listTaken: (since) => listTaken(context, since),

    refund: (refund) => refundIntent(stripe, refund),

    processor: {
      name: 'stripe',
      pageOrigins: checkoutOrigins,
      openCheckout: (purchase, back) => openCheckout(context, purchase, back),
      expireCheckout: ({ proof }) => expireCheckout(stripe, proof),
      readMessage(body, headers) {
        if (webhookSecrets.length === 0) throw invalidMessage({ message: 'No webhook secret is configured' })
        return checkoutOf(readEvent(stripe, webhookSecrets, body, headers['stripe-signature']))
      },
      readRefund: async (body, headers) =>
        refundNotice(context, readEvent(stripe, webhookSecrets, body, headers['stripe-signature'])),
      readDispute: async (body, headers) =>
        disputeNotice(context, readEvent(stripe, webhookSecrets, body, headers['stripe-signature'])),
    },

    /** Checks the API key with a request to Stripe. A success is cached for 30 seconds. */
    async ping() {
      if (now().getTime() - checkedAt < RECHECK_MS) return
      await stripe.paymentIntents.list({ limit: 1 }).catch((error: unknown) => {
        if (failureOf(error).is !== 'refused') throw redactError(error)
        throw railUnavailable({ cause: error })
      })
      checkedAt = now().getTime()
    },
  })
}

function settingsOf(options: CardRailOptions) {
  const { profileId, currencies = ['usd', 'eur'], challengeSeconds = 300 } = options
  const unknown = currencies.find((currency) => !isCardCurrency(currency))
  if (unknown !== undefined || currencies.length === 0) {
    throw new Error(`card rail: currencies contains ${unknown ?? 'nothing'}, which is not supported`)
  }
  if (!/^[\x21-\x7e]{1,255}$/.test(profileId))
    throw new Error('card rail: profileId must be the id of a Stripe profile')
  if (!Number.isInteger(challengeSeconds) || challengeSeconds < 30 || challengeSeconds > 3_600) {
    throw new Error('card rail: challengeSeconds must be a whole number from 30 to 3600')
  }
  return {
    network: stripeNetwork(options),
    networkId: profileId,
    currencies,
    paymentMethodTypes: options.paymentMethodTypes ?? ['card', 'link'],
    challengeSeconds,
  }
}
