import {
  type Checkpoint,
  type Credential,
  type CredentialHeaders,
  type Purchase,
  paymentRefused,
  type RailInfo,
  type RailOffer,
  type Settlement,
} from '../payment-rail.ts'
import { formatPaymentReceipt } from '../payment-scheme.ts'
import { type CardProof, type CardTokenReader, cardChallengeOf, isCardToken, readCredential } from './credential.ts'
import { decimalOf, limitsOf } from './currency.ts'
import {
  acceptEntry,
  type CardOfferSettings,
  type CardTerms,
  challengeMaker,
  isChallengeFor,
  METHOD,
  termsOf,
} from './offer.ts'

/** Options of {@link createCardPayments}. */
export interface CardPaymentsOptions extends CardOfferSettings, Omit<CardTokenReader, 'network'> {
  readonly now: () => Date
}

/** A payment that a processor of cards took. */
export interface TakenCardPayment {
  /** The id of the payment at the processor, which is public. */
  readonly reference: string
  readonly currency: string
  /** In the smallest unit of the currency. */
  readonly amount: bigint
  readonly takenAt: Date
}

/** The part of a rail for cards that is the same for each processor. */
export interface CardPayments {
  readonly info: RailInfo
  readonly network: string
  offer(purchase: Purchase): Promise<RailOffer | undefined>
  read(headers: CredentialHeaders): Credential<CardProof> | undefined
  matches(credential: Credential<CardProof>, purchase: Purchase): boolean
  verify(credential: Credential<CardProof>): Promise<Checkpoint>
  /** Returns the price of a purchase. Undefined when cards cannot pay it. */
  termsOf(purchase: Purchase): CardTerms | undefined
  settlementOf(payment: TakenCardPayment): Settlement
}

/**
 * Creates the parts that rails for cards share, independent of their processor: the currencies and their limits, offers, challenges of the scheme
 * `Payment`, credentials with a shared payment token, and settlements. The rail itself takes the money.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/payment-rail.md
 * @example
 * const { info, offer, read, matches, verify } = createCardPayments({ network: 'acme:cards', currencies: ['usd'], keys, now, ...rest })
 * definePaymentRail({ id: 'acme', info, offer, read, matches, verify, settle, recover })
 */
export function createCardPayments(options: CardPaymentsOptions): CardPayments {
  const { network, currencies, keys, now } = options

  return {
    network,
    info: {
      protocol: 'mpp',
      accepts: currencies.map((asset) => ({
        network,
        asset,
        currencies: [asset],
        limits: { [asset]: limitsOf(asset) },
      })),
    },

    async offer(purchase) {
      const terms = termsOf(options, purchase)
      if (!terms) return undefined
      return {
        accept: acceptEntry(options, terms),
        challenge: challengeMaker(keys, options, terms, purchase, now),
      }
    },

    read: (headers) => readCredential(options, headers),

    matches(credential, purchase) {
      if (!isCardToken(credential) || !termsOf(options, purchase)) return false
      const challenge = cardChallengeOf(credential.proof)
      return challenge === null || isChallengeFor(keys, options, challenge, purchase)
    },

    async verify(credential) {
      const expires = isCardToken(credential) ? cardChallengeOf(credential.proof)?.expires : undefined
      if (expires !== undefined && new Date(expires) <= now()) throw paymentRefused('payment_expired')
      return { at: now().toISOString() }
    },

    termsOf: (purchase) => termsOf(options, purchase),

    settlementOf({ reference, currency, amount, takenAt }) {
      const timestamp = takenAt.toISOString()
      return {
        reference,
        network,
        amount: { atomic: `${amount}`, decimal: decimalOf(amount, currency), asset: currency, currency },
        // A card has no wallet, so each payment gets a wallet name that cannot be guessed without the secret.
        payer: { wallet: `card_${keys.name(reference)}`, network },
        settledAt: takenAt,
        headers: {
          'Payment-Receipt': formatPaymentReceipt({ method: METHOD, reference, status: 'success', timestamp }),
        },
      }
    },
  }
}
