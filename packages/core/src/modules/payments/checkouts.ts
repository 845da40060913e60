import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { CheckoutReturn } from '../../ports/payment-processor.ts'
import type { PaymentRail, Purchase } from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { notSoldThere, notTakenNow } from './errors.ts'
import type { Ledger } from './ledger.ts'
import { newPayment } from './new-payment.ts'
import type { Sale } from './sale.ts'
import type { Payment } from './store.ts'

export interface CheckoutDeps extends GuardedStorage {
  readonly clock: Clock
  readonly hooks: EepHooks
  readonly ledger: Ledger
}

/** A rail whose company has pages for payers. */
export type ProcessorRail = PaymentRail & { readonly processor: NonNullable<PaymentRail['processor']> }

export const hasProcessor = (rail: PaymentRail): rail is ProcessorRail => rail.processor !== undefined

/** Where whoever opened a page wants its payer to be led. */
export interface CheckoutPlan {
  /** The address at this service that a payer comes back to; `{CHECKOUT_ID}` stands for the page. */
  readonly backUrl: string
  readonly successUrl: string
  readonly cancelUrl: string
}

/** The page is not asked about while somebody may still pay there, but by who knows that somebody did. */
const AFTER_EXPIRY_MS = 60_000

/** Payments on pages of a processor. */
export function createCheckouts({ read, write, clock, hooks, ledger }: CheckoutDeps) {
  async function soldThere(rail: ProcessorRail, purchases: readonly Purchase[]): Promise<Purchase> {
    for (const purchase of purchases) {
      const allowed = purchase.rails === null || purchase.rails.includes(rail.id)
      if (allowed && purchase.per !== 'request' && (await rail.offer(purchase))) return purchase
    }
    throw notSoldThere()
  }

  return {
    /**
     * Opens a page on which a person pays for a sale.
     *
     * @throws `not_sold_there` for what lasts for one request only and for prices the rail does not take,
     * `payment_not_taken_now` when it cannot be noted; nobody learns of the page then
     */
    async open(rail: ProcessorRail, sale: Sale, { backUrl, successUrl, cancelUrl }: CheckoutPlan) {
      const purchase = await soldThere(rail, sale.purchases)
      await hooks.beforeSettle?.(purchase)
      const back: CheckoutReturn = { successUrl: backUrl, cancelUrl }
      const page = await rail.processor.openCheckout(purchase, back)
      const { credential, expiresAt, url } = page
      const leaseMs = Math.max(0, expiresAt.getTime() - clock().getTime()) + AFTER_EXPIRY_MS
      const payment = newPayment(sale, { rail, credential, purchase, checkpoint: { successUrl } }, clock())
      try {
        await write((tx) => tx.payments.claim(payment, leaseMs))
      } catch (cause) {
        throw notTakenNow({ headers: { 'retry-after': '5' }, cause })
      }
      return { id: credential.id, url, expiresAt }
    },

    /**
     * Finds out whether a page was paid on, and writes it down if it was; undefined when it is none of ours. While nobody
     * can say, the payment stays as it is.
     */
    async look(rail: ProcessorRail, id: string): Promise<Payment | undefined> {
      const payment = await read.payments.getByCredential(rail.id, id)
      if (!payment || payment.state === 'settled' || payment.state === 'refused') return payment
      return ledger.look(payment)
    },
  }
}

/** Where the payer of a page is led. */
export function successUrlOf({ checkpoint, purchase }: Payment): string {
  const { successUrl } = (checkpoint ?? {}) as { successUrl?: unknown }
  return typeof successUrl === 'string' ? successUrl : purchase.shown.url
}
