import {
  CARD_CURRENCIES,
  type CardCheckoutProof,
  type CardProof,
  cardKeys,
  createCardPayments,
  isCardToken,
} from '../../../../ports/card/index.ts'
import { definePaymentRail, invalidMessage, type PaymentRail, railUnavailable } from '../../../../ports/payment-rail.ts'
import type { Storage } from '../../../../ports/storage/storage.ts'
import { expireCheckout, openCheckout, recoverCheckout } from './checkout-payments.ts'
import type { SandboxRailContext } from './context.ts'
import { inspectPayment, listTaken } from './inspect.ts'
import { refundIdOf, SANDBOX_CARD_NETWORK, SANDBOX_PROCESSOR } from './records.ts'
import { payWithToken } from './token-payments.ts'

/** Options of {@link sandboxRail}. */
export interface SandboxRailOptions {
  /** The storage of the service, which needs the group `sandbox`. */
  readonly storage: Storage
  /**
   * Signs challenges, encrypts tokens and derives payer names: 32 characters or more, the same on every instance. Of a list,
   * the first is used and all are accepted, so prepend a new secret to rotate.
   */
  readonly secret: string | readonly string[]
  readonly now?: (() => Date) | undefined
}

/** Names the keys of this rail, and never changes. */
const KEY_OWNER = { name: 'sandbox rail', salt: 'eep-sandbox-card' }

/**
 * Takes test cards, which move no money: by the scheme `Payment` with tokens of `POST /sandbox/tokens`, and on pages of the service. It
 * sells the same prices in the same currencies as the rail for real cards. Needs the module `sandbox`.
 *
 * @throws Error for a short secret, and for a storage without the group `sandbox`
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sandbox.md
 * @example
 * const rail = sandboxRail({ storage, secret })
 * await app.register(eep, { ...options, payments: { rails: [rail] }, modules: [sandbox()] })
 */
export function sandboxRail({ storage, secret, now = () => new Date() }: SandboxRailOptions): PaymentRail<CardProof> {
  const keys = cardKeys(secret, KEY_OWNER)
  const payments = storage.read.sandboxPayments
  if (!payments) throw new Error('sandbox rail: needs a storage with the group sandbox')
  const cards = createCardPayments({
    network: SANDBOX_CARD_NETWORK,
    networkId: SANDBOX_PROCESSOR,
    currencies: CARD_CURRENCIES,
    paymentMethodTypes: ['card'],
    challengeSeconds: 300,
    keys,
    tokenPattern: /^spt_[A-Za-z0-9_]{1,200}$/,
    acceptRawToken: true,
    now,
  })
  const change: SandboxRailContext['change'] = (work) =>
    storage.transaction(async (tx) => {
      if (!tx.sandboxPayments) throw new Error('sandbox rail: the storage has lost the group sandbox')
      return work(tx.sandboxPayments, tx)
    })
  const context: SandboxRailContext = { payments, change, cards, now }
  const { info, offer, read, matches, verify } = cards

  // A payment by test card is a row, so its outcome is found as it is made.
  const outcome: PaymentRail<CardProof>['recover'] = (credential, purchase) =>
    isCardToken(credential)
      ? payWithToken(context, credential, purchase)
      : recoverCheckout(context, credential.proof as CardCheckoutProof, purchase)

  return definePaymentRail<CardProof>({
    id: 'sandbox-card',
    moneyKind: 'sandbox',
    info,
    offer,
    read,
    matches,
    verify,
    settle: outcome,
    recover: outcome,
    inspect: (payment) => inspectPayment(context, payment),
    listTaken: (since) => listTaken(context, since),

    async refund({ reference }) {
      const refunded = await change((all) => all.refund(reference, now()))
      if (!refunded) throw railUnavailable({ cause: new Error(`the sandbox has no paid payment ${reference}`) })
      return { reference: refundIdOf(reference) }
    },

    processor: {
      name: SANDBOX_PROCESSOR,
      openCheckout: (purchase, back) => openCheckout(context, purchase, back),
      expireCheckout: ({ proof }) => expireCheckout(context, proof),
      readMessage() {
        throw invalidMessage({ message: 'The sandbox sends no webhooks to the service that it is in' })
      },
    },

    async ping() {
      await payments.list(['open'], 1)
    },
  })
}
