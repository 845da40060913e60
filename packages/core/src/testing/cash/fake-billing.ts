import { createHmac } from 'node:crypto'
import { systemClock } from '../../kernel/clock.ts'
import {
  type BilledSubscription,
  type BillingProcessor,
  billingDeclined,
  billingFailed,
  billingUnavailable,
} from '../../ports/billing-processor.ts'
import { type CashBill, createSubscriptionLedger } from './subscription-ledger.ts'

/** A request to the webhook of a service. */
export interface BillingMessage {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** A failure of one call of {@link cashBilling}. The members can be combined. */
export interface CashBillingFault {
  /** Waits for this promise before the call is carried out. */
  readonly hold?: Promise<unknown> | undefined
  /** Fails before (`request`) or after (`answer`) the call is carried out. */
  readonly lose?: 'request' | 'answer' | undefined
  /** Fails because the processor refuses the API key. */
  readonly refuse?: true | undefined
  /** Fails because the bank declines the charge. */
  readonly decline?: true | undefined
}

/** A method of {@link cashBilling} that a test can make fail. */
export type CashBillingMethod = Exclude<keyof BillingProcessor, 'id' | 'readMessage' | 'ping' | 'close'>

/** Options of {@link createFakeBilling}. */
export interface FakeBillingOptions {
  readonly clock?: (() => Date) | undefined
}

/**
 * Controls {@link cashBilling} in a test: acts as buyer, ends periods and injects failures. Actions return the resulting
 * webhook messages.
 */
export interface FakeBilling {
  readonly ledger: ReturnType<typeof createSubscriptionLedger>
  readonly clock: () => Date
  /** Completes the purchase on a checkout page. */
  buy(checkout: string): readonly BillingMessage[]
  /** Ends the period or the trial. The next invoice is paid or not, or a subscription that was canceled for then ends. */
  endPeriod(subscription: string, payment?: 'paid' | 'failed'): readonly BillingMessage[]
  /** Cancels the subscription at the processor, without a refund. */
  end(subscription: string): readonly BillingMessage[]
  /** Changes the state of a subscription directly. */
  change(subscription: string, changes: Partial<BilledSubscription>): readonly BillingMessage[]
  message(subscription: string, bill?: CashBill, at?: Date): BillingMessage
  /** The amount that was taken and not refunded, in cents. */
  balance(): bigint
  /** Makes the next call of a method, or of any method, fail. Repeated calls queue failures for later calls. */
  next(method: CashBillingMethod | 'any', fault: CashBillingFault): void
  /** The calls so far, oldest first. */
  readonly calls: readonly CashBillingMethod[]
  /** Carries out a call with its fault. Used by the processor. */
  serve<Result>(method: CashBillingMethod, work: () => Result): Promise<Result>
}

export const stampOf = (body: string, at: string): string =>
  createHmac('sha256', 'cash billing').update(`${at}.${body}`).digest('hex')

/** Creates the control object of {@link cashBilling}. */
export function createFakeBilling({ clock = systemClock }: FakeBillingOptions = {}): FakeBilling {
  const ledger = createSubscriptionLedger(clock)
  const calls: CashBillingMethod[] = []
  const faults: { readonly method: CashBillingMethod | 'any'; readonly fault: CashBillingFault }[] = []
  let sent = 0

  const message: FakeBilling['message'] = (subscription, bill, at = clock()) => {
    const body = JSON.stringify({ number: ++sent, subscription, bill })
    const stamp = `${at.getTime()}`
    return { body, headers: { 'cash-stamp': `${stamp}.${stampOf(body, stamp)}` } }
  }

  return {
    ledger,
    clock,
    message,
    calls,
    balance: ledger.total,

    buy(checkout) {
      const desk = ledger.desks.get(checkout)
      if (desk?.checkout.state !== 'open') throw new Error(`The checkout page ${checkout} is not open`)
      const { subscriptionId, ...bill } = ledger.begin(desk.order)
      ledger.close(checkout, { state: 'complete', subscriptionId })
      return [message(subscriptionId), message(subscriptionId, bill)]
    },

    endPeriod(id, payment = 'paid') {
      if (!ledger.subscriptions.get(id)?.cancelAtPeriodEnd) return [message(id, ledger.turn(id, payment === 'paid'))]
      ledger.end(id)
      return [message(id)]
    },

    end(id) {
      ledger.end(id)
      return [message(id)]
    },

    change(id, changes) {
      ledger.set(id, changes)
      return [message(id)]
    },

    next(method, fault) {
      faults.push({ method, fault })
    },

    async serve(method, work) {
      calls.push(method)
      const index = faults.findIndex((one) => one.method === method || one.method === 'any')
      const { hold, lose, refuse, decline } = (index < 0 ? undefined : faults.splice(index, 1)[0]?.fault) ?? {}
      await hold
      if (refuse) throw billingUnavailable()
      if (decline) throw billingDeclined()
      if (lose === 'request') throw billingFailed()
      const result = work()
      if (lose === 'answer') throw billingFailed()
      return result
    },
  }
}
