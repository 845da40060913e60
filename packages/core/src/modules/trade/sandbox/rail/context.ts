import type { CardPayments } from '../../../../ports/card/index.ts'
import { type Purchase, paymentRefused, paymentUnknown, type Settlement } from '../../../../ports/payment-rail.ts'
import type { SandboxPayment, SandboxPaymentReader, SandboxPaymentStore } from '../../../../ports/storage/sandbox.ts'
import type { Stores } from '../../../../ports/storage/storage.ts'

/** What payments by test card are made with. */
export interface SandboxRailContext {
  readonly payments: SandboxPaymentReader
  /** Changes payments in one transaction. */
  readonly change: <Result>(work: (payments: SandboxPaymentStore, tx: Stores) => Promise<Result>) => Promise<Result>
  readonly cards: CardPayments
  readonly now: () => Date
}

/** The reason of a payment that the processor refused without a further reason. */
export const REFUSED = 'verification_failed'

/** Ends an open page or token for good, so that no request that is still under way pays with it. Returns its payment as it is then. */
export async function close({ change, now }: SandboxRailContext, id: string): Promise<SandboxPayment | undefined> {
  return change(
    async (payments) =>
      (await payments.decide({ id, from: ['open'], to: 'expired', at: now() })) ?? (await payments.get(id)),
  )
}

/**
 * Returns the settlement of a payment for a purchase.
 *
 * @throws `payment_refused` when nothing was taken, `settlement_pending` while a person has not decided
 */
export function outcomeOf({ cards }: SandboxRailContext, payment: SandboxPayment, purchase: Purchase): Settlement {
  const { id: reference, state, amount, currency, decidedAt: takenAt, email } = payment
  switch (state) {
    case 'paid': {
      const terms = cards.termsOf(purchase)
      if (!takenAt || terms?.amount !== amount || terms.currency !== currency) {
        throw paymentUnknown({ cause: new Error(`the sandbox took ${amount} ${currency} for ${reference}`) })
      }
      const settlement = cards.settlementOf({ reference, currency, amount, takenAt })
      return { ...settlement, ...(email !== null && { payerEmail: email }) }
    }
    case 'declined':
      throw paymentRefused('card_declined')
    case 'canceled':
      throw paymentRefused('payment_canceled')
    case 'expired':
      throw paymentRefused('payment_expired')
    case 'open':
      throw paymentUnknown({ reason: payment.kind === 'checkout' ? 'checkout_open' : undefined })
    case 'unknown':
      throw paymentUnknown()
  }
}
